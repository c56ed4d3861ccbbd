import { expect, it } from 'vitest';
import { Failure, type AgentServers, type PromptRequest } from '@tenon/core';
import { parseArguments, serverCommand } from './server-commands.js';

const signal = new AbortController().signal;

function servers(): { readonly servers: AgentServers; readonly asked: PromptRequest[] } {
  const asked: PromptRequest[] = [];
  return {
    asked,
    servers: {
      list: () => [
        {
          alias: 'docs',
          state: 'ready',
          isListed: true,
          tools: ['docs__find'],
          held: ['drop'],
          logFile: '/logs/mcp-docs.log',
        },
        { alias: 'many', state: 'ready', isListed: true, tools: ['a', 'b'], held: [], logFile: '/logs/mcp-many.log' },
        { alias: 'none', state: 'ready', isListed: true, tools: [], held: [], logFile: '/logs/mcp-none.log' },
        { alias: 'new', state: 'ready', isListed: false, tools: [], held: [], logFile: '/logs/mcp-new.log' },
        {
          alias: 'gone',
          state: 'failed',
          reason: 'it ended at once',
          isListed: false,
          tools: [],
          held: [],
          logFile: '/logs/mcp-gone.log',
        },
      ],
      reconnect: async (alias) => {
        if (alias !== 'docs') throw new Failure('mcp_unknown_server', 'There is no such server.');
      },
      prompts: async () => [
        {
          alias: 'docs',
          name: 'explain',
          title: 'Explain',
          description: 'Explains a thing.',
          arguments: [{ name: 'topic', description: '', required: true }],
        },
      ],
      prompt: async (request) => {
        asked.push(request);
        return [{ text: 'words of the server' }];
      },
      complete: async () => [],
    },
  };
}

async function say(text: string): Promise<string> {
  const answer = await serverCommand(text, servers().servers, signal);
  return answer !== undefined && 'shown' in answer ? answer.shown : 'nothing';
}

it('lists servers with their state, tools, prompts and where their log stands', async () => {
  expect(await say('/mcp')).toBe(
    [
      'docs: ready, 1 tool, 1 held back',
      '  held back: drop (tenon mcp accept docs)',
      '  tools: docs__find',
      '  /docs:explain topic=…  Explains a thing.',
      'many: ready, 2 tools',
      '  tools: a, b',
      'none: ready, 0 tools',
      'new: ready, tools not listed yet',
      'gone: failed',
      '  it ended at once',
      '  log: /logs/mcp-gone.log',
      '',
    ].join('\n'),
  );
});

it('connects one anew, and says what cannot be done', async () => {
  expect(await say('/mcp reconnect docs')).toBe('The server "docs" is connected again.\n');
  expect(await say('/mcp reconnect nobody')).toBe('There is no such server.\n');
  expect(await say('/mcp restart')).toBe('Write /mcp, or /mcp reconnect NAME.\n');
});

it('takes a prompt of a server, with arguments by name or the only one as it is typed', async () => {
  const { servers: one, asked } = servers();
  expect(await serverCommand('/docs:explain topic="two words"', one, signal)).toEqual({
    content: [{ text: 'words of the server' }],
  });
  await serverCommand('/docs:explain the whole thing', one, signal);
  expect(asked.map(({ args }) => args)).toEqual([{ topic: 'two words' }, { topic: 'the whole thing' }]);
});

it('leaves everything else to others', async () => {
  for (const text of ['/mcpx', '/help', '/nobody:explain', 'hello', '/docs'])
    expect(await serverCommand(text, servers().servers, signal)).toBeUndefined();
});

it('reads arguments', () => {
  expect(parseArguments(String.raw`a=1 b="x \"y\" z" c='q r' d=`)).toEqual({
    args: { a: '1', b: 'x "y" z', c: 'q r', d: '' },
    others: '',
  });
  expect(parseArguments('see a=1 there').others).toBe('see  there');
});
