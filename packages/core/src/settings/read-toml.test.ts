import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../util/failure.js';
import { readToml } from './read-toml.js';

const plain = (text: string): unknown => JSON.parse(JSON.stringify(readToml(text)));
const refusal = (text: string): string => {
  try {
    readToml(text);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'toml') return thrown.message;
    throw thrown;
  }
  return 'was read';
};

const FILE = String.raw`# as people have it
model = "m" # behind a value
"quoted key" = 'C:\no\escapes'
notify = [ "a", # in a list
  "b", ]
long = """
One \
   line, "quotes" and ""two"".
"""
raw = '''a\b'''
since = 1979-05-27 07:32:00Z
numbers = [ 1_000, -2.5e3, 0xff, 0b11, true ]

[projects."/home/x"]
trust_level = "trusted"

[mcp_servers.docs]
command = "npx"
env = { "A" = "1", b.c = "2" }
[mcp_servers.docs.http_headers]
X = "\u00e9\t\""

[[list.of]]
n = 1
[[list.of]]
n = 2
[list.of.sub]
deep = true
`;

describe('a file in TOML', () => {
  it('is read as data, with every form of text, number, list and table', () => {
    expect(plain(FILE)).toEqual({
      model: 'm',
      'quoted key': String.raw`C:\no\escapes`,
      notify: ['a', 'b'],
      long: 'One line, "quotes" and ""two"".\n',
      raw: String.raw`a\b`,
      since: '1979-05-27 07:32:00Z',
      numbers: [1000, -2500, 255, 3, true],
      projects: { '/home/x': { trust_level: 'trusted' } },
      mcp_servers: { docs: { command: 'npx', env: { A: '1', b: { c: '2' } }, http_headers: { X: 'é\t"' } } },
      list: { of: [{ n: 1 }, { n: 2, sub: { deep: true } }] },
    });
    expect(plain(FILE.replaceAll('\n', '\r\n'))).toMatchObject({ model: 'm', notify: ['a', 'b'] });
    expect(Object.keys(readToml('__proto__.x = 1'))).toEqual(['__proto__']);
    expect(plain('a = """x"""""')).toEqual({ a: 'x""' });
  });

  it.each([
    ['a = 1\nb = yes', 'line 2: the value is none that is understood: a text goes in quotes'],
    ['a = 012', 'line 1: the value is none that is understood: a text goes in quotes'],
    ['a = "s3cret', 'line 1: a text has no end'],
    ['\na = """s3cret\n\n', 'line 2: a text that begins here has no end'],
    ['a = "\\q"', 'line 1: a text has a backslash before something that it does not go with'],
    ['a = "\\ud800"', 'line 1: a text has a backslash before something that it does not go with'],
    ['a = "\u0001"', 'line 1: a text holds a control character'],
    ['a = 1 b = 2', 'line 1: more stands there than a name and its value'],
    ['a = 1\na = 2', 'line 2: this name stands there twice'],
    ['a = {b = 1}\na.c = 2', 'line 2: this name is taken already'],
    ['a = {b = 1}\n[a.c]', 'line 2: a table has a name that is taken already'],
    ['[a]\n[a]', 'line 2: this table stands there twice'],
    ['a = 1\n[[a]]', 'line 2: this name is taken already'],
    ['a = [1 2]', 'line 1: "," or "]" is expected in a list'],
    ['a = {b = 1', 'line 1: "," or "}" is expected'],
    ['[a', 'line 1: the end of the name of the table is expected'],
    ['= 1', 'line 1: a name is expected'],
    [`a = ${'['.repeat(200)}`, 'line 1: this is nested too deeply'],
  ])('is refused with the line and nothing of it: %j', (text, message) => {
    expect(refusal(text)).toBe(message);
  });

  it('gives back what was written, whatever the names and texts are', () => {
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'grapheme' }),
        fc.integer(),
        fc.boolean(),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    const table = fc.dictionary(fc.string(), fc.dictionary(fc.string(), value, { maxKeys: 4 }), { maxKeys: 4 });
    fc.assert(
      fc.property(table, (tables) => {
        const text = Object.entries(tables).map(
          ([name, members]) =>
            `[${basic(name)}]\n${Object.entries(members)
              .map(([key, one]) => `${basic(key)} = ${written(one)} # x\n`)
              .join('')}`,
        );
        expect(plain(text.join(''))).toEqual(JSON.parse(JSON.stringify(tables)));
      }),
    );
  });

  it('is read or refused, whatever stands in it', () => {
    const piece = fc.constantFrom('[', ']', '{', '}', '=', '.', ',', '"', "'", '"""', '\\', '\n', '#', 'a', '1', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(refusal(pieces.join(''))).toMatch(/^(was read|line \d+: [^\n]+)$/);
      }),
    );
  });
});

/** As JSON has it, but that every control character is escaped in a form that TOML knows. */
function basic(text: string): string {
  return `"${Array.from(text)
    .map((letter) =>
      /["\\\p{Cc}\p{Cs}]/u.test(letter) ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
    )
    .join('')}"`;
}

function written(value: unknown): string {
  if (typeof value === 'string') return basic(value);
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, one]) => `${basic(key)} = ${written(one)}`);
  return `{${members.join(', ')}}`;
}
