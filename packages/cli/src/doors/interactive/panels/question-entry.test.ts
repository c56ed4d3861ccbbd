import { describe, expect, it } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest, AskedQuestion } from '@tenon/core';
import { createPanelApprover } from './panel-approver.js';
import { createPanelStage, type PanelStage } from './testing/panel-stage.js';
import { TimeByHand } from './testing/time-by-hand.js';

const NEVER = new AbortController().signal;

const one: AskedQuestion = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'SQLite', description: 'One file.' },
    { label: 'Postgres', description: 'A server.', preview: 'docker run postgres\nport 5432' },
  ],
  multiSelect: false,
};
const several: AskedQuestion = {
  question: 'Which parts?',
  header: 'Parts',
  options: [
    { label: 'reader', description: '' },
    { label: 'writer', description: '' },
    { label: 'tests', description: '' },
  ],
  multiSelect: true,
};

function asking(questions: readonly AskedQuestion[], more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const title = questions.length === 1 ? 'A question for you' : `${questions.length} questions for you`;
  return {
    callId: '1',
    toolName: 'ask_user',
    displayName: 'AskUser',
    description: questions[0]?.question ?? '',
    effects: [{ kind: 'ask' }],
    details: { type: 'question', title, questions },
    reason: 'it is a question for you',
    alwaysRules: [],
    canModify: false,
    changedSinceApproval: false,
    ...more,
  };
}

interface Person {
  readonly stage: PanelStage;
  readonly ask: (request: ApprovalRequest, signal?: AbortSignal) => Promise<ApprovalAnswer>;
  /** As many keys, each once the person has seen what is shown. */
  readonly press: (...names: readonly string[]) => void;
  readonly interrupts: () => number;
}

function person(columns = 80, rows = 24): Person {
  const stage = createPanelStage({ columns, rows });
  const time = new TimeByHand();
  let interrupts = 0;
  const approver = createPanelApprover({
    stage,
    editText: async (text) => text,
    interrupt: () => (interrupts += 1),
    bell: () => undefined,
    after: time.after,
  });
  return {
    stage,
    ask: (request, signal = NEVER) => approver(request, signal),
    press(...names) {
      for (const name of names) {
        stage.frame();
        time.pass(1_000);
        stage.press(name);
      }
    },
    interrupts: () => interrupts,
  };
}

describe('a question of the model', () => {
  it('shows its answers with what they mean, the words of the model behind a bar', () => {
    const { stage, ask, press } = person();
    void ask(asking([one]));
    expect(stage.screen()).toContain('A question for you');
    expect(stage.screen()).toContain('│ Which database?');
    expect(stage.screen()).toContain('› 1 ( ) │ SQLite');
    expect(stage.screen()).toContain('│ One file.');
    expect(stage.screen()).toContain('  3 ( ) in your own words');
    expect(stage.screen()).not.toContain('docker run');
    press('down');
    expect(stage.screen()).toContain('What it would look like:\n│ docker run postgres\n│ port 5432');
  });

  it.each<[readonly string[], readonly object[]]>([
    [['enter'], [{ selected: ['SQLite'] }]],
    [['down', 'enter'], [{ selected: ['Postgres'] }]],
    [['2'], [{ selected: ['Postgres'] }]],
    [['space'], [{ selected: ['SQLite'] }]],
    [['3', '«a file, twice»', 'enter'], [{ words: 'a file, twice' }]],
    [['s'], [{}]],
  ])('is answered by %j', async (keys, answers) => {
    const { stage, ask, press } = person();
    const answer = ask(asking([one]));
    press(...keys);
    expect(await answer).toEqual({ outcome: 'proceed_once', answers });
    expect(stage.isOpen).toBe(false);
  });

  it.each<[readonly string[], object]>([
    [['escape'], { outcome: 'cancel' }],
    [['d', 'enter'], { outcome: 'cancel' }],
    [['d', '«later»', 'enter'], { outcome: 'cancel', feedback: 'later' }],
    [['d', 'escape', '1'], { outcome: 'proceed_once', answers: [{ selected: ['SQLite'] }] }],
    [['3', 'escape', '1'], { outcome: 'proceed_once', answers: [{ selected: ['SQLite'] }] }],
    [['3', 'enter', '2'], { outcome: 'proceed_once', answers: [{ selected: ['Postgres'] }] }],
  ])('is declined, or not, by %j', async (keys, expected) => {
    const { ask, press } = person();
    const answer = ask(asking([one]));
    press(...keys);
    expect(await answer).toEqual(expected);
  });

  it('lets several be chosen where several may, and own words beside them', async () => {
    const { stage, ask, press } = person();
    const answer = ask(asking([several]));
    press('enter');
    expect(stage.screen()).toContain('Nothing is chosen');
    press('space', 'down', 'down', 'space', 'space', '2', '4', '«docs»', 'enter');
    expect(stage.screen()).toContain('[x] │ reader');
    expect(stage.screen()).toContain('[ ] │ tests');
    expect(stage.screen()).toContain('[x] docs');
    press('enter');
    expect(await answer).toEqual({
      outcome: 'proceed_once',
      answers: [{ selected: ['reader', 'writer'], words: 'docs' }],
    });
  });

  it('does not take keys for an answer that were typed before it could be read, nor for the next one', async () => {
    const { stage, ask, press } = person();
    const answer = ask(asking([one, several]));
    stage.frame();
    stage.press('enter', '2', 'enter');
    expect(stage.screen()).toContain('Which database?');
    press('1');
    expect(stage.screen()).toContain('Which parts?');
    stage.press('enter', '1', 's');
    expect(stage.screen()).toContain('Which parts?');
    expect(stage.screen()).not.toContain('Nothing is chosen');
    press('escape', 'escape');
    expect(await answer).toEqual({ outcome: 'cancel' });
  });

  it('goes through several questions, back and forth, and sends nothing before all of it was seen', async () => {
    const { stage, ask, press } = person();
    const answer = ask(asking([one, several]));
    expect(stage.screen()).toContain('[ ] Database  [ ] Parts');
    press('2', 's');
    expect(stage.screen()).toContain('[x] Database  [ ] Parts');
    expect(stage.screen()).toContain('→ Postgres');
    expect(stage.screen()).toContain('→ (no answer)');
    press('left', '1', 'left', 'left', 'right', 'enter');
    expect(stage.screen()).toContain('→ reader');
    press('enter');
    expect(await answer).toEqual({
      outcome: 'proceed_once',
      answers: [{ selected: ['Postgres'] }, { selected: ['reader'] }],
    });
  });

  it('names the subagent that asks, and waits its turn beside other questions', async () => {
    const { stage, ask, press } = person();
    const first = ask(asking([one], { agent: 'explore' }));
    const second = ask(asking([several], { callId: '2', description: 'Which parts?' }));
    expect(stage.screen()).toContain('A question for you of the subagent explore (1 of 2)');
    expect(stage.screen()).toContain('1 more waiting: Which parts?');
    press('tab');
    expect(stage.screen()).toContain('│ Which parts?');
    press('1', 'enter');
    expect(await second).toMatchObject({ answers: [{ selected: ['reader'] }] });
    press('2');
    expect(await first).toMatchObject({ answers: [{ selected: ['Postgres'] }] });
  });

  it('ends with its signal and with Ctrl-C', async () => {
    const { ask, press, interrupts, stage } = person();
    const stop = new AbortController();
    const first = ask(asking([one]), stop.signal);
    stop.abort();
    expect(await first).toEqual({ outcome: 'cancel' });
    const second = ask(asking([one]));
    press('ctrl+c');
    expect(await second).toEqual({ outcome: 'cancel' });
    expect(interrupts()).toBe(1);
    expect(stage.isOpen).toBe(false);
  });

  it('keeps the marked answer in sight however small the terminal is, and shows nothing that could be taken for another', () => {
    const long: AskedQuestion = {
      ...several,
      question: Array.from({ length: 30 }, (_, line) => `line ${line}\u001b[31m \u202e`).join('\n'),
      options: several.options.map(({ label }) => ({
        label: `${label} ${'w'.repeat(90)}`,
        description: 'd '.repeat(60),
      })),
    };
    const { stage, ask, press } = person(40, 12);
    void ask(asking([long]));
    press('down', 'down');
    expect(stage.screen()).toContain('› 3 [ ]');
    press(...Array.from({ length: 10 }, () => 'pageUp'));
    expect(stage.screen()).toContain('line 0');
    for (const [columns, rows] of [
      [20, 6],
      [10, 3],
      [1, 1],
      [200, 60],
    ] as const) {
      stage.resize({ columns, rows });
      stage.frame();
    }
    stage.resize({ columns: 20, rows: 4 });
    press('1');
    expect(stage.isOpen).toBe(true);
    press('escape');
    expect(stage.isOpen).toBe(false);
  });
});
