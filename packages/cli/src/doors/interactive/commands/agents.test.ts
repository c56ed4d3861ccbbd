import type { RecordedRequest, ScriptedTurn } from '@tenon/core/testing';
import { ToolNames } from '@tenon/core';
import { afterEach, expect, it } from 'vitest';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

afterEach(async () => bench.close());

const whoAsks = ({ body }: RecordedRequest): string =>
  /You are the subagent \S+ \((a[\d.]+)\)/.exec(JSON.stringify(body.messages[0]?.content ?? ''))?.[1] ?? 'main';

const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const task = { description: 'find the parser', prompt: 'look', subagent_type: 'explore' };

it('lists kinds and what worked in the session, and shows what one did', async () => {
  const turn = (request: RecordedRequest): ScriptedTurn => {
    const said = request.body.messages.filter(({ role }) => role === 'assistant').length;
    if (whoAsks(request) === 'main') return said === 0 ? call(ToolNames.TASK, task) : { text: 'Done.' };
    return said === 0 ? call(ToolNames.LS, { path: bench.workspace.root }) : { text: 'It is in parse.ts.' };
  };
  bench = await createCommandBench({ files: { 'parse.ts': '' }, turns: Array.from({ length: 10 }, () => turn) });
  expect(await bench.say('/agents')).toContain('None has worked in this session yet.');
  await bench.prompt('go');
  const list = await bench.say('/agents');
  expect(list).toContain('  general: ');
  expect(list).toMatch(/In this session:\n {2}explore \(a1\): find the parser … completed, 1 call, /);
  expect(await bench.say('/agents explore')).toContain('Tools: ');
  expect(await bench.say('/agents exploer')).toContain('Did you mean explore?');
  await bench.run('/agents a1', [['a', 'q']]);
  const shown = bench.frames().join('\n');
  expect(shown).toContain('It is in parse.ts.');
  expect(await bench.say('/agents stop a1')).toContain('No agent "a1" works now');
  expect(await bench.say('/agents stop')).toContain('/agents lists them');
});

it('stops one that works and leaves the others, and the agent above goes on', async () => {
  let stopped = '';
  const turn = async (request: RecordedRequest): Promise<ScriptedTurn> => {
    const said = request.body.messages.filter(({ role }) => role === 'assistant').length;
    const who = whoAsks(request);
    if (who === 'main') {
      if (said > 0) return { text: 'Done.' };
      return { toolCalls: [1, 2].map(() => ({ name: ToolNames.TASK, arguments: task })) };
    }
    if (who === 'a2') {
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await bench.say('/agents')).toMatch(/explore \(a1\): find the parser … works, /);
      stopped = await bench.say('/agents stop a1');
      return { text: 'Two.' };
    }
    return { text: 'never', hangAfterChunks: 0 };
  };
  bench = await createCommandBench({ turns: Array.from({ length: 10 }, () => turn) });
  const events = await bench.prompt('go');
  expect(stopped).toBe('a1 is stopped.\n');
  expect(events.at(-1)).toMatchObject({ type: 'prompt-end', stopReason: 'completed', text: 'Done.' });
  const ends = events.flatMap((event) =>
    event.type === 'subagent-end' ? [`${event.agentId} ${event.stopReason}`] : [],
  );
  expect(ends.toSorted()).toEqual(['a1 cancelled', 'a2 completed']);
});

it('knows that one in the background is done before the next prompt', async () => {
  const turn = (request: RecordedRequest): ScriptedTurn => {
    const said = request.body.messages.filter(({ role }) => role === 'assistant').length;
    if (whoAsks(request) !== 'main') return { text: 'It is in parse.ts.' };
    return said === 0 ? call(ToolNames.TASK, { ...task, run_in_background: true }) : { text: 'Goes on.' };
  };
  bench = await createCommandBench({ turns: Array.from({ length: 10 }, () => turn) });
  await bench.prompt('go');
  await expect.poll(() => bench.say('/agents')).toMatch(/explore \(a1\): find the parser … completed, /);
});
