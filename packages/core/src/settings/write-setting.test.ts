import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import * as parser from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editJson } from './edit-json-text.js';
import { writeSetting } from './write-setting.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tenon-write-'));
  file = path.join(folder, 'settings.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (value: unknown, more: object = {}): Promise<void> =>
  writeSetting({ file, at: ['mcpServers', 'x'], value, environment: {}, ...more });

describe('the text of a settings file', () => {
  const edit = (text: string, value: unknown, at: readonly string[] = ['mcpServers', 'x']) =>
    editJson(text, at, value, parser);
  const change = (...args: Parameters<typeof edit>): string => {
    const edited = edit(...args);
    if (typeof edited !== 'string') throw new Error(edited.problem);
    return edited;
  };
  const read = (text: string): unknown => parser.parse(text.replace('\uFEFF', ''), [], { allowTrailingComma: true });

  it('keeps comments, order, indentation, line ends and the byte order mark', () => {
    const lines = [
      '\uFEFF{',
      '\t// mine',
      '\t"model": {"name": "m"}, /* why */',
      '\t"mcpServers": {',
      '\t\t"a": {"command": "a"}, // first',
      '\t\t// more',
      '\t},',
      '}',
      '',
    ];
    const added = [...lines.slice(0, 5), '\t\t"x": {', '\t\t\t"command": "x"', '\t\t},', ...lines.slice(5)];
    const changed = change(lines.join('\r\n'), { command: 'x' });
    expect(changed).toBe(added.join('\r\n'));
    expect(change(changed, undefined)).toBe(lines.join('\r\n'));
  });

  it.each([
    ['{"mcpServers": {"a": 1}}', '{"mcpServers": {"a": 1, "x": {"b": [1]}}}'],
    ['{"mcpServers": {"a": 1,}}', '{"mcpServers": {"a": 1, "x": {"b": [1]},}}'],
    ['{"mcpServers": {"x": {"old": 1}}}', '{"mcpServers": {"x": {"b":[1]}}}'],
    [
      '{\n  "mcpServers": {\n    "a": 1 // a, b\n  }\n}',
      '{\n  "mcpServers": {\n    "a": 1, // a, b\n    "x": {\n      "b": [\n        1\n      ]\n    }\n  }\n}',
    ],
    [
      '{\n  "mcpServers": {\n    "a": 1 /* two\n lines */\n  }\n}',
      '{\n  "mcpServers": {\n    "a": 1, /* two\n lines */\n    "x": {\n      "b": [\n        1\n      ]\n    }\n  }\n}',
    ],
    [
      '{\n  "mcpServers": {\n    // none yet\n  }\n}',
      '{\n  "mcpServers": {\n    // none yet\n    "x": {\n      "b": [\n        1\n      ]\n    }\n  }\n}',
    ],
  ])('gets a value where it belongs: %j', (text, changed) => {
    expect(change(text, { b: [1] }).replaceAll('"b": [1]', '"b":[1]')).toBe(changed.replaceAll('"b": [1]', '"b":[1]'));
  });

  it('is made of nothing, of an empty object, and of comments', () => {
    for (const text of ['', '\n', '{}', '{ }', '// only words\n', '// only words'])
      expect(read(change(text, { a: 1 }))).toEqual({ mcpServers: { x: { a: 1 } } });
  });

  it.each([
    [
      '{\n  "mcpServers": {\n    // keep\n    "a": {}, // of a\n    "x": {} // of x\n  }\n}\n',
      '{\n  "mcpServers": {\n    // keep\n    "a": {} // of a\n  }\n}\n',
    ],
    ['{"mcpServers": {"a": 1, "x": 2}}', '{"mcpServers": {"a": 1 }}'],
    ['{"mcpServers": {"x": 2, "a": 1}}', '{"mcpServers": {"a": 1}}'],
    ['{"mcpServers": {"x": 2}}', '{"mcpServers": {}}'],
    ['{\n  "mcpServers": {\n    "x": {}\n  }\n}', '{\n  "mcpServers": {}\n}'],
    ['{\n  "mcpServers": {\n    // why\n    "x": {}\n  }\n}', '{\n  "mcpServers": {\n    // why\n  }\n}'],
    ['{"mcpServers": {"a": 1}}', '{"mcpServers": {"a": 1}}'],
    ['{}', '{}'],
  ])('loses only what is removed: %j', (text, changed) => {
    expect(change(text, undefined)).toBe(changed);
  });

  it.each(['{"a"', '[]', '7', '{"mcpServers": "x"}'])('is left alone where it is broken: %s', (text) => {
    expect(edit(text, {})).toHaveProperty('problem');
  });

  it('has what was written, all that it had, and its comments, whatever the names', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__');
    const object = fc.dictionary(name, fc.dictionary(name, fc.string(), { noNullPrototype: true }), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(object, name, fc.constantFrom(0, 1, 2, 4), fc.boolean(), (servers, alias, indent, isCommented) => {
        const plain = JSON.stringify({ mcpServers: servers, z: 1 }, null, indent);
        // A comment at the end of every line.
        const text = isCommented ? plain.replaceAll('\n', ' // "}{,\n') : plain;
        const added = change(text, { command: 'x' }, ['mcpServers', alias]);
        const count = (each: string): number => each.split(' // "}{,\n').length;
        expect(read(added)).toEqual({ mcpServers: { ...servers, [alias]: { command: 'x' } }, z: 1 });
        if (!Object.hasOwn(servers, alias)) expect(count(added)).toBe(count(text));
        const removed = change(added, undefined, ['mcpServers', alias]);
        const { [alias]: _, ...others } = servers;
        const errors: parser.ParseError[] = [];
        expect(parser.parse(removed, errors)).toEqual({ mcpServers: others, z: 1 });
        expect(errors).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('writing a setting', () => {
  it('makes a file that only its owner reads, and changes it', async () => {
    await write({ command: 'x' });
    await write({ command: 'y' });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { x: { command: 'y' } } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['settings.json']);
  });

  it('loses nothing when many write at once', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `s${index}`);
    await Promise.all(
      names.map((name) => writeSetting({ file, at: ['mcpServers', name], value: {}, environment: {} })),
    );
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).mcpServers).sort()).toEqual(names);
  });

  it('follows the person’s link and leaves a file alone that others may write', async () => {
    const real = path.join(folder, 'real.json');
    await writeFile(real, '{}', { mode: 0o600 });
    await symlink(real, file);
    await write({});
    expect(await readlink(file)).toBe(real);
    expect(await readFile(real, 'utf8')).toContain('mcpServers');
    await chmod(real, 0o666);
    await expect(write({})).rejects.toThrow(/left as it is.*chmod 600/);
    expect((await readdir(folder)).sort()).toEqual(['real.json', 'settings.json']);
  });

  it('is for people, not for commands of an agent', async () => {
    await expect(write({}, { environment: { TENON: '1' } })).rejects.toThrow('Only a person changes settings');
    expect(await readdir(folder)).toEqual([]);
  });

  it('in a project keeps the mode, makes the folder, and follows no link', async () => {
    const root = path.join(folder, 'project');
    const inProject = path.join(root, '.tenon', 'settings.json');
    const put = (): Promise<void> => write({}, { file: inProject, projectRoot: root });
    await put();
    await chmod(inProject, 0o640);
    await put();
    expect((await stat(inProject)).mode & 0o777).toBe(0o640);
    await rm(path.join(root, '.tenon'), { recursive: true });
    await mkdir(path.join(folder, 'elsewhere'));
    await symlink(path.join(folder, 'elsewhere'), path.join(root, '.tenon'));
    await expect(put()).rejects.toThrow('is a link');
    expect(await readdir(path.join(folder, 'elsewhere'))).toEqual([]);
  });
});
