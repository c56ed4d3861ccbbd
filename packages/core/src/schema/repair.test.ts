import { describe, expect, it } from 'vitest';
import { repairArguments, type RepairAnswer } from './repair.js';

const SCHEMA = {
  type: 'object',
  properties: {
    absolute_path: { type: 'string' },
    limit: { type: 'integer' },
    ratio: { type: 'number' },
    all: { type: 'boolean' },
    version: { type: 'string' },
    ignore: { type: 'array', items: { type: 'string' } },
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          old_string: { type: 'string' },
          line: { type: 'integer' },
          lines: { type: 'array', items: { type: 'integer' } },
        },
        additionalProperties: false,
      },
    },
    options: { type: 'object', properties: { deep: { type: 'boolean' } } },
    env: { type: 'object', additionalProperties: { type: 'string' } },
    content: { type: 'string' },
    command: { type: ['string', 'array'] },
  },
  required: ['absolute_path'],
  additionalProperties: false,
};
const ALIASES = { file_path: 'absolute_path', path: 'absolute_path' };
const VERBATIM = ['command', 'content', 'old_string', 'new_string'];

const repair = (argumentsText: string): RepairAnswer =>
  repairArguments({ schema: SCHEMA, argumentsText, aliases: ALIASES, verbatim: VERBATIM });

/** With the required path added, which is not what the tests are about. */
const repairOf = (fields: string): RepairAnswer => repair(`{"absolute_path":"/a",${fields}}`);

const read = (fields: object, ...repairs: string[]): RepairAnswer => ({
  ok: true,
  value: { absolute_path: '/a', ...fields },
  repairs,
});

describe('repairArguments reads the text', () => {
  it('leaves valid arguments as they are (S25)', () => {
    expect(repairOf('"limit":5,"ignore":["5"],"content":"true"')).toEqual(
      read({ limit: 5, ignore: ['5'], content: 'true' }),
    );
  });

  it.each([
    ['a fence', '```json\n{"absolute_path":"/a"}\n```', 'The Markdown fence around the arguments was left out.'],
    ['a fence on one line', '```{"absolute_path":"/a"}```', 'The Markdown fence around the arguments was left out.'],
    ['a comma too many', '{"absolute_path":"/a",}', 'A comma before a closing bracket was left out.'],
    [
      'an object encoded twice',
      '"{\\"absolute_path\\":\\"/a\\"}"',
      'The arguments were a string that holds an object, read as the object.',
    ],
  ])('overlooks %s', (_fact, text, sentence) => {
    expect(repair(text)).toEqual(read({}, sentence));
  });

  it('reads nothing at all as no arguments', () => {
    expect(repair('  \n')).toEqual({ ok: true, value: {}, repairs: ['The arguments were empty, read as {}.'] });
    expect(repair('null')).toEqual({ ok: true, value: {}, repairs: ['The arguments were null, read as {}.'] });
  });

  it('keeps commas and fences inside strings', () => {
    const text = '```json\n{"absolute_path":"/a","content":"```\\n[1,]\\n```",}\n```';
    const answer = repair(text);
    expect(answer.ok && answer.value).toEqual({ absolute_path: '/a', content: '```\n[1,]\n```' });
  });

  it('names line and column in the text as it was sent', () => {
    const answer = repair('```json\n{"absolute_path": /a}\n```');
    expect(answer).toEqual({ ok: false, message: expect.stringContaining('line 2, column 19') });
  });

  it('says that the arguments were cut off', () => {
    const answer = repair('{"absolute_path":"/a","content":"half a fi');
    expect(answer).toEqual({ ok: false, message: expect.stringContaining('were cut off after 42 characters') });
  });

  it('refuses what is no object', () => {
    expect(repair('[1,2]')).toEqual({ ok: false, message: expect.stringContaining('were an array of 2 items') });
    expect(repair('"/a/b"')).toEqual({ ok: false, message: expect.stringContaining('were the string "/a/b"') });
    expect(repair('""')).toEqual({ ok: false, message: expect.stringContaining('were the string ""') });
  });

  it('refuses 10,000 levels and shows little of 5 MB', () => {
    const deep = `{"absolute_path":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    expect(repair(deep)).toEqual({ ok: false, message: expect.stringContaining('levels deep') });
    const long = repair(`{"absolute_path":"${'x'.repeat(5_000_000)}" 1}`);
    expect(!long.ok && long.message.length).toBeLessThan(400);
  });

  it('reads 5 MB of white space within a fence at once', () => {
    const answer = repair(`\`\`\`json\n{"absolute_path":"/a"${' '.repeat(5_000_000)},}\n\`\`\``);
    expect(answer.ok && answer.value).toEqual({ absolute_path: '/a' });
  });
});

describe('repairArguments knows other names', () => {
  it('takes an alias for the declared name (K12)', () => {
    expect(repair('{"file_path":"/a","limit":1}')).toEqual(
      read({ limit: 1 }, '`file_path` was read as `absolute_path`.'),
    );
  });

  it('drops an alias that repeats the declared parameter and refuses one that differs', () => {
    expect(repairOf('"path":"/a"')).toEqual(read({}, '`path` was left out: it repeats `absolute_path`.'));
    expect(repairOf('"path":"/b"')).toEqual({
      ok: false,
      message:
        '`absolute_path` was the string "/a" and `path`, another name for it, was the string "/b". Send `absolute_path` only.',
    });
    expect(repair('{"path":"/b","file_path":"/a"}').ok).toBe(false);
  });

  it('keeps the alias even when something else is wrong, so that the message speaks of that', () => {
    expect(repair('{"path":"/a","limit":"x"}')).toEqual(read({ limit: 'x' }, '`path` was read as `absolute_path`.'));
  });

  it('does not take a declared parameter for an alias', () => {
    const schema = { type: 'object', properties: { path: { type: 'string' }, file: { type: 'string' } } };
    const answer = repairArguments({ schema, argumentsText: '{"path":"a"}', aliases: { path: 'file' }, verbatim: [] });
    expect(answer).toEqual({ ok: true, value: { path: 'a' }, repairs: [] });
  });

  it('takes another case or other underscores, for required and optional names and further in', () => {
    expect(repair('{"absolutePath":"/a"}')).toEqual(read({}, '`absolutePath` was read as `absolute_path`.'));
    expect(repairOf('"Limit":1')).toEqual(read({ limit: 1 }, '`Limit` was read as `limit`.'));
    expect(repairOf('"edits":[{"oldString":"5"}]')).toEqual(
      read({ edits: [{ old_string: '5' }] }, '`edits/0/oldString` was read as `edits/0/old_string`.'),
    );
  });

  it('does not choose between two names that are as near', () => {
    expect(repairOf('"LIMIT":1,"Limit":2')).toEqual(read({ LIMIT: 1, Limit: 2 }));
    const schema = { type: 'object', properties: { a_b: {}, ab: {} }, additionalProperties: false };
    const answer = repairArguments({ schema, argumentsText: '{"AB":1}', aliases: {}, verbatim: [] });
    expect(answer).toEqual({ ok: true, value: { AB: 1 }, repairs: [] });
  });

  it('reads names of built-in properties as plain names', () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"integer"},"constructor":{"type":"boolean"}}}',
    );
    const argumentsText = '{"__proto__":"5","constructor":"true"}';
    const answer = repairArguments({ schema: schema as object, argumentsText, aliases: {}, verbatim: [] });
    expect(answer.ok && JSON.stringify(answer.value)).toBe('{"__proto__":5,"constructor":true}');
    expect(
      repairArguments({ schema: SCHEMA, argumentsText: '{"toString":1}', aliases: ALIASES, verbatim: [] }),
    ).toEqual({
      ok: true,
      value: { toString: 1 },
      repairs: [],
    });
  });
});

describe('repairArguments repairs values', () => {
  it.each([
    ['a number in a string', '"limit":"5"', { limit: 5 }, '`limit` was the string "5", read as 5.'],
    ['a fraction in a string', '"ratio":"-0.25"', { ratio: -0.25 }, '`ratio` was the string "-0.25", read as -0.25.'],
    ['a boolean in a string', '"all":"true"', { all: true }, '`all` was the string "true", read as true.'],
    [
      'one value for a list',
      '"ignore":"a"',
      { ignore: ['a'] },
      '`ignore` was the string "a", read as an array of this one item.',
    ],
    [
      'a list in a string',
      '"ignore":"[\\"a\\"]"',
      { ignore: ['a'] },
      '`ignore` was a string of JSON, read as an array of 1 item.',
    ],
    [
      'an object in a string',
      '"options":"{}"',
      { options: {} },
      '`options` was a string of JSON, read as an empty object.',
    ],
    [
      'an object for a list',
      '"edits":{"line":1}',
      { edits: [{ line: 1 }] },
      '`edits` was an object with "line", read as an array of this one item.',
    ],
    ['null for an optional parameter', '"limit":null', {}, '`limit` was null, read as left out.'],
    [
      'a number for a string',
      '"version":20',
      { version: '20' },
      '`version` was the number 20, read as the string "20".',
    ],
    [
      'a boolean for a string',
      '"version":true',
      { version: 'true' },
      '`version` was the boolean true, read as the string "true".',
    ],
  ])('reads %s', (_fact, fields, expected, sentence) => {
    expect(repairOf(fields)).toEqual(read(expected, sentence));
  });

  it.each([
    '"limit":"05"',
    '"limit":"5.0"',
    '"limit":" 5"',
    '"limit":"1e3"',
    '"limit":"-0"',
    '"limit":""',
    '"limit":"9007199254740993"',
    '"limit":5.5',
    '"limit":true',
    '"all":"True"',
    '"all":1',
    '"version":5.0',
    '"version":1e2',
    '"version":12345678901234567890',
    '"version":null,"limit":"x"',
    '"env":{"A":null}',
    '"options":"{\\"deep\\":12345678901234567890}"',
    '"edits":"[{\\"line\\":12345678901234567890}]"',
    '"version":["a"]',
  ])('does not touch what it could only guess: %s', (fields) => {
    expect(repairOf(fields)).toEqual({
      ok: true,
      value: JSON.parse(`{"absolute_path":"/a",${fields}}`) as object,
      repairs: [],
    });
  });

  it('repairs further in, in several steps', () => {
    expect(repairOf('"edits":"[{\\"line\\":\\"5\\",\\"lines\\":7}]"')).toEqual(
      read(
        { edits: [{ line: 5, lines: [7] }] },
        '`edits` was a string of JSON, read as an array of 1 item.',
        '`edits/0/line` was the string "5", read as 5.',
        '`edits/0/lines` was the number 7, read as an array of this one item.',
      ),
    );
  });

  it('looks up how a number was written under the name it had', () => {
    const schema = { type: 'object', properties: { my_version: { type: 'string' } }, additionalProperties: false };
    const of = (argumentsText: string): RepairAnswer =>
      repairArguments({ schema, argumentsText, aliases: {}, verbatim: [] });
    expect(of('{"myVersion":5}')).toMatchObject({ value: { my_version: '5' } });
    expect(of('{"myVersion":5.0}')).toEqual({ ok: true, value: { myVersion: 5 }, repairs: [] });
    expect(of('{"my_version":5,"my_version":5.0}')).toMatchObject({ value: { my_version: 5 }, repairs: [] });
  });

  it('never touches a verbatim property, at any depth', () => {
    for (const fields of [
      '"content":5',
      '"content":null',
      '"command":5',
      '"edits":[{"old_string":5}]',
      '"content":["a"]',
    ]) {
      expect(repairOf(fields)).toEqual({
        ok: true,
        value: JSON.parse(`{"absolute_path":"/a",${fields}}`) as object,
        repairs: [],
      });
    }
    expect(repairOf('"content":"{\\"a\\":1}","limit":"5"')).toMatchObject({ value: { content: '{"a":1}', limit: 5 } });
  });

  it('makes no repair when one problem would be left', () => {
    expect(repairOf('"limit":"5","ratio":"x"')).toEqual(read({ limit: '5', ratio: 'x' }));
  });

  it('lists ten repairs and counts the rest', () => {
    const items = Array.from({ length: 15 }, (_, index) => String(index));
    const answer = repairOf(`"ignore":[${items.join(',')}]`);
    expect(answer.ok && answer.value).toMatchObject({ ignore: items });
    expect(answer.ok && answer.repairs).toHaveLength(11);
    expect(answer.ok && answer.repairs.at(-1)).toBe('5 more values or names were read in the same way.');
  });

  it('gives up on a value with very many problems instead of taking long', () => {
    const text = JSON.stringify({ absolute_path: '/a', ignore: Array.from({ length: 200_000 }, () => 1) });
    const answer = repair(text);
    expect(answer.ok && answer.repairs).toEqual([]);
  });

  it('leaves a broken schema to the validator', () => {
    const answer = repairArguments({
      schema: { $ref: '#/x', $schema: 'urn:x' },
      argumentsText: '{"a":"1"}',
      aliases: {},
      verbatim: [],
    });
    expect(answer).toEqual({ ok: true, value: { a: '1' }, repairs: [] });
  });
});
