import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApprovalMode, createToolSystem, Kind, ToolNames, type BaseTool, type ToolSystem } from '@tenon/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hintsOf } from './tool-hints.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hints-')));
let system: ToolSystem;
let tools: readonly BaseTool[];

beforeAll(async () => {
  system = await createToolSystem({
    roots: [folder],
    tenonHome: path.join(folder, '.tenon'),
    userHome: folder,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: { PATH: process.env['PATH'] },
  });
  tools = system.config.getToolRegistry().getAllTools();
});

afterAll(async () => {
  await system.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = path.join(folder, 'a.txt');
const CALLS: ReadonlyMap<string, object> = new Map([
  [ToolNames.READ_FILE, { absolute_path: file }],
  [ToolNames.READ_MANY_FILES, { paths: ['**'] }],
  [ToolNames.LS, { path: folder, depth: 3 }],
  [ToolNames.GLOB, { pattern: '**' }],
  [ToolNames.GREP, { pattern: 'x' }],
  [ToolNames.JOB_OUTPUT, { id: 'job-1' }],
  [ToolNames.JOB_LIST, {}],
  [ToolNames.TODO_WRITE, { todos: [] }],
]);

it('says of no tool that it only reads when its calls may do more', async () => {
  const reading = tools.filter((tool) => hintsOf(tool).readOnlyHint === true);
  const known = reading.filter(({ name }) => CALLS.has(name));
  expect(known).toHaveLength(CALLS.size);
  for (const tool of known) {
    const effects = (await tool.build(CALLS.get(tool.name) ?? {}).effects?.()) ?? [];
    expect([tool.name, effects.filter(({ kind }) => kind !== 'read')]).toEqual([tool.name, []]);
  }
});

it('says of what changes files or runs programs that it does', () => {
  for (const tool of tools.filter(({ kind }) => kind === Kind.Edit || kind === Kind.Execute)) {
    expect([tool.name, hintsOf(tool)]).toMatchObject([tool.name, { readOnlyHint: false, destructiveHint: true }]);
  }
});

it('says of every built-in tool what it may do, also of those that do many things', () => {
  expect(tools.filter((tool) => hintsOf(tool).readOnlyHint === undefined).map(({ name }) => name)).toEqual([]);
  const changes = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };
  expect(hintsOf({ kind: Kind.Other, name: ToolNames.LSP })).toEqual({ ...changes, openWorldHint: false });
  expect(hintsOf({ kind: Kind.Other, name: ToolNames.TASK })).toEqual({ ...changes, openWorldHint: true });
});

it('says nothing where nothing is known', () => {
  expect(hintsOf({ kind: Kind.Other, name: 'other' })).toEqual({});
});
