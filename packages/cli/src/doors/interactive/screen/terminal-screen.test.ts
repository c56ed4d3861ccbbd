import { makeSafe, splitLines, type Safe } from '@tenon/core';
import { describe, expect, test } from 'vitest';
import type { Theme } from '../themes/theme.js';
import { createStage, type LiveStage } from './live-stage.js';
import type { Key, Panel } from './panel.js';
import { createTerminalScreen, type TerminalScreen } from './terminal-screen.js';
import { emulateTerminal, type EmulatedTerminal } from './testing/emulated-terminal.js';

const PLAIN: Theme = { name: 'no-colour', paint: (_, text) => text };

interface Shown {
  readonly terminal: EmulatedTerminal;
  readonly screen: TerminalScreen;
  readonly stage: LiveStage;
}

function showOn(columns: number, rows: number): Shown {
  const terminal = emulateTerminal(columns, rows);
  const screen: TerminalScreen = createTerminalScreen(terminal, (size) => stage.draw(size));
  const wrap = (text: Safe): readonly Safe[] => splitLines(text);
  const stage: LiveStage = createStage({ screen, theme: () => PLAIN, wrap, pauseKeys: () => () => undefined });
  screen.take();
  return { terminal, screen, stage };
}

const key = (name: string, text = ''): Key => ({ name, text, raw: text });

function typing(stage: Pick<LiveStage, 'redraw'>): Panel & { typed(): string } {
  let text = '';
  return {
    typed: () => text,
    render: () => ({ lines: [makeSafe(`> ${text}`)], cursor: { row: 0, column: 2 + text.length } }),
    onKey: (pressed) => {
      text += pressed.text;
      stage.redraw();
    },
  };
}

async function shown({ screen, terminal }: Shown): Promise<readonly string[]> {
  await screen.settled();
  await terminal.settled();
  return terminal.text();
}

describe('the screen', () => {
  test('keeps what is printed above the live part', async () => {
    const here = showOn(30, 6);
    here.stage.setBase(typing(here.stage));
    here.stage.setAbove(() => [makeSafe('working')]);
    for (let line = 1; line <= 20; line++) here.stage.print(makeSafe(`line ${line}`));
    expect(await shown(here)).toEqual([
      ...Array.from({ length: 20 }, (_, index) => `line ${index + 1}`),
      'working',
      '>',
    ]);
  });

  test('draws at most 30 frames a second, and the last state always', async () => {
    const here = showOn(30, 6);
    let frames = 0;
    let count = 0;
    here.stage.setAbove(() => {
      frames += 1;
      return [makeSafe(`count ${count}`)];
    });
    const start = performance.now();
    while (performance.now() - start < 300) {
      count += 1;
      here.stage.redraw();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await shown(here)).toEqual([`count ${count}`]);
    expect(frames).toBeLessThanOrEqual(Math.ceil((performance.now() - start) / 33) + 1);
  });

  test('has the live part once, and all that was printed, after the terminal got other sizes', async () => {
    const here = showOn(40, 10);
    here.stage.setBase(typing(here.stage));
    here.stage.setAbove(({ columns }) => [makeSafe('-'.repeat(columns - 1))]);
    here.stage.print(makeSafe('printed'));
    await shown(here);
    for (const [columns, rows] of [
      [20, 10],
      [60, 8],
      [33, 12],
    ] as const) {
      here.terminal.resize(columns, rows);
      here.screen.resized();
      expect(await shown(here)).toEqual(['printed', '-'.repeat(columns - 1), '>']);
    }
  });

  test('gives the terminal back without its live part', async () => {
    const here = showOn(30, 6);
    here.stage.setBase(typing(here.stage));
    here.stage.print(makeSafe('kept'));
    await shown(here);
    here.screen.giveBack();
    here.terminal.write('$ ');
    expect(await shown(here)).toEqual(['kept', '$']);
  });
});

describe('a panel', () => {
  test('takes the place of the composer, gets the keys that come once it can be seen, and goes with its answer', async () => {
    const here = showOn(30, 6);
    const composer = typing(here.stage);
    here.stage.setBase(composer);
    const answer = here.stage.show<string>(({ done }) => ({
      render: () => ({ lines: [makeSafe('Delete it? y/n')] }),
      onKey: ({ name }) => done(name),
    }));
    // Typed for the composer, before anybody could see the question.
    here.stage.onKey(key('y', 'y'));
    here.stage.onKey(key('enter', '\r'));
    expect(await shown(here)).toEqual(['Delete it? y/n']);
    await new Promise((resolve) => setTimeout(resolve, 150));
    here.stage.onKey(key('n', 'n'));
    expect(await answer).toBe('n');
    expect(composer.typed()).toBe('y');
    expect(await shown(here)).toEqual(['> y']);
  });

  test.each(['ctrl+c', 'escape'])('is left by %s also before it can be seen', async (name) => {
    const here = showOn(30, 6);
    const composer = typing(here.stage);
    here.stage.setBase(composer);
    const answer = here.stage.show<string>(({ done }) => ({
      render: () => ({ lines: [makeSafe('Delete it? y/n')] }),
      onKey: (pressed) => done(pressed.name),
    }));
    here.stage.onKey(key('y', 'y'));
    here.stage.onKey(key('enter', '\r'));
    here.stage.onKey(key(name));
    expect(here.stage.isAsking).toBe(false);
    expect(await answer).toBe(name);
    expect(composer.typed()).toBe('y');
  });

  test('over the whole screen leaves what was there as it was', async () => {
    const here = showOn(30, 6);
    here.stage.setBase(typing(here.stage));
    here.stage.print(makeSafe('before'));
    await shown(here);
    const answer = here.stage.showFull<boolean>(({ done }) => ({
      render: ({ rows }) => ({ lines: Array.from({ length: rows }, (_, row) => makeSafe(`row ${row}`)) }),
      onKey: () => done(true),
    }));
    here.stage.print(makeSafe('meanwhile'));
    expect((await shown(here)).slice(0, 2)).toEqual(['row 0', 'row 1']);
    await new Promise((resolve) => setTimeout(resolve, 150));
    here.stage.onKey(key('q', 'q'));
    expect(await answer).toBe(true);
    expect(await shown(here)).toEqual(['before', 'meanwhile', '>']);
  });

  test('over the whole screen has it again after the terminal was lent, and the one who takes it at once leaves it', async () => {
    const here = showOn(30, 6);
    here.stage.setBase(typing(here.stage));
    here.stage.print(makeSafe('before'));
    await shown(here);
    const answer = here.stage.showFull<boolean>(({ done }) => ({
      render: ({ rows }) => ({ lines: Array.from({ length: rows }, (_, row) => makeSafe(`row ${row}`)) }),
      onKey: () => done(true),
    }));
    await shown(here);
    expect(here.screen.endBytes).toContain('\u001b[?1049l');
    await here.stage.lend(async () => {
      await here.terminal.settled();
      expect(here.terminal.text()).toEqual(['before']);
      expect(here.screen.endBytes).not.toContain('\u001b[?1049l');
    });
    expect((await shown(here))[0]).toBe('row 0');
    await new Promise((resolve) => setTimeout(resolve, 150));
    here.stage.onKey(key('q', 'q'));
    expect(await answer).toBe(true);
    expect(await shown(here)).toEqual(['before', '>']);
  });

  test('ends without an answer when its signal does', async () => {
    const here = showOn(30, 6);
    const cancel = new AbortController();
    const answer = here.stage.show<string>(
      () => ({ render: () => ({ lines: [] }), onKey: () => undefined }),
      cancel.signal,
    );
    cancel.abort();
    expect(await answer).toBeUndefined();
    expect(here.stage.isAsking).toBe(false);
  });
});
