import { conformanceCases, createTempConfig } from '@tenon/core/testing';
import { describe, expect, it } from 'vitest';
import { ApprovalMode, createToolSystem, type CallEvent } from '@tenon/core';
import { cp, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { conformance, jsonValue } from './json-value.js';

describe('json_value', () => {
  for (const { name, run } of conformanceCases(jsonValue, conformance)) it(name, run);

  it('is a tool of whoever has it in a folder of tools', async () => {
    const temp = await createTempConfig({ entries: { 'a.json': '{ "a/b": [1, { "c": null }] }' } });
    const folder = temp.temp.path('tools');
    await mkdir(folder);
    await cp(fileURLToPath(new URL('./json-value.ts', import.meta.url)), `${folder}/json-value.ts`);
    const system = await createToolSystem({
      roots: [temp.workspace.root],
      tenonHome: temp.temp.path('home'),
      userHome: temp.temp.root,
      approvalMode: ApprovalMode.DEFAULT,
      rules: [],
      environment: {},
      customTools: { folders: [{ origin: 'user', folder }] },
    });
    try {
      expect(await endsOf(system.runCalls, ['/a~1b/1', '/a~1b/2', ''])).toEqual([
        { text: '{\n  "c": null\n}', data: { c: null } },
        { text: 'a.json has no /a~1b/2: there is no "2".', data: undefined },
        { text: expect.stringContaining('"a/b"'), data: { 'a/b': [1, { c: null }] } },
      ]);
    } finally {
      await system.close();
      await temp.remove();
    }
  });
});

type RunCalls = Awaited<ReturnType<typeof createToolSystem>>['runCalls'];

async function endsOf(runCalls: RunCalls, pointers: readonly string[]): Promise<unknown[]> {
  const calls = pointers.map((pointer, index) => ({
    callId: String(index),
    toolName: 'json_value',
    argumentsText: JSON.stringify({ file_path: 'a.json', pointer }),
  }));
  const ends: Extract<CallEvent, { type: 'tool-call-end' }>[] = [];
  for await (const event of runCalls(calls, new AbortController().signal))
    if (event.type === 'tool-call-end') ends.push(event);
  return ends
    .toSorted((one, other) => one.callId.localeCompare(other.callId))
    .map(({ content: [first], data }) => ({ text: first !== undefined && 'text' in first ? first.text : '', data }));
}
