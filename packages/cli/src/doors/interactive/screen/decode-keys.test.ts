import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyReader, type KeyReader, type TerminalReply } from './decode-keys.js';
import type { Key } from './panel.js';

async function read(...chunks: readonly string[]): Promise<{ keys: Key[]; replies: TerminalReply[] }> {
  const keys: Key[] = [];
  const replies: TerminalReply[] = [];
  const reader = createKeyReader(
    (key) => keys.push(key),
    (reply) => replies.push(reply),
  );
  for (const chunk of chunks) reader.push(chunk);
  // An Escape alone is known as such when nothing follows it.
  await new Promise((resolve) => setTimeout(resolve, 40));
  return { keys, replies };
}

/** Opens a reader for keys that depend on a pause: `next` waits for that many keys in all, however long it takes. */
function open(): { keys: KeyReader; next: (count: number) => Promise<readonly Key[]> } {
  const seen: Key[] = [];
  let changed = (): void => undefined;
  const keys = createKeyReader(
    (key) => {
      seen.push(key);
      changed();
    },
    () => undefined,
  );
  return {
    keys,
    async next(count) {
      while (seen.length < count) await new Promise<void>((resolve) => (changed = resolve));
      return seen;
    },
  };
}

async function namesOf(...chunks: readonly string[]): Promise<string[]> {
  return (await read(...chunks)).keys.map(({ name }) => name);
}

describe('keys', () => {
  test('have the names that bindings use', async () => {
    expect(await namesOf('a', '\r', '\u0003', '\u001b[Z', '\u001b[A', '\u001b[5~', '\u007f')).toEqual([
      'a',
      'enter',
      'ctrl+c',
      'shift+tab',
      'up',
      'pageUp',
      'backspace',
    ]);
    expect(await namesOf('\u001b')).toEqual(['escape']);
    expect(await namesOf('\u001b\r', '\u001b[13;2u', '\u001b[27;2;13~')).toEqual([
      'alt+enter',
      'shift+enter',
      'shift+enter',
    ]);
  });

  test('that type something say what, whole characters, however they were cut on their way', async () => {
    const { keys } = await read('é', '😀', 'ß');
    expect(keys.map(({ text }) => text)).toEqual(['é', '😀', 'ß']);
  });

  test('typed quickly are one key each, the Enter behind them too', async () => {
    expect(await namesOf('ls\r')).toEqual(['l', 's', 'enter']);
  });

  test('a marked paste is one key with its text, wherever its marks are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[a-z \r\n\t]{1,60}$/),
        fc.array(fc.nat(80), { maxLength: 4 }),
        async (text, cuts) => {
          const whole = `x\u001b[200~${text}\u001b[201~y`;
          const places = [...new Set(cuts.filter((cut) => cut < whole.length)), whole.length].toSorted((a, b) => a - b);
          const chunks = places.map((place, index) => whole.slice(places[index - 1] ?? 0, place));
          const { keys } = await read(...chunks.filter((chunk) => chunk !== ''));
          expect(keys.map(({ name }) => name)).toEqual(['x', 'paste', 'y']);
          expect(keys[1]?.text).toBe(text.replaceAll(/\r\n?/g, '\n'));
        },
      ),
      { numRuns: 20 },
    );
  });

  test('an end mark that is lost ends a paste after a pause, and what follows are keys', async () => {
    const { keys, next } = open();
    keys.push('\u001b[200~one\rtwo');
    await next(1);
    // The end mark comes late.
    keys.push('\u001b[201~');
    keys.push('\r');
    expect(await next(2)).toEqual([
      { name: 'paste', text: 'one\ntwo', raw: 'one\rtwo' },
      { name: 'enter', text: '', raw: '\r' },
    ]);
  });

  test.each([
    ['\u0003', 1],
    ['\u0003\u0003', 2],
    ['\u001b[99;5u', 1],
    ['\u001b[27;5;99~', 1],
  ])('Ctrl-C (%j) ends a paste without an end mark at once', async (interrupt, times) => {
    const { keys, next } = open();
    keys.push('\u001b[200~unfinished');
    keys.push(interrupt);
    keys.push('x');
    const names = (await next(times + 2)).map(({ name }) => name);
    expect(names).toEqual(['paste', ...Array.from({ length: times }, () => 'ctrl+c'), 'x']);
  });

  test('a Ctrl-C within the text of a paste is part of it', async () => {
    const { keys } = await read('\u001b[200~a\u0003b\u001b[201~');
    expect(keys.map(({ text }) => text)).toEqual(['a\u0003b']);
  });

  test.each([
    ['A\u001b[13;1uB\u001b[13uC', 'A\nB\nC'],
    ['A\u001b[106;5uB\u001b[109;5uC', 'A\nB\nC'],
    ['A\u001b[10;1uB', 'A\nB'],
    ['A\u001b[27;1;13~B\u001b[27;5;106~C', 'A\nB\nC'],
    ['A\u001b[13;1:1uB', 'A\nB'],
    ['A\u001b[9;1uB\u001b[105;5uC', 'A\tB\tC'],
    ['A\u001b[32;2uB\u001b[65;2uC\u001b[228;1u', 'A BACä'],
    ['A\u001b[13;5uB', 'A\u001b[13;5uB'],
    ['\u001b[1mbold\u001b[0m', '\u001b[1mbold\u001b[0m'],
    ['\u001b[9999999;1u', '\u001b[9999999;1u'],
  ])('characters of a paste that come as keys (%j) are characters', async (text, pasted) => {
    const { keys } = await read(`\u001b[200~${text}\u001b[201~`);
    expect(keys.map(({ name, text: shown }) => [name, shown])).toEqual([['paste', pasted]]);
  });

  test('lines that come at once were pasted, whatever their ends come as', async () => {
    const { keys } = await read('AAA\u001b[13;1uBBB\u001b[13;1uCCC');
    expect(keys.map(({ name, text }) => [name, text])).toEqual([['paste', 'AAA\nBBB\nCCC']]);
    expect(await namesOf('\u001b[13;1u')).toEqual(['enter']);
  });

  test('lines that come at once were pasted, also where the terminal does not mark it', async () => {
    const { keys } = await read('rm -rf x\rgit push\r');
    expect(keys).toEqual([{ name: 'paste', text: 'rm -rf x\ngit push\n', raw: 'rm -rf x\rgit push\r' }]);
  });

  test('answers of the terminal are no keys', async () => {
    const { keys, replies } = await read(
      '\u001b]11;rgb:ffff/8080/0000\u001b\\',
      '\u001b[?62;22c',
      '\u001b[12;40R',
      '\u001b[I',
    );
    expect(keys).toEqual([]);
    expect(replies).toEqual([
      { kind: 'background', rgb: [255, 128.49803921568628, 0].map((value) => expect.closeTo(value, 0)) },
    ]);
  });

  test('a megabyte is read in well under a second', async () => {
    const text = 'some words of a text\n'.repeat(50_000);
    const chunks = Array.from({ length: Math.ceil(text.length / 65_536) }, (_, index) =>
      text.slice(index * 65_536, (index + 1) * 65_536),
    );
    const { keys } = await read(`\u001b[200~${chunks[0] ?? ''}`, ...chunks.slice(1), '\u001b[201~');
    expect(keys.map(({ text: pasted }) => pasted.length)).toEqual([text.length]);
  });
});
