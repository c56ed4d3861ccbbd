import { readFile, writeFile } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { repairArguments } from '../schema/repair.js';
import { createTempConfig } from '../testing/temp-config.js';
import { applyReplacement, EditTool, type EditToolParams } from './edit.js';
import { Kind, type ToolResult } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
const tool = new EditTool(config);
const { signal } = new AbortController();
afterEach(reset);
afterAll(remove);

describe('EditTool', () => {
  function paramsFor(name: string, oldText: string, newText: string, all?: boolean): EditToolParams {
    const params = { file_path: workspace.path(name), old_string: oldText, new_string: newText };
    return all === undefined ? params : { ...params, replace_all: all };
  }

  function edit(name: string, oldText: string, newText: string, all?: boolean): Promise<ToolResult> {
    return tool.execute(paramsFor(name, oldText, newText, all), signal);
  }

  it('replaces one match in place and shows the region (S84, S85, S96, S97)', async () => {
    await workspace.write({ 'a.ts': 'const a = 1;\nconst b = 2;\nconst c = 3;' });
    const result = await edit('a.ts', 'b = 2', 'b = "$&"');
    expect(await workspace.read('a.ts')).toBe('const a = 1;\nconst b = "$&";\nconst c = 3;');
    expect(result.llmContent).toBe(
      `Successfully modified file: ${workspace.path('a.ts')} (1 replacement, line 2). It now reads:\n` +
        '1→const a = 1;\n2→const b = "$&";\n3→const c = 3;',
    );
    expect(result.returnDisplay).toMatchObject({
      fileName: 'a.ts',
      fileDiff: expect.stringContaining('+const b = "$&";'),
    });
  });

  it('replaces every match with replace_all (S86)', async () => {
    await workspace.write({ 'a.ts': 'x\ny\nx\n' });
    expect((await edit('a.ts', 'x', 'z', true)).llmContent).toContain('2 replacements, lines 1, 3');
    expect(await workspace.read('a.ts')).toBe('z\ny\nz\n');
  });

  it('tells of 3 lines of context in its description (S87)', () => {
    expect(tool.description).toContain('3 lines of context');
    expect(JSON.stringify({ description: tool.description, schema: tool.schema }).length).toBeLessThanOrEqual(1250);
  });

  it('is sensitive to white space inside lines and keeps indentation (S88)', async () => {
    await workspace.write({ 'a.py': 'def f():\n\treturn  1\n' });
    expect((await edit('a.py', 'return 1', 'return 2')).error?.type).toBe('edit_no_occurrence_found');
    await edit('a.py', 'return  1', 'return  2');
    expect(await workspace.read('a.py')).toBe('def f():\n\treturn  2\n');
  });

  it('finds CRLF text by LF and keeps CRLF, BOM and mixed endings elsewhere (S80, S89)', async () => {
    await workspace.write({ 'a.txt': '\ufeffa\r\nb\r\nc\nd' });
    const result = await edit('a.txt', 'a\nb\n', 'a\nB\nnew\n');
    expect(await workspace.read('a.txt')).toBe('\ufeffa\r\nB\r\nnew\r\nc\nd');
    expect(result.llmContent).toContain('matched with the line endings of the file');
  });

  it('changes no other byte of a legacy encoded file', async () => {
    const text = 'naïve “quotes” über alles – schöne Grüße\nalt\n';
    await writeFile(workspace.path('a.txt'), iconv.encode(text, 'windows-1252'));
    await edit('a.txt', 'alt', 'größer');
    const expected = iconv.encode(text.replace('alt', 'größer'), 'windows-1252');
    expect(Buffer.compare(await readFile(workspace.path('a.txt')), expected)).toBe(0);
  });

  it('takes a unique relaxed match and says which (S90, K16)', async () => {
    await workspace.write({ 'a.ts': 'if (a) {  \n    b();\n}\n' });
    const result = await edit('a.ts', 'if (a) {\n    b();\n}', 'if (a) {\n    c();\n}');
    expect(result.llmContent).toContain('old_string matched without white space at line ends');
    expect(await workspace.read('a.ts')).toBe('if (a) {  \n    c();\n}\n');
  });

  it('makes several edits in order, all or none, and says which one failed', async () => {
    await workspace.write({ 'a.ts': 'one\ntwo\nthree\n' });
    const file_path = workspace.path('a.ts');
    const params = paramsFor('a.ts', 'one', '1');
    const result = await tool.execute({ ...params, edits: [{ old_string: 'two  ', new_string: '2' }] }, signal);
    expect(await workspace.read('a.ts')).toBe('1\n2\nthree\n');
    expect(result.llmContent).toContain('(2 edits, 2 replacements, lines 1, 2). Edit 2: old_string matched without');
    const failed = await tool.execute(
      { file_path, old_string: '1', new_string: 'x', edits: [{ old_string: 'zzzzzzzz', new_string: 'y' }] },
      signal,
    );
    expect(failed.llmContent).toContain('Edit 2 of 2 failed, so none of them was made. old_string was not found');
    expect(await workspace.read('a.ts')).toBe('1\n2\nthree\n');
  });

  it('requires old_string and new_string, and takes more replacements in edits (S84)', () => {
    const file_path = workspace.path('a.ts');
    expect(tool.schema).toMatchObject({ required: ['file_path', 'old_string', 'new_string'] });
    expect(tool.validateToolParams({ file_path } as EditToolParams)).toMatch(
      /^Invalid parameters: `\/old_string` is required but missing: a string \(.*\); `\/new_string` is .*\. A valid example: \{"/,
    );
    const one = paramsFor('a.ts', 'a', 'b');
    expect(tool.validateToolParams({ ...one, edits: [{ old_string: 'c', new_string: 'd' }] })).toBeNull();
    expect(tool.validateToolParams({ ...one, edits: [{ old_string: 'a', new_string: 'b' }] })).toBe(
      'edits repeats old_string and new_string. Give each replacement once.',
    );
    expect(tool.validateToolParams({ ...one, edits: [] })).not.toBeNull();
    expect(tool.validateToolParams({ ...one, expected_replacements: 0 })).not.toBeNull();
  });

  it('reads a list of all replacements as a model of another agent sends it', () => {
    const read = (args: object): object => {
      const request = { argumentsText: JSON.stringify(args), aliases: {}, verbatim: [] };
      const answer = repairArguments({ ...request, schema: tool.schema, mend: tool.mend });
      return answer.ok ? answer.value : {};
    };
    const [one, two] = [
      { old_string: 'a', new_string: 'b', replace_all: true },
      { old_string: 'c', new_string: 'd' },
    ];
    const file_path = workspace.path('a.ts');
    expect(read({ file_path, edits: [one] })).toEqual({ file_path, ...one });
    expect(read({ file_path, edits: [one, two] })).toEqual({ file_path, ...one, edits: [two] });
    for (const unclear of [{ file_path, edits: [one], replace_all: true }, { file_path, edits: [] }, { file_path }])
      expect(read(unclear)).toEqual(unclear);
  });

  it('makes as many replacements as are expected, or none', async () => {
    await workspace.write({ 'a.ts': 'x\nx\nx\n' });
    const params = { ...paramsFor('a.ts', 'x', 'y'), expected_replacements: 2 };
    const wrong = await tool.execute(params, signal);
    expect(wrong.error?.type).toBe('edit_expected_occurrence_mismatch');
    expect(wrong.llmContent).toContain('matches 3 places');
    expect(wrong.llmContent).toContain('at lines 1, 2, 3, but expected_replacements is 2');
    await tool.execute({ ...params, expected_replacements: 3 }, signal);
    expect(await workspace.read('a.ts')).toBe('y\ny\ny\n');
  });

  it('refuses placeholders, line numbers and signs of the call in new_string', async () => {
    await workspace.write({ 'a.ts': 'a();\nb();\n' });
    const omitted = await edit('a.ts', 'a();\nb();', 'c();\n// ... rest of the code');
    expect(omitted.llmContent).toContain('Line 2 of new_string: ');
    expect((await edit('a.ts', 'a();\nb();', '1→a();\n2→c();')).llmContent).toContain('line numbers of a listing');
    const tagged = await edit('a.ts', 'b();', 'c();\n</new_string>');
    expect(tagged.llmContent).toContain('Line 2 of new_string: The new text ends with `</new_string>`');
    expect(tagged.llmContent).toContain('The new_string to send:\n```\nc();\n```');
    expect(await workspace.read('a.ts')).toBe('a();\nb();\n');
  });

  it('shows white space and an old_string that applies (S92)', async () => {
    await workspace.write({ 'a.ts': 'if (a) {\n\tb(1,  2);\n}\n' });
    const { llmContent } = await edit('a.ts', '\tb(1, 2);', '\tc();');
    expect(llmContent).toContain('It differs from the file in white space only.');
    expect(llmContent).toContain('2: →b(1,  2);');
    expect(llmContent).toContain('```\n\tb(1,  2);\n```');
  });

  it('lands in a file that changed elsewhere since it was read, and says so', async () => {
    await workspace.write({ 'a.ts': 'one\nchanged\n' });
    const path = workspace.path('a.ts');
    const context = {
      callId: 'c2',
      toolName: tool.name,
      title: 'Edit a.ts',
      agent: 'main',
      stillShown: () => false,
    };
    config.getFileVersions().noteRead({
      agent: 'main',
      callId: 'c1',
      path,
      version: { hash: 'another' },
      request: 'all',
      first: 0,
      end: 2,
      totalLines: 2,
      text: 'one\ntwo\n',
    });
    const stale = await tool.build(paramsFor('a.ts', 'two', 'x')).execute(signal, undefined, context);
    expect(stale.llmContent).toContain('It stood in the file when you read it; the file has changed since.');
    const done = await tool.build(paramsFor('a.ts', 'one', '1')).execute(signal, undefined, context);
    expect(done.llmContent).toContain('The file had changed elsewhere since you read it');
    expect(await workspace.read('a.ts')).toBe('1\nchanged\n');
  });

  it('refuses a file that cannot be written back as it is, before anybody is asked', async () => {
    const halfUnitAtEnd = Buffer.from([0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x62, 0, 0x0a, 0, 0x63]);
    await writeFile(workspace.path('a.txt'), halfUnitAtEnd);
    const invocation = tool.build(paramsFor('a.txt', 'b', 'c'));
    await expect(invocation.shouldConfirmExecute?.(signal)).rejects.toMatchObject({ code: 'file_write_failure' });
    expect(await readFile(workspace.path('a.txt'))).toEqual(halfUnitAtEnd);
  });

  it('keeps bytes that are no UTF-8 where other lines change', async () => {
    await writeFile(workspace.path('a.txt'), Buffer.from([0x61, 0xc3, 0x28, 0x0a, 0x62, 0xe2, 0x82, 0x0a]));
    await tool.build(paramsFor('a.txt', 'b', 'c')).execute(signal);
    const expected = Buffer.from([0x61, 0xc3, 0x28, 0x0a, 0x63, 0xe2, 0x82, 0x0a]);
    expect(await readFile(workspace.path('a.txt'))).toEqual(expected);
  });

  it('creates a file with an empty old_string, folders included (S91)', async () => {
    const result = await edit('new/a.ts', '', 'export {};\n');
    expect(result.llmContent).toMatch(/^Successfully modified file: created /);
    expect(await workspace.read('new/a.ts')).toBe('export {};\n');
    await workspace.write({ 'empty.txt': '' });
    await edit('empty.txt', '', 'filled\n');
    expect(await workspace.read('empty.txt')).toBe('filled\n');
  });

  it('explains a target that is not there (S92)', async () => {
    await workspace.write({ 'a.ts': 'one();\nfunction foo(a) {\n  return a;\n}\n' });
    const result = await edit('a.ts', 'function foo() {\n  return a;\n}', 'x');
    expect(result.error?.type).toBe('edit_no_occurrence_found');
    expect(result.llmContent).toContain('The nearest lines are:\n2→function foo(a) {\n3→  return a;\n4→}');
    // The exact text follows, so the model need not read the file.
    expect(result.llmContent).toContain('This old_string stands in the file once');
    expect(result.llmContent).not.toContain('Read file');
    expect((await edit('a.ts', 'something else', 'x')).llmContent).toContain('Read file first to get exact text');
  });

  it('names the lines of both where two places are as near (S92, S93)', async () => {
    await workspace.write({
      'a.ts': 'f( 1 );\ng();\nf(1 );\nlet total = compute(1);\nh();\nlet total = compute(2);\n',
    });
    expect((await edit('a.ts', 'f( 1);', 'x')).llmContent).toContain('Lines 1 and 3 are both like it. Read file first');
    expect((await edit('a.ts', 'let total = compute(3);', 'x')).llmContent).toContain(
      'Lines 4 and 6 are both like it.',
    );
  });

  it('refuses several matches with their count and lines (S93)', async () => {
    await workspace.write({ 'a.ts': 'x = 1;\n\nx = 1;\nx = 1;\n' });
    const result = await edit('a.ts', 'x = 1;', 'x = 2;');
    expect(result.error?.type).toBe('edit_expected_occurrence_mismatch');
    expect(result.llmContent).toContain('matches 3 places');
    expect(result.llmContent).toContain('at lines 1, 3, 4');
    expect(result.llmContent).toMatch(/Add more lines of context .* or set replace_all to true/);
    expect(await workspace.read('a.ts')).toBe('x = 1;\n\nx = 1;\nx = 1;\n');
  });

  it('refuses to create over an existing file (S94)', async () => {
    await workspace.write({ 'a.ts': 'here\n' });
    const result = await edit('a.ts', '', 'x');
    expect(result.error?.type).toBe('attempt_to_create_existing_file');
    expect(result.llmContent).toMatch(/write_file .* or provide old_string/);
    expect(await workspace.read('a.ts')).toBe('here\n');
  });

  it('refuses an edit that changes nothing, and one of a missing file', async () => {
    await workspace.write({ 'config.ts': 'a\n' });
    expect((await edit('config.ts', 'a', 'a')).error?.type).toBe('edit_no_change');
    const missing = await edit('confih.ts', 'a', 'b');
    expect(missing.error?.type).toBe('file_not_found');
    expect(missing.llmContent).toContain('config.ts');
  });

  it('asks with a diff unless in AUTO_EDIT, and never about an edit that cannot be done (S54, S55, S95)', async () => {
    await workspace.write({ 'a.ts': 'old\n' });
    const params = paramsFor('a.ts', 'old', 'new');
    expect(await tool.shouldConfirmExecute(params, signal)).toMatchObject({
      type: 'edit',
      title: 'Confirm Edit: a.ts',
      fileDiff: expect.stringContaining('-old\n+new'),
      originalContent: 'old\n',
      newContent: 'new\n',
    });
    await expect(tool.shouldConfirmExecute(paramsFor('a.ts', 'none', 'new'), signal)).rejects.toMatchObject({
      code: 'edit_no_occurrence_found',
    });
    config.setApprovalMode(ApprovalMode.AUTO_EDIT);
    expect(await tool.shouldConfirmExecute(params, signal)).toBe(false);
  });

  it('refuses a file that changed after it was approved', async () => {
    await workspace.write({ 'a.ts': 'old\n' });
    const invocation = tool.build(paramsFor('a.ts', 'old', 'new'));
    await invocation.shouldConfirmExecute?.(signal);
    await workspace.write({ 'a.ts': 'old\nmore\n' });
    expect((await invocation.execute(signal)).error?.type).toBe('file_changed');
    expect(await workspace.read('a.ts')).toBe('old\nmore\n');
  });

  it('calculates an edit without making it (S96)', async () => {
    await workspace.write({ 'a.ts': 'old\n' });
    expect(await tool.calculateEdit(paramsFor('a.ts', 'old', 'new'))).toMatchObject({
      currentContent: 'old\n',
      newContent: 'new\n',
      isNewFile: false,
    });
    expect(await tool.calculateEdit(paramsFor('a.ts', 'none', 'new'))).toMatchObject({
      newContent: 'old\n',
      error: { type: 'edit_no_occurrence_found', raw: expect.stringContaining('was not found') },
    });
    expect(await workspace.read('a.ts')).toBe('old\n');
  });

  it('writes exactly what the person made of it (S56)', async () => {
    const context = tool.getModifyContext(signal);
    for (const [before, mine] of [
      ['a\r\nb\r\n', 'mine\nand\r\nmine'],
      ['b', 'mine\n'],
      ['ab', ''],
      ['ab', '// ... rest of code\n'],
    ] as const) {
      await workspace.write({ 'a.txt': before });
      const params = paramsFor('a.txt', 'b', 'c', false);
      expect(await context.getCurrentContent(params)).toBe(before);
      expect(await context.getProposedContent(params)).toBe(before.replace('b', 'c'));
      const result = await tool.build(context.createUpdatedParams(before, mine, params)).execute(signal);
      expect(result.error).toBeUndefined();
      expect(await workspace.read('a.txt')).toBe(mine);
    }
  });

  it('states that it reads what it writes: a miss shows lines of the file', async () => {
    const path = workspace.path('a.ts');
    const invocation = tool.build(paramsFor('a.ts', '', 'x'));
    expect(await invocation.effects?.()).toEqual([
      { kind: 'read', path, requested: path, zone: 'workspace' },
      { kind: 'write', path, requested: path, zone: 'workspace' },
    ]);
    expect(tool.validateToolParams({ file_path: 'a', old_string: '', new_string: '' })).toBe(
      `Path must be absolute: a. In the workspace it is ${workspace.path('a')}.`,
    );
    expect([tool.name, tool.displayName, tool.kind]).toEqual(['edit', 'Edit', Kind.Edit]);
  });
});

describe('applyReplacement', () => {
  it('replaces literally, all matches, or gives the content of a new file (S96)', () => {
    expect(applyReplacement('a.b.a', 'a', '$&', false)).toBe('$&.b.$&');
    expect(applyReplacement(null, '', 'new', true)).toBe('new');
    expect(applyReplacement('same', '', 'x', false)).toBe('same');
  });
});
