import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyReader, type TerminalReply } from './decode-keys.js';
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
