import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFileDiff, type ApprovalAnswer, type ApprovalRequest } from '@tenon/core';
import type { EditText } from '../edit-text.js';
import { createPanelApprover } from './panel-approver.js';
import { createPanelStage, type PanelStage } from './testing/panel-stage.js';
import { TimeByHand } from './testing/time-by-hand.js';

const NEVER = new AbortController().signal;

function edit(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    callId: '1',
    toolName: 'edit',
    displayName: 'Edit',
    description: 'Edit a.txt',
    effects: [],
    details: {
      type: 'edit',
      title: 'Confirm Edit: a.txt',
      fileDiff: '--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-a\n+b\n',
      originalContent: 'a\n',
      newContent: 'b\n',
      fileName: 'a.txt',
    },
    reason: 'writes ask',
    alwaysRules: ['Edit(a.txt)'],
    canModify: true,
    changedSinceApproval: false,
    ...changes,
  };
}

function run(command: string, changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const details = { type: 'exec', title: 'Run', command } as const;
  return edit({
    description: `Run ${command}`,
    details,
    alwaysRules: [`Bash(${command})`],
    canModify: false,
    ...changes,
  });
}

interface Person {
  readonly stage: PanelStage;
  readonly ask: (request?: ApprovalRequest, signal?: AbortSignal) => Promise<ApprovalAnswer>;
  /** The time goes on; whatever is shown has been seen. */
  readonly wait: (milliseconds?: number) => void;
  readonly count: () => { readonly interrupts: number; readonly bells: number };
}

function person(editText: EditText = async (text) => text, columns = 80, rows = 24): Person {
  const stage = createPanelStage({ columns, rows });
  const time = new TimeByHand();
  let interrupts = 0;
  let bells = 0;
  const approver = createPanelApprover({
    stage,
    editText,
    interrupt: () => (interrupts += 1),
    bell: () => (bells += 1),
    after: time.after,
  });
  return {
    stage,
    ask: (request = edit(), signal = NEVER) => approver(request, signal),
    wait(milliseconds = 1_000) {
      stage.frame();
      time.pass(milliseconds);
    },
    count: () => ({ interrupts, bells }),
  };
}

it('names the subagent that asks, of those that wait too, whatever it is called', () => {
  const { stage, ask, wait } = person();
  void ask(run('ls', { agent: 'explore (a1)' }));
  void ask(run('pwd', { callId: '2', agent: 'b\u001b[2J\u202e (a2)' }));
  wait();
  expect(stage.screen()).toContain('explore (a1): May it do this? (1 of 2)');
  expect(stage.screen()).toContain('The subagent explore (a1) asks:');
  expect(stage.screen()).toContain('1 more waiting: b');
  expect(stage.screen()).not.toMatch(/\u001b\[2J|\u202e/);
});

/** One question, answered with these keys. */
async function answerTo(request: ApprovalRequest, ...keys: readonly string[]): Promise<ApprovalAnswer> {
  const { stage, ask, wait } = person();
  const answer = ask(request);
  wait();
  stage.press(...keys);
  expect(stage.isOpen).toBe(false);
  return answer;
}

describe('an answer', () => {
  const general = edit({ generalRules: ['Edit(src/**)'] });

  it.each([
    [['y'], { outcome: 'proceed_once' }],
    [['Y'], { outcome: 'proceed_once' }],
    [['a', 'enter'], { outcome: 'proceed_always' }],
    [['p', 'enter'], { outcome: 'proceed_always_project' }],
    [['g', 'enter'], { outcome: 'proceed_always', isGeneral: true }],
    [['k', 'enter'], { outcome: 'proceed_always_project', isGeneral: true }],
    [['escape'], { outcome: 'cancel' }],
    [['n', 'enter'], { outcome: 'cancel' }],
    [['enter', 'enter'], { outcome: 'cancel' }],
    [['n', '«use tabs»', 'enter'], { outcome: 'cancel', feedback: 'use tabs' }],
    [['n', '«one»', 'alt+enter', '«two»', 'enter'], { outcome: 'cancel', feedback: 'one\ntwo' }],
    [['n', 'escape', 'y'], { outcome: 'proceed_once' }],
    [['p', 'escape', 'escape'], { outcome: 'cancel' }],
    [['home', 'left', 'left', 'left', 'left', 'left', 'left', 'left', 'left', 'enter'], { outcome: 'proceed_once' }],
  ])('by %j is %j (S53)', async (keys, answer) => {
    expect(await answerTo(general, ...keys)).toEqual(answer);
  });

  it.each([
    [10, 4],
    [20, 6],
    [1, 5],
    [80, 3],
  ])(
    'other than no is not given in %i columns and %i rows, where what is asked cannot be seen',
    async (columns, rows) => {
      const { stage, ask, wait } = person(undefined, columns, rows);
      const answer = ask(general);
      wait();
      expect(stage.screen()).not.toContain('[y]');
      stage.press('y', 'left', 'enter', 'n', 'y', 'enter');
      expect(stage.isOpen).toBe(true);
      stage.resize({ columns: 80, rows: 24 });
      wait();
      expect(stage.screen()).toContain('Edit a.txt');
      stage.press('y');
      expect(await answer).toEqual({ outcome: 'proceed_once' });
    },
  );

  it('says what the keys do only where that leaves room for what is asked', () => {
    const { stage, ask, wait } = person(undefined, 40, 10);
    void ask(general);
    wait();
    const rows = stage.screen().split('\n');
    expect(rows.findIndex((row) => row.includes('[y]'))).toBeGreaterThanOrEqual(4);
    expect(rows.join('\n')).not.toContain('Esc no');
  });

  it('is not given by keys of answers that are not offered, nor by pasted text', async () => {
    const { stage, ask, wait } = person();
    const answer = ask(run('ls', { alwaysRules: [] }));
    wait();
    stage.press('a', 'p', 'g', 'k', 'e', 'i', 's', 'z', 'ctrl+y');
    stage.paste('y');
    expect(stage.isOpen).toBe(true);
    stage.press('escape');
    expect(await answer).toEqual({ outcome: 'cancel' });
  });

  it('by Ctrl-C is a no that stops the run, wherever it is pressed', async () => {
    for (const keys of [[], ['n'], ['p'], ['i']]) {
      const { stage, ask, wait, count } = person();
      const answer = ask();
      wait();
      stage.press(...keys, 'ctrl+c');
      expect(await answer).toEqual({ outcome: 'cancel' });
      expect(count().interrupts).toBe(1);
    }
  });
});

describe('keys that were not meant for the question', () => {
  it('do not count: typed before it was seen, and as long as typing goes on', async () => {
    const { stage, ask, wait } = person();
    const answer = ask();
    stage.press('y');
    for (let typed = 0; typed < 20; typed += 1) {
      wait(100);
      stage.press('y');
    }
    wait(250);
    stage.press('enter', 'escape');
    expect(stage.isOpen).toBe(true);
    wait(300);
    stage.press('y');
    expect(await answer).toEqual({ outcome: 'proceed_once' });
  });

  it('do not reach the next question either, but Ctrl-C does', async () => {
    const { stage, ask, wait, count } = person();
    const answers = [ask(), ask(run('ls'))];
    wait();
    stage.press('y', 'y', 'y');
    expect(await answers[0]).toEqual({ outcome: 'proceed_once' });
    expect(stage.screen()).toContain('Run ls');
    stage.press('ctrl+c');
    expect(await answers[1]).toEqual({ outcome: 'cancel' });
    expect(count()).toEqual({ interrupts: 1, bells: 1 });
  });
});

describe('a question', () => {
  it('shows what would happen, why it is asked, and the keys, the mark on "no"', () => {
    const { stage, ask, wait } = person();
    void ask(run('npm test x', { generalRules: ['Bash(npm test *)'] }));
    wait();
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── May it do this? ─────────────────────────────────────────────────────────────
      Run: Run npm test x
      Command (1 line, 10 bytes):
        npm test x
      Why you are asked: writes ask
      "Always" would save:
        allow Bash(npm test x)
      "Always for calls of this kind" would save:
        allow Bash(npm test *)
       [y] once   [a] always this session   [p] always in this project
       [g] always this kind, this session   [k] always this kind, in this project
      ›[n] no (default)
      ←→ Enter choose · Esc no · Ctrl-C no, and stop"
    `);
    stage.resize({ columns: 40, rows: 24 });
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── May it do this? ─────────────────────
      Run: Run npm test x
      Command (1 line, 10 bytes):
        npm test x
      Why you are asked: writes ask
      "Always" would save:
        allow Bash(npm test x)
      "Always for calls of this kind" would
      ↪ save:
        allow Bash(npm test *)
       [y] once   [a] always this session
       [p] always in this project
       [g] always this kind, this session
       [k] always this kind, in this project
      ›[n] no (default)
      ←→ Enter choose · Esc no
      Ctrl-C no, and stop"
    `);
  });

  it('shows wide and hidden characters for what they are', () => {
    const { stage, ask, wait } = person(undefined, 40);
    void ask(run('echo 你好世界你好世界你好世界你好世界 👨‍👩‍👧 \u001b[2J\u202e'));
    wait();
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── May it do this? ─────────────────────
      Run: Run echo 你好世界你好世界你好世界你
      ↪ 好世界 👨‍👩‍👧 \\u{1b}[2J\\u{202e}
      Command (1 line, 80 bytes):
        echo 你好世界你好世界你好世界你好世界
        ↪ 👨‍👩‍👧 \\u{1b}[2J\\u{202e}
      Why you are asked: writes ask
      "Always" would save:
        allow Bash(echo 你好世界你好世界你好世
        ↪ 界你好世界 👨‍👩‍👧 \\u{1b}[2J\\u{202e})
       [y] once   [a] always this session
       [p] always in this project
      ›[n] no (default)
      ←→ Enter choose · Esc no
      Ctrl-C no, and stop"
    `);
  });

  it('marks rows that go on, so that no command can end in what looks like a line of Tenon', () => {
    const { stage, ask, wait } = person(undefined, 40);
    void ask(run(`rm -rf x #${'x'.repeat(36)} Why you are asked: it only reads`));
    wait();
    expect(stage.screen().match(/^ *Why you are asked.*$/gm)).toEqual(['Why you are asked: writes ask']);
    expect(stage.screen()).toContain('↪ Why you are asked: it only reads');
  });

  it('that has changed since it was approved says so', () => {
    const { stage, ask, wait } = person();
    void ask(edit({ changedSinceApproval: true }));
    wait();
    expect(stage.screen()).toContain('has changed since you approved it');
  });

  it('shows the rules that "always" saves and where, before it saves them', () => {
    const { stage, ask, wait } = person();
    void ask(run('npm test x', { generalRules: ['Bash(npm test *)'] }));
    wait();
    stage.press('k');
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── May it do this? ─────────────────────────────────────────────────────────────
      This is saved for this project, and holds in later sessions until it is revoked:
        allow Bash(npm test *)
      It covers more than the call that is asked about.
      Enter allow it so · Esc back"
    `);
    stage.press('escape', 'a');
    expect(stage.screen()).toContain('until the session ends');
    expect(stage.screen()).toContain('allow Bash(npm test x)');
    expect(stage.screen()).not.toContain('npm test *');
  });

  it('of ten thousand lines shows both ends, and all of it on demand, to be scrolled', async () => {
    const { stage, ask, wait } = person();
    const before = Array.from({ length: 10_000 }, (_line, index) => `line ${index}`);
    const after = before.map((line) => `${line} changed`);
    const texts = { original: before.join('\n'), proposed: after.join('\n') };
    const change = await createFileDiff({ filePath: '/w/a.txt', ...texts });
    void ask(edit({ details: { type: 'edit', title: 'Confirm Edit: a.txt', ...change } }));
    wait();
    expect(stage.screen()).toContain('lines not shown');
    expect(stage.screen()).toContain('10000 lines');
    stage.press('s', 'pageDown');
    expect(stage.screen()).not.toContain('not shown');
    expect(stage.screen()).toContain('more below');
    expect(stage.screen()).toContain('[s] show less');
    stage.press('end');
    expect(stage.screen()).toContain('Why you are asked');
    stage.press('pageUp', 'pageUp');
    expect(stage.screen()).toMatch(/\+line 99\d\d changed/);
    stage.press('s');
    expect(stage.screen()).toContain('lines not shown');
  });

  it('fits a terminal of six rows, its answers in sight', () => {
    const { stage, ask, wait } = person(undefined, 80, 6);
    void ask();
    wait();
    expect(stage.screen()).toContain('›[n] no (default)');
    stage.press('down', 'down', 'end', 'n', '«no»');
    expect(stage.screen()).toContain('› no');
  });
});

describe('an edit', () => {
  it('in the editor runs the person’s version, the terminal lent (S56, S82)', async () => {
    const { stage, ask, wait } = person(async (text, name) => `${name}: ${text}`);
    const answer = ask();
    wait();
    stage.press('e');
    expect(await answer).toEqual({ outcome: 'modify_with_editor', newContent: 'a.txt: b\n' });
    expect(stage.lent).toBe(1);
  });

  it('that changes nothing or fails leads back to the question, which says so', async () => {
    const { stage, ask, wait } = person();
    const answer = ask();
    wait();
    stage.press('e');
    await sleep(1);
    expect(stage.screen()).toContain('Nothing was changed.');
    stage.press('i', 'ctrl+s');
    expect(stage.screen()).toContain('Nothing was changed.');
    stage.press('y');
    expect(await answer).toEqual({ outcome: 'proceed_once' });

    const failing = person(async () => Promise.reject(new Error('no editor\u001b[2J')));
    void failing.ask();
    failing.wait();
    failing.stage.press('e');
    await sleep(1);
    expect(failing.stage.screen()).toContain(String.raw`no editor\u{1b}[2J`);
  });

  it('in place runs what was typed; going back keeps it', async () => {
    const { stage, ask, wait } = person();
    const answer = ask();
    wait();
    stage.press('i', '«1»', 'enter', 'tab', 'escape');
    expect(stage.screen()).toContain('May it do this?');
    stage.press('i', '«你»');
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── Edit: Edit a.txt ────────────────────────────────────────────────────────────
      1
      你b

      Ctrl-S run it with this text · Esc back · Ctrl-C no, and stop"
    `);
    stage.press('ctrl+s');
    expect(await answer).toEqual({ outcome: 'modify_with_editor', newContent: '1\n你b\n' });
  });

  it('in place keeps the line ends of Windows', async () => {
    const { details } = edit();
    const windows = { ...details, newContent: 'a\r\nb\r\n' } as ApprovalRequest['details'];
    const answer = answerTo(edit({ details: windows }), 'i', '«x»', 'down', 'enter', 'ctrl+s');
    expect(await answer).toMatchObject({ newContent: 'xa\r\nb\r\n\r\n' });
  });
});

describe('several questions', () => {
  it('stand in one view, each answered on its own', async () => {
    const { stage, ask, wait, count } = person();
    const answers = [ask(), ask(run('npm test')), ask(run('rm -rf x'))];
    wait();
    expect(stage.screen()).toContain('May it do this? (1 of 3)');
    expect(stage.screen()).toContain('2 more waiting: Run npm test · Run rm -rf x');
    stage.press('tab');
    expect(stage.screen()).toContain('(2 of 3)');
    wait();
    stage.press('y');
    expect(await answers[1]).toEqual({ outcome: 'proceed_once' });
    expect(stage.screen()).toContain('(2 of 2)');
    stage.press('shift+tab');
    expect(stage.screen()).toContain('Edit a.txt');
    wait();
    stage.press('escape');
    wait();
    stage.press('n', '«never»', 'enter');
    expect(await Promise.all(answers)).toEqual([
      { outcome: 'cancel' },
      { outcome: 'proceed_once' },
      { outcome: 'cancel', feedback: 'never' },
    ]);
    expect(stage.isOpen).toBe(false);
    expect(count().bells).toBe(1);
  });

  it('go when they need no answer any more, and typing into one that goes answers no other', async () => {
    const { stage, ask, wait } = person();
    const gone = new AbortController();
    const answers = [ask(edit(), gone.signal), ask(run('rm -rf x'))];
    wait();
    stage.press('n', '«wh»');
    gone.abort();
    stage.press('«y»', 'enter');
    expect(await answers[0]).toEqual({ outcome: 'cancel' });
    expect(stage.screen()).toContain('Run rm -rf x');
    expect(stage.screen()).not.toContain('more waiting');
    wait();
    stage.press('escape');
    expect(await answers[1]).toEqual({ outcome: 'cancel' });
  });

  it('that come after the last was answered open a panel again', async () => {
    const { stage, ask, wait, count } = person();
    for (const key of ['y', 'escape']) {
      const answer = ask();
      wait();
      stage.press(key);
      await answer;
      expect(stage.isOpen).toBe(false);
    }
    expect(count().bells).toBe(2);
  });

  it('are a no once the run was cancelled, without being shown', async () => {
    const { stage, ask } = person();
    expect(await ask(edit(), AbortSignal.abort())).toEqual({ outcome: 'cancel' });
    expect(stage.isOpen).toBe(false);
  });

  it('are a no where nothing can be shown', async () => {
    const stage = { ...createPanelStage(), show: async () => undefined };
    const options = {
      stage,
      editText: async (text: string) => text,
      interrupt: () => undefined,
      bell: () => undefined,
    };
    const approver = createPanelApprover(options);
    expect(await Promise.all([approver(edit(), NEVER), approver(edit(), NEVER)])).toEqual([
      { outcome: 'cancel' },
      { outcome: 'cancel' },
    ]);
    expect(await approver(edit(), NEVER)).toEqual({ outcome: 'cancel' });
  });
});
