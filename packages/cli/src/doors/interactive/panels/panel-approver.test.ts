import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeSafe, wrapSafe, type ApprovalRequest } from '@tenon/core';
import { createStage, type LiveStage } from '../screen/live-stage.js';
import type { Key } from '../screen/panel.js';
import { createTerminalScreen, type TerminalScreen } from '../screen/terminal-screen.js';
import { emulateTerminal } from '../screen/testing/emulated-terminal.js';
import type { Theme } from '../themes/theme.js';
import { createPanelApprover } from './panel-approver.js';

const PLAIN: Theme = { name: 'no-colour', paint: (_role, text) => text };

/** A terminal with a line to type in, and an approver in front of it. */
function person(columns: number) {
  const terminal = emulateTerminal(columns, 20);
  const screen: TerminalScreen = createTerminalScreen(terminal, (size) => stage.draw(size));
  const stage: LiveStage = createStage({
    screen,
    theme: () => PLAIN,
    wrap: wrapSafe,
    pauseKeys: () => () => undefined,
  });
  let typed = '';
  let interrupts = 0;
  stage.setBase({
    render: () => ({ lines: [makeSafe(`> ${typed}`)], cursor: { row: 0, column: 2 } }),
    onKey: ({ text }: Key) => (typed += text),
  });
  screen.take();
  const approver = createPanelApprover({
    stage,
    editText: async (text) => text,
    interrupt: () => (interrupts += 1),
    bell: () => undefined,
  });
  return {
    approver,
    interrupts: () => interrupts,
    press: (...names: readonly string[]) => {
      for (const name of names) stage.onKey({ name, text: name.length === 1 ? name : '', raw: name });
    },
    shown: async (): Promise<readonly string[]> => {
      await screen.settled();
      await terminal.settled();
      return terminal.visible().filter((line) => line !== '');
    },
  };
}

function run(command: string): ApprovalRequest {
  return {
    callId: command,
    toolName: 'shell',
    displayName: 'Run',
    description: command,
    effects: [],
    details: { type: 'exec', title: 'Confirm', command },
    reason: 'it changes things',
    alwaysRules: [],
    canModify: false,
    changedSinceApproval: false,
  };
}

it('a prompt that is being typed never answers a question, and stands there again afterwards', async () => {
  const { approver, press, shown } = person(80);
  press('n', 'o');
  const answer = approver(run('rm -rf x'), new AbortController().signal);
  press('y');
  expect(await shown()).toContain('  rm -rf x');
  await sleep(100);
  press('y', 'enter', 'y');
  await sleep(350);
  press('y');
  expect(await answer).toEqual({ outcome: 'proceed_once' });
  expect(await shown()).toEqual(['> noy']);
});

it('a question that cannot be seen yet is refused by Ctrl-C, and not yet by Escape, which stopped something else', async () => {
  const { approver, press, shown, interrupts } = person(80);
  const answer = approver(run('rm -rf x'), new AbortController().signal);
  press('escape', 'y');
  expect(await shown()).toContain('  rm -rf x');
  expect(interrupts()).toBe(0);
  press('ctrl+c');
  expect(interrupts()).toBe(1);
  expect(await answer).toEqual({ outcome: 'cancel' });
  expect(await shown()).toEqual(['> y']);
});

it('wide characters stand where a terminal of 40 columns puts them', async () => {
  const { approver, shown } = person(40);
  const ended = new AbortController();
  const answers = [
    approver(run(`echo ${'你好，世界'.repeat(6)} 👨‍👩‍👧 👍🏽`), ended.signal),
    approver(run('echo 第二'), ended.signal),
  ];
  expect(await shown()).toMatchInlineSnapshot(`
    [
      "── May it do this? (1 of 2) ────────────",
      "Confirm: echo 你好，世界你好，世界你好，",
      "↪ 世界你好，世界你好，世界你好，世界 👨‍👩‍👧",
      "↪ 👍🏽",
      "Command (1 line, 123 bytes):",
      "  echo 你好，世界你好，世界你好，世界你",
      "  ↪ 好，世界你好，世界你好，世界 👨‍👩‍👧 👍🏽",
      "Why you are asked: it changes things",
      "1 more waiting: echo 第二",
      " [y] once  ›[n] no (default)",
      "←→ Enter choose · Esc no",
      "Ctrl-C no, and stop · Tab next question",
    ]
  `);
  ended.abort();
  expect(await Promise.all(answers)).toEqual([{ outcome: 'cancel' }, { outcome: 'cancel' }]);
  expect(await shown()).toEqual(['>']);
});
