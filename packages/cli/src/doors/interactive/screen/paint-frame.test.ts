import { makeSafe, type Safe } from '@tenon/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Frame } from './panel.js';
import { NOTHING_DRAWN, paintFrame, paintRemoval } from './paint-frame.js';
import { emulateTerminal } from './testing/emulated-terminal.js';

const COLUMNS = 20;
const ROWS = 8;

const safeLines = (lines: readonly string[]): Safe[] => lines.map((line) => makeSafe(line));

const line = fc.stringMatching(/^[a-z][a-z0-9]{0,19}$/);
const step = fc.record({
  printed: fc.array(line, { maxLength: 12 }),
  lines: fc.array(line, { minLength: 1, maxLength: ROWS }),
  cursorAt: fc.option(fc.nat(ROWS - 1), { nil: undefined }),
});

function frameOf(lines: readonly string[], cursorAt: number | undefined): Frame {
  const row = cursorAt === undefined ? undefined : Math.min(cursorAt, lines.length - 1);
  const column = row === undefined ? 0 : Math.min(lines[row]?.length ?? 0, COLUMNS - 1);
  return { lines: safeLines(lines), ...(row === undefined ? {} : { cursor: { row, column } }) };
}

describe('a frame', () => {
  test('leaves all that was printed, once and in order, with the live part below it and the cursor in its place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const terminal = emulateTerminal(COLUMNS, ROWS);
        let drawn = NOTHING_DRAWN;
        const all: string[] = [];
        for (const { printed, lines, cursorAt } of steps) {
          const frame = frameOf(lines, cursorAt);
          const painted = paintFrame(drawn, safeLines(printed), frame);
          terminal.write(painted.bytes);
          drawn = painted.drawn;
          all.push(...printed);
          await terminal.settled();
          expect(terminal.text()).toEqual([...all, ...lines]);
          if (frame.cursor !== undefined) {
            const { row, column } = terminal.cursor();
            expect(column).toBe(frame.cursor.column);
            expect(terminal.visible()[row]).toBe(lines[frame.cursor.row]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('that is the same as the last one writes nothing, and one with another row writes that row alone', () => {
    const frame = frameOf(['one', 'two', 'three'], 2);
    const first = paintFrame(NOTHING_DRAWN, [], frame);
    expect(paintFrame(first.drawn, [], frame).bytes).toBe('');
    const { bytes } = paintFrame(first.drawn, [], frameOf(['one', 'TWO', 'three'], 2));
    expect(bytes).toContain('TWO');
    expect(bytes).not.toContain('one');
    expect(bytes).not.toContain('three');
  });

  test('never clears the screen from its first row down, which some terminals would move into the scrollback', () => {
    const whole = Array.from({ length: ROWS }, (_, row) => `row ${row}`);
    const { drawn } = paintFrame(NOTHING_DRAWN, [], frameOf(whole, undefined));
    const smaller = paintFrame(drawn, safeLines(['printed']), frameOf(['> typed'], 0)).bytes;
    for (const bytes of [smaller, paintRemoval(drawn, COLUMNS)])
      expect(bytes.indexOf('\u001b[J')).toBeGreaterThan(bytes.indexOf('\u001b[B'));
    expect(smaller).toContain('\u001b[J');
  });

  test('is taken off a terminal that became narrower, with the rows that it wrapped, and what is above it stays', async () => {
    for (const columns of [7, 10, 13, 25]) {
      const terminal = emulateTerminal(COLUMNS, 12);
      const painted = paintFrame(
        NOTHING_DRAWN,
        safeLines(['kept']),
        frameOf(['a'.repeat(19), 'b'.repeat(15), '> typed'], 2),
      );
      terminal.write(painted.bytes);
      await terminal.settled();
      terminal.resize(columns, 12);
      terminal.write(paintRemoval(painted.drawn, columns));
      terminal.write(paintFrame(NOTHING_DRAWN, [], frameOf(['> typed'], 0)).bytes);
      await terminal.settled();
      expect(terminal.text()).toEqual(['kept', '> typed']);
    }
  });
});
