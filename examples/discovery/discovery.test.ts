import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandSupervisor } from '../../packages/core/src/process/command-supervisor.js';
import { discoverTools } from '../../packages/core/src/tools/discovery/discover-tools.js';
import type { DiscoveredTool } from '../../packages/core/src/tools/discovered-tool.js';
import { joinWords } from '../../packages/core/src/util/split-words.js';

const supervisor = new CommandSupervisor();
const signal = new AbortController().signal;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'discovery-'));
  for (const name of ['a.txt', 'b.txt', 'c.md']) writeFileSync(join(folder, name), '');
});
afterAll(() => {
  supervisor.endAll();
  rmSync(folder, { recursive: true, force: true });
});

async function toolsOf(interpreter: string, file: string): Promise<readonly DiscoveredTool[]> {
  const program = joinWords([interpreter, fileURLToPath(new URL(file, import.meta.url))]);
  const { tools, problems } = await discoverTools(
    {
      discoveryCommand: `${program} list`,
      callCommand: `${program} call`,
      connect: supervisor.connect,
      environment: { PATH: process.env['PATH'] ?? '' },
      folder,
      taken: () => false,
    },
    signal,
  );
  expect(problems).toEqual([]);
  return tools;
}

async function call(tools: readonly DiscoveredTool[], name: string, params: Record<string, unknown>) {
  const tool = tools.find((each) => each.name === name);
  expect(tool).toBeDefined();
  return tool?.invoke(params).execute(signal);
}

describe.skipIf(process.platform === 'win32')('the examples of discovered tools', () => {
  it('in Python: two tools, found and called (S130) (S131)', async () => {
    const tools = await toolsOf('python3', 'tools.py');
    expect(tools.map(({ name }) => name)).toEqual(['count_words', 'days_between']);
    expect(await call(tools, 'count_words', { text: 'one two\nthree “ünï”' })).toEqual({
      llmContent: '{"words": 4, "lines": 2}',
    });
    expect(await call(tools, 'days_between', { first: '2024-02-01', last: '2024-03-01' })).toEqual({
      llmContent: '29',
    });
    expect(await call(tools, 'days_between', { first: '2024-02-01' })).toMatchObject({
      error: { type: 'invalid_tool_params' },
    });
    expect(await call(tools, 'days_between', { first: '2023-02-28', last: '2023-02-30' })).toMatchObject({
      error: { type: 'invalid_tool_params' },
    });
  });

  it('in shell: two tools, found and called', async () => {
    const tools = await toolsOf('sh', 'tools.sh');
    expect(tools.map(({ name }) => name)).toEqual(['count_endings', 'find_program']);
    const counted = await call(tools, 'count_endings', {});
    expect(counted?.llmContent).toMatch(/^ *2 txt\n *1 md$/);
    expect(await call(tools, 'find_program', { name: 'sh' })).toMatchObject({
      llmContent: expect.stringMatching(/\/sh$/),
    });
    expect(await call(tools, 'find_program', { name: 'no-such-program' })).toMatchObject({
      llmContent: '(no output)\n[stderr]\nno-such-program is not installed.\nIt failed with exit code 1.',
      error: { type: 'execution_failed', message: 'It failed with exit code 1.\nno-such-program is not installed.' },
    });
  });
});
