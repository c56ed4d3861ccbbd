import { readdir, readFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { repairArguments } from '../schema/repair.js';
import type { CallContext } from '../effects/call-context.js';
import { createTempConfig } from '../testing/temp-config.js';
import { ApplyPatchTool } from './apply-patch.js';
import { Kind, type ToolResult } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
const tool = new ApplyPatchTool(config);
const { signal } = new AbortController();
afterEach(reset);
afterAll(remove);

const agent: CallContext = { callId: 'c1', toolName: 'any', title: 'a patch', agent: 'main', stillShown: () => true };

function patchOf(...lines: string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
}

function apply(...lines: string[]): Promise<ToolResult> {
  return tool.execute({ patch: patchOf(...lines) }, signal);
}

function applyAs(context: CallContext, ...lines: string[]): Promise<ToolResult> {
  return tool.build({ patch: patchOf(...lines) }).execute(signal, undefined, context);
}

async function noteRead(name: string): Promise<void> {
  const path = workspace.path(name);
  const { text, hash } = await config.getFileSystemService().readTextFile(path);
  const totalLines = text.split('\n').length;
  const sighting = { agent: 'main', callId: 'r1', path, version: { hash }, request: 'all', text, totalLines };
  config.getFileVersions().noteRead({ ...sighting, first: 0, end: totalLines });
}

describe('ApplyPatchTool', () => {
  it('adds, changes, moves and deletes in one call, and says what it did with each file (S96)', async () => {
    await workspace.write({ 'a.ts': 'one\ntwo\nthree\nfour\nfive\nsix\n', 'old.ts': 'x\ny\n', 'gone.ts': 'z\n' });
    const result = await apply(
      '*** Update File: a.ts',
      '@@',
      ' two',
      '-three',
      '+3',
      '+3.5',
      ' four',
      '*** Add File: sub/new.ts',
      '+n',
      '+m',
      '*** Update File: old.ts',
      '*** Move to: sub/moved.ts',
      '@@',
      '-y',
      '+Y',
      '*** Delete File: gone.ts',
    );
    expect(result.error).toBeUndefined();
    expect(await workspace.read('a.ts')).toBe('one\ntwo\n3\n3.5\nfour\nfive\nsix\n');
    expect(await workspace.read('sub/new.ts')).toBe('n\nm\n');
    expect(await workspace.read('sub/moved.ts')).toBe('x\nY\n');
    expect((await readdir(workspace.root)).toSorted()).toEqual(['a.ts', 'sub']);
    expect(result.llmContent).toMatch(/^The patch was applied to 4 files:\nM a\.ts \(lines 3-4\)\n/);
    expect(result.llmContent).toContain('\n3→3\n4→3.5\n');
    expect(result.llmContent).toContain('\nA sub/new.ts (2 lines)\n');
    expect(result.llmContent).toContain('\nR old.ts → sub/moved.ts (line 2)\n');
    expect(result.llmContent).toMatch(/\nD gone\.ts$/);
    expect(result.returnDisplay).toMatchObject({ fileDiff: expect.stringContaining('+3.5') });
    expect(result.data).toMatchObject({
      files: expect.arrayContaining([expect.objectContaining({ change: 'moved' })]),
    });
  });

  it('changes nothing on disk when one hunk of one file does not fit, and reports the problems of all files', async () => {
    const files = { 'a.ts': 'one\ntwo\n', 'b.ts': 'x\nx\n', 'c.ts': 'here\n' };
    await workspace.write(files);
    const result = await apply(
      '*** Update File: a.ts',
      '@@',
      '-two',
      '+2',
      '*** Update File: b.ts',
      '@@',
      '-x',
      '+z',
      '*** Add File: c.ts',
      '+new',
      '*** Add File: d.ts',
      '+new',
      '*** Delete File: e.ts',
    );
    expect(result.error?.type).toBe('edit_expected_occurrence_mismatch');
    expect(result.llmContent).toContain('nothing was changed in any file');
    expect(result.llmContent).toContain(
      '- b.ts: Hunk 1 (line 7 of the patch) fits 2 places (exact match), at lines 1, 2.',
    );
    expect(result.llmContent).toContain('- c.ts (line 10 of the patch): there is such a file already.');
    expect(result.llmContent).toContain('- e.ts (line 14 of the patch): File not found');
    for (const [name, text] of Object.entries(files)) expect(await workspace.read(name)).toBe(text);
    expect((await readdir(workspace.root)).toSorted()).toEqual(['a.ts', 'b.ts', 'c.ts']);
  });

  it('leaves the whole tree as it is after any patch with a bad part (property)', async () => {
    const good = [
      ['*** Update File: a', '@@', '-1', '+one'],
      ['*** Add File: n/new', '+x'],
      ['*** Delete File: b'],
      ['*** Update File: c', '*** Move to: d'],
    ];
    const bad = [
      ['*** Update File: a', '@@', '-nowhere', '+x'],
      ['*** Add File: c', '+x'],
      ['*** Delete File: none'],
      ['*** Update File: b', '*** Move to: c'],
      ['*** Update File: link', '@@', '-none', '+x'],
    ];
    await workspace.write({ a: '1\n2\n', b: '3\n', c: '4\n', link: { linkTo: 'a' } });
    await fc.assert(
      fc.asyncProperty(fc.subarray(good), fc.constantFrom(...bad), async (parts, wrong) => {
        const named = wrong.map((line) => line.split(': ')[1]).filter((name) => name !== undefined);
        const others = parts.filter((part) => !named.some((name) => part.some((line) => line.endsWith(`: ${name}`))));
        expect((await apply(...others.flat(), ...wrong)).error).toBeDefined();
        expect((await readdir(workspace.root)).toSorted()).toEqual(['a', 'b', 'c', 'link']);
        for (const [name, text] of [
          ['a', '1\n2\n'],
          ['b', '3\n'],
          ['c', '4\n'],
        ] as const) {
          expect(await workspace.read(name)).toBe(text);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('changes no other byte: encoding, BOM, line ends (S80, S89)', async () => {
    const text = 'naïve “quotes” über alles – schöne Grüße\r\nalt\r\nende';
    await writeFile(workspace.path('a.txt'), iconv.encode(text, 'windows-1252'));
    await workspace.write({ 'b.txt': '\ufeffa\r\nb\nc' });
    await apply('*** Update File: a.txt', '@@', '-alt', '+größer', '*** Update File: b.txt', '@@', '-c', '+d');
    const expected = iconv.encode(text.replace('alt', 'größer'), 'windows-1252');
    expect(Buffer.compare(await readFile(workspace.path('a.txt')), expected)).toBe(0);
    expect(await workspace.read('b.txt')).toBe('\ufeffa\r\nb\nd');
  });

  it('names the tier of a match that was not exact (K16)', async () => {
    await workspace.write({ 'a.ts': 'if (a) {  \n    b();\n}\n' });
    const result = await apply('*** Update File: a.ts', '@@', ' if (a) {', '-    b();', '+    c();');
    expect(result.llmContent).toContain('M a.ts (line 2; matched without white space at line ends)');
  });

  it('states what it would do with which file', async () => {
    const invocation = tool.build({
      patch: patchOf(
        '*** Update File: a',
        '*** Move to: b',
        '*** Add File: c',
        '+x',
        '*** Delete File: d',
        '*** Update File: e',
        '@@',
        '-x',
        '+y',
      ),
    });
    const effects = (await invocation.effects?.()) ?? [];
    expect(
      effects.map((effect) =>
        'requested' in effect ? `${effect.kind} ${effect.requested.slice(workspace.root.length + 1)}` : effect.kind,
      ),
    ).toEqual(['read a', 'delete a', 'write b', 'write c', 'delete d', 'read e', 'write e']);
    expect(invocation.getDescription()).toBe('a, c, d and 1 more');
    expect(invocation.toolLocations?.()).toHaveLength(5);
    expect([tool.name, tool.displayName, tool.kind]).toEqual(['apply_patch', 'ApplyPatch', Kind.Edit]);
  });

  it('refuses paths outside of the workspace and patches that are none before anything is asked', () => {
    const refusal = (path: string): string | null =>
      tool.validateToolParams({ patch: patchOf(`*** Delete File: ${path}`) });
    expect(refusal('../x')).toMatch(/workspace/);
    expect(refusal('/etc/passwd')).toMatch(/workspace/);
    expect(refusal('a/../../x')).toMatch(/workspace/);
    expect(refusal(workspace.path('x'))).toBeNull();
    expect(tool.validateToolParams({ patch: patchOf('*** Update File: a', '@@', '-x', '*** Move to: ../b') })).toMatch(
      /Line 5/,
    );
    expect(tool.validateToolParams({ patch: patchOf('*** Update File: a', '*** Move to: ../b') })).toMatch(/workspace/);
    expect(tool.validateToolParams({ patch: 'nonsense' })).toMatch(/^Line 1 of the patch: .*\*\*\* Begin Patch/s);
  });

  it('shows one diff of all files when it asks, and writes only over what it showed (S52, S54)', async () => {
    await workspace.write({ a: '1\n', b: '2\n' });
    const lines = ['*** Update File: a', '@@', '-1', '+one', '*** Delete File: b'];
    const invocation = tool.build({ patch: patchOf(...lines) });
    expect(await invocation.shouldConfirmExecute?.(signal)).toMatchObject({
      type: 'edit',
      title: 'Confirm Patch: 2 files',
      fileDiff: expect.stringMatching(/-1\n\+one\n[^]*-2\n/),
    });
    await workspace.write({ b: '2\n3\n' });
    expect((await invocation.execute(signal)).error?.type).toBe('file_changed');
    expect(await workspace.read('a')).toBe('1\n');
  });

  it('lands in a file that changed elsewhere since it was read, and says so', async () => {
    await workspace.write({ a: '1\n2\n3\n' });
    await noteRead('a');
    await workspace.write({ a: '0\n1\n2\n3\n' });
    const missed = await applyAs(agent, '*** Update File: a', '@@', '-4', '+four');
    expect(missed.llmContent).toContain('The file changed since you read it');
    const result = await applyAs(agent, '*** Update File: a', '@@', '-3', '+three');
    expect(result.llmContent).toContain('M a (line 4) The file had changed elsewhere since you read it');
    expect(await workspace.read('a')).toBe('0\n1\n2\nthree\n');
  });

  it('does not go by line numbers of a file that changed since it was read', async () => {
    await workspace.write({ a: 'x\ny\nx\ny\n' });
    await noteRead('a');
    await workspace.write({ a: 'new\nz\nx\ny\nx\ny\n' });
    const result = await applyAs(agent, '*** Update File: a', '@@ -3 +3 @@', '-x', '+w');
    expect(result.error?.type).toBe('edit_expected_occurrence_mismatch');
  });

  it('does not delete what changed since it was read, nor put another file in place of one that was not read', async () => {
    await workspace.write({ a: '1\n', b: '2\n' });
    await noteRead('a');
    await workspace.write({ a: '1\n2\n' });
    expect((await applyAs(agent, '*** Delete File: a')).error?.type).toBe('file_changed_since_read');
    expect((await applyAs(agent, '*** Delete File: b', '*** Add File: b', '+x')).error?.type).toBe('file_not_read');
    expect((await applyAs(agent, '*** Delete File: b')).error).toBeUndefined();
    expect(await workspace.read('a')).toBe('1\n2\n');
  });

  it('deletes a binary file, and does not change one', async () => {
    await workspace.write({ 'a.bin': new Uint8Array([0, 1, 2, 255, 0, 7]) });
    expect((await apply('*** Update File: a.bin', '@@', '-x', '+y')).error?.type).toBe('binary_file');
    expect((await apply('*** Delete File: a.bin')).error).toBeUndefined();
    expect(await readdir(workspace.root)).toEqual([]);
  });

  it('takes a patch under the names that other agents give it, as it was sent', () => {
    for (const alias of ['input', 'patch_text', 'patchText']) {
      const sent = { [alias]: patchOf('*** Add File: a', '+{"x": 1,}') };
      const aliases = tool.parameterAliases;
      const read = repairArguments({
        schema: tool.schema,
        argumentsText: JSON.stringify(sent),
        aliases,
        verbatim: ['patch'],
      });
      expect(read).toMatchObject({ ok: true, value: { patch: sent[alias] } });
    }
  });

  it('explains itself in little: the schema is sent with every request', () => {
    expect(JSON.stringify({ description: tool.description, schema: tool.schema }).length).toBeLessThanOrEqual(1200);
  });
});
