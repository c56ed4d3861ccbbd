import { describe, expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.js';
import { fitWindow, type NumberedWindow } from './fit-window.js';
import { numberLines } from './numbered-lines.js';

const whole = { startColumn: 0, cutColumn: undefined, nextOffset: undefined };

describe('fitWindow', () => {
  it('drops lines at the end until the numbered text fits, and says where to go on', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `漢字 ${index}`);
    const window: NumberedWindow = fitWindow({ ...whole, lines }, { offset: 7, maxBytes: 100_000, maxTokens: 500 });
    expect(window.nextOffset).toBe(7 + window.lines.length);
    expect(estimateTokens(numberLines(window.lines, 8))).toBeLessThanOrEqual(500);
    expect(estimateTokens(numberLines(lines.slice(0, window.lines.length + 1), 8))).toBeGreaterThan(495);
  });

  it('counts no numbers for lines that are given without them', () => {
    const lines = ['1', '2', '3'];
    const limits = { offset: 0, maxBytes: 6, maxTokens: 99 };
    expect(fitWindow({ ...whole, lines }, { ...limits, numbered: false }).lines).toEqual(lines);
    expect(fitWindow({ ...whole, lines }, limits).lines).toEqual(['1']);
  });

  it('cuts a first line that is over the limit alone, between characters', () => {
    const window = fitWindow(
      { ...whole, lines: ['😀'.repeat(100)], startColumn: 40 },
      { offset: 0, maxBytes: 50, maxTokens: 99 },
    );
    expect(window.lines).toEqual(['😀'.repeat(11)]);
    expect(window.cutColumn).toBe(40 + 44);
  });

  it('goes on after the bytes of the file where one is shown as a character of three', () => {
    const window: NumberedWindow = {
      ...whole,
      lines: ['\ufffd'.repeat(100)],
      startColumn: 40,
      bytesOfStart: (units) => units,
    };
    const fitted = fitWindow(window, { offset: 0, maxBytes: 50, maxTokens: 99 });
    expect(fitted.cutColumn).toBe(40 + (fitted.lines[0]?.length ?? 0));
  });
});
