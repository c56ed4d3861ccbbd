import { describe, expect, it } from 'vitest';
import { createPainter, joinSafe, makeSafe, safeText, type Safe } from '@tenon/core';
import { showText } from './show-text.js';
import { createPanelStage, type PanelStage } from './testing/panel-stage.js';
import { viewTranscript, type TranscriptBlock } from './view-transcript.js';

const SIZE = { columns: 40, rows: 8 };
const painter = createPainter(true);

function pager(lines: readonly Safe[]): { readonly stage: PanelStage; readonly closed: Promise<void> } {
  const stage = createPanelStage(SIZE);
  return { stage, closed: showText(stage, { title: safeText`A text`, text: joinSafe(lines, safeText`\n`) }) };
}

describe('a text over the whole screen', () => {
  const lines = Array.from({ length: 100_000 }, (_line, index) =>
    index === 50 ? painter('red', makeSafe(`${'很长 '.repeat(30)}needle`)) : makeSafe(`line ${index}`),
  );

  it('is scrolled, with long lines wrapped', () => {
    const { stage } = pager(lines.slice(48, 53));
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── A text (line 1 of 5) ────────────────
      line 48
      line 49
      很长 很长 很长 很长 很长 很长 很长 很长
      很长 很长 很长 很长 很长 很长 很长 很长
      ↑↓ scroll · / search
      n N next, previous · g G start, end
      q close"
    `);
    stage.press('down', 'down', 'pageDown');
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── A text (line 3 of 5) ────────────────
      很长 很长 很长 很长 很长 很长 很长 很长
      很长 很长 很长 很长 很长 很长 needle
      line 51
      line 52
      ↑↓ scroll · / search
      n N next, previous · g G start, end
      q close"
    `);
    stage.resize({ columns: 80, rows: 24 });
    expect(stage.screen().split('\n').length).toBe(24);
  });

  it('goes to its start and end, and is left by q', async () => {
    const { stage, closed } = pager(lines);
    stage.press('G');
    expect(stage.screen()).toContain('line 99999');
    stage.press('g');
    expect(stage.screen()).toContain('line 0\n');
    stage.press('q');
    await closed;
    expect(stage.isOpen).toBe(false);
  });

  it('is searched, forwards and backwards and around, the case counting where it is typed', () => {
    const { stage } = pager(lines);
    stage.press('/', '«NEEDLE»', 'enter');
    expect(stage.screen()).toContain('not found: NEEDLE');
    stage.press('/', '«needle»', 'enter');
    expect(stage.screen()).toContain('› 很长');
    stage.press('n');
    expect(stage.screen()).toContain('› 很长');
    stage.press('/', '«line 4000»', 'enter');
    expect(stage.screen()).toContain('› line 4000\n');
    stage.press('n');
    expect(stage.screen()).toContain('› line 40000\n');
    stage.press('N', 'N');
    expect(stage.screen()).toContain('› line 40009\n');
    stage.press('/', '«x»', 'escape', 'n');
    expect(stage.screen()).toContain('› line 4000\n');
  });

  it('that is empty is shown too', () => {
    const { stage } = pager([]);
    stage.press('down', 'end', '/', '«a»', 'enter', 'n');
    expect(stage.screen()).toContain('not found: a');
  });
});

describe('the transcript', () => {
  const block = (index: number, rows: number): TranscriptBlock => ({
    key: String(index),
    title: safeText`● Call ${index}`,
    open: () => Array.from({ length: rows }, (_row, row) => safeText`${index}: row ${row} 👍`),
  });

  function transcript(blocks: readonly TranscriptBlock[]): PanelStage {
    const stage = createPanelStage(SIZE);
    void viewTranscript(stage, blocks);
    return stage;
  }

  it('begins at its end; blocks open and close', () => {
    const stage = transcript([block(1, 2), block(2, 3)]);
    stage.press('enter');
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── This session ────────────────────────
        ▸ ● Call 1
      › ▾ ● Call 2
          2: row 0 👍
          2: row 1 👍
          2: row 2 👍
      ↑↓ move · Enter open, close · a all
      PgUp PgDn scroll · q leave · 2/2"
    `);
    stage.press('space');
    expect(stage.screen()).not.toContain('row');
  });

  it('is scrolled through a block that is higher than the screen, row by row, and to the next one then', () => {
    const stage = transcript([block(1, 2), block(2, 20), block(3, 2)]);
    stage.press('up', 'enter');
    expect(stage.screen()).toContain('› ▾ ● Call 2\n    2: row 0');
    for (let row = 0; row < 16; row += 1) stage.press('down');
    expect(stage.screen()).toContain('2: row 19');
    stage.press('down');
    expect(stage.screen()).toContain('› ▸ ● Call 3');
    stage.press('up', 'up');
    expect(stage.screen()).not.toContain('Call 3');
    stage.press('a');
    expect(stage.screen()).toContain('› ▸ ● Call 2');
  });

  it('of five thousand blocks opens at once, pages, and is left', () => {
    let asked = 0;
    const blocks = Array.from({ length: 5_000 }, (_block, index) => {
      const one = block(index, 3);
      return { ...one, open: (columns: number) => ((asked += 1), one.open(columns)) };
    });
    const stage = transcript(blocks);
    expect(stage.screen()).toContain('› ▸ ● Call 4999');
    expect(asked).toBe(0);
    stage.press('a', 'pageUp', 'enter', 'home');
    expect(stage.screen()).toContain('› ▾ ● Call 0\n');
    expect(asked).toBeLessThan(100);
    stage.press('escape');
    expect(stage.isOpen).toBe(false);
  });

  it('of a session without anything says so', () => {
    const stage = transcript([]);
    stage.press('down', 'enter', 'a', 'pageUp');
    expect(stage.screen()).toContain('Nothing yet.');
  });
});
