import { execFileSync } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import { ODD_BYTES } from './odd-bytes.js';

const workspace = await createTempWorkspace();
afterAll(async () => workspace.remove());

/** Numbers of the lines in which ripgrep finds odd bytes. */
function oddLines(content: Buffer): number[] {
  writeFileSync(workspace.path('file'), content);
  const args = ['--no-config', '-a', '-i', '--line-number', '-o', '-e', ODD_BYTES, './file'];
  try {
    const out = execFileSync(rgPath, args, { cwd: workspace.root, maxBuffer: 1 << 28, encoding: 'latin1' });
    return Array.from(new Set(Array.from(out.matchAll(/^(\d+):/gm), (match) => Number(match[1]))));
  } catch (thrown) {
    if (thrown instanceof Error && 'status' in thrown && thrown.status === 1) return [];
    throw thrown;
  }
}

/** The bounds of every range that UTF-8 knows, and a few others. */
const EDGES = [
  0x00, 0x01, 0x0d, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
  0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
];

function isOdd(line: Buffer): boolean {
  return !isUtf8(line) || line.includes(0) || line.includes('\x1b$B') || line.includes('\x1b$@');
}

describe('ODD_BYTES', () => {
  it('matches within every line that is not UTF-8, has a NUL or turns to Japanese, and in no other', () => {
    const byte = fc.oneof(fc.constantFrom(...EDGES), fc.integer({ min: 0, max: 255 }));
    const damage = fc.array(byte, { maxLength: 5 }).map((values) => Buffer.from(values));
    const sound = fc.string({ unit: 'binary', maxLength: 4 }).map((text) => Buffer.from(text, 'utf8'));
    const escapes = fc.string({ unit: fc.constantFrom('\x1b', '$', 'B', '@', '(', '[', '1', 'm'), maxLength: 4 });
    const sequence = escapes.map((text) => Buffer.from(text, 'utf8'));
    const line = fc
      .array(fc.oneof(damage, sound, sound, sequence), { maxLength: 4 })
      .map((pieces) => Buffer.from(Buffer.concat(pieces).filter((value) => value !== 10)));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1_000, maxLength: 1_000 }), fc.boolean(), (lines, endsInBreak) => {
        // A mark at the beginning would have the file read as UTF-16.
        const all = [Buffer.from('first'), ...lines];
        const content = Buffer.concat(all.flatMap((text) => [text, Buffer.from('\n')]));
        const expected = all.flatMap((text, index) => (isOdd(text) ? [index + 1] : []));
        expect(oddLines(endsInBreak ? content : content.subarray(0, -1))).toEqual(expected);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('knows all beginnings of two, three and four bytes', () => {
    const lines = EDGES.flatMap((first) =>
      EDGES.flatMap((second) => [
        [first, second],
        ...EDGES.flatMap((third) => [
          [first, second, third],
          ...[0x41, 0x80, 0xbf, 0xc2].map((last) => [first, second, third, last]),
        ]),
      ]),
    ).map((values) => Buffer.from(values));
    const content = Buffer.concat([Buffer.from('first\n'), ...lines.flatMap((text) => [text, Buffer.from('\n')])]);
    const expected = lines.flatMap((text, index) => (isOdd(text) ? [index + 2] : []));
    expect(oddLines(content)).toEqual(expected);
  });
});
