import { describe, expect, it } from 'vitest';
import type { FormField, PersonQuestion, QuestionAnswer } from '@tenon/core';
import { createPanelAsker } from './panel-asker.js';
import { createPanelStage } from './testing/panel-stage.js';
import { TimeByHand } from './testing/time-by-hand.js';

const NEVER = new AbortController().signal;
const facts = { isRequired: true, isSecret: false };
const FIELDS: readonly FormField[] = [
  { ...facts, name: 'who', label: 'Your name', description: 'First and last.', kind: 'text', maxLength: 5 },
  { ...facts, name: 'age', label: 'Age', kind: 'number', isInteger: true, isRequired: false, default: 30 },
  { ...facts, name: 'sure', label: 'Sure?', kind: 'yes-no', isRequired: false },
  {
    ...facts,
    name: 'tint',
    label: 'Colour',
    kind: 'choice',
    options: [
      { value: '#f00', label: 'Red' },
      { value: '#00f', label: '青 Blue' },
    ],
  },
  {
    ...facts,
    name: 'days',
    label: 'Days',
    kind: 'choices',
    minItems: 2,
    options: ['Mon', 'Tue', 'Wed'].map((day) => ({ value: day, label: day })),
  },
];

function form(changes: Partial<Extract<PersonQuestion, { kind: 'form' }>> = {}): PersonQuestion {
  return { kind: 'form', server: 'github', message: 'Who are you?', fields: FIELDS, ...changes };
}

function person(columns = 80) {
  const stage = createPanelStage({ columns, rows: 24 });
  const opened: string[] = [];
  const counts = { interrupts: 0, bells: 0 };
  const time = new TimeByHand();
  const asker = createPanelAsker({
    stage,
    openUrl: async (url) => opened.push(url) > 1,
    interrupt: () => (counts.interrupts += 1),
    bell: () => (counts.bells += 1),
    after: time.after,
  });
  /** Asks, and waits until the question was seen for a while. */
  const ask = async (
    question: PersonQuestion,
    signal = NEVER,
  ): Promise<{ readonly answer: Promise<QuestionAnswer> }> => {
    const answer = asker(question, signal);
    await new Promise((resolve) => setImmediate(resolve));
    stage.frame();
    time.pass(1_000);
    return { answer };
  };
  return { stage, ask, asker, opened, counts };
}

describe('a form', () => {
  it('is shown as the words of the server, at 80 and 40 columns', async () => {
    const { stage, ask } = person();
    await ask(form({ message: `Who are you? ${'你好 '.repeat(20)}` }));
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── A question of the server "github" ───────────────────────────────────────────
      The server "github" has a question with 5 fields (lines with │ are its own
      ↪ words)
      │ Who are you? 你好 你好 你好 你好 你好 你好 你好 你好 你好 你好 你好 你好 你好
      │ 你好 你好 你好 你好 你好 你好 你好
       [a] answer   [d] decline   [x] decline all of this server
      ›[n] not now (default)
      ←→ Enter choose · Esc not now · Ctrl-C not now, and stop"
    `);
    stage.resize({ columns: 40, rows: 24 });
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── A question of the server "github" ───
      The server "github" has a question with
      ↪ 5 fields (lines with │ are its own
      ↪ words)
      │ Who are you? 你好 你好 你好 你好 你好
      │ 你好 你好 你好 你好 你好 你好 你好 你
      │ 好 你好 你好 你好 你好 你好 你好 你好
       [a] answer   [d] decline
       [x] decline all of this server
      ›[n] not now (default)
      ←→ Enter choose · Esc not now
      Ctrl-C not now, and stop"
    `);
  });

  it('is gone through field by field, reviewed, and sent', async () => {
    const { stage, ask, counts } = person();
    const { answer } = await ask(form());
    stage.press('a');
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── A question of the server "github" ───────────────────────────────────────────
      Field 1 of 5
      │ Your name
      │ First and last.
        a text, at most 5 characters; must be answered
      ›
      Enter next · Esc back · Ctrl-C not now, and stop"
    `);
    stage.press('enter');
    expect(stage.screen()).toContain('It is required.');
    stage.press('«Annabelle»', 'enter');
    expect(stage.screen()).toContain('It must have at most 5 characters.');
    stage.press('ctrl+u', '«Ann»', 'enter');
    expect(stage.screen()).toContain('› 30');
    stage.press('backspace', '«1»', 'enter', 'y', 'enter', 'down');
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── A question of the server "github" ───────────────────────────────────────────
      Field 4 of 5
      │ Colour
        one of them; must be answered
        │ Red
      › │ 青 Blue
      ↑↓ move · Enter next · Esc back · Ctrl-C not now, and stop"
    `);
    stage.press('enter', 'space', 'enter');
    expect(stage.screen()).toContain('It must be at least 2 of the choices.');
    stage.press('end', 'space', 'enter');
    expect(stage.screen()).toMatchInlineSnapshot(`
      "── A question of the server "github" ───────────────────────────────────────────
      This goes to "github":
      │ Your name → Ann
      │ Age → 31
      │ Sure? → yes
      │ Colour → 青 Blue
      │ Days → Mon, Wed
       [s] send   [e] edit   [d] decline   [x] decline all of this server
      ›[n] not now (default)
      ←→ Enter choose · Esc not now · Ctrl-C not now, and stop"
    `);
    stage.press('s');
    expect(await answer).toEqual({
      action: 'accept',
      content: { who: 'Ann', age: 31, sure: true, tint: '#00f', days: ['Mon', 'Wed'] },
    });
    expect(counts).toEqual({ interrupts: 0, bells: 1 });
  });

  it('can be edited before it is sent, and what may be left out is', async () => {
    const { stage, ask } = person();
    const { answer } = await ask(form({ fields: FIELDS.slice(0, 3) }));
    stage.press('a', '«Bo»', 'enter', 'ctrl+u', 'enter', 'enter');
    expect(stage.screen()).toContain('Age → (left out)');
    stage.press('e', '«b»', 'enter', 'escape', 'end', '«!»', 'enter', '«7»', 'enter', 'enter', 's');
    expect(await answer).toEqual({ action: 'accept', content: { who: 'Bob!', age: 7 } });
  });

  it.each([
    [['d'], 'decline'],
    [['enter'], 'cancel'],
    [['escape'], 'cancel'],
    [['left', 'left', 'enter'], 'decline'],
    [['a', 'escape', 'n'], 'cancel'],
    [['a', '«Bo»', 'enter', 'enter', 'enter', 'enter'], 'cancel'],
  ])('after %j is %s', async (keys, action) => {
    const { stage, ask } = person();
    const { answer } = await ask(form({ fields: FIELDS.slice(0, 3) }));
    stage.press(...keys);
    expect(await answer).toEqual({ action });
  });

  it('is left by Ctrl-C anywhere, which cancels the run too', async () => {
    for (const keys of [[], ['a'], ['a', '«Bo»', 'enter']]) {
      const { stage, ask, counts } = person();
      const { answer } = await ask(form());
      stage.press(...keys, 'ctrl+c');
      expect(await answer).toEqual({ action: 'cancel' });
      expect(counts.interrupts).toBe(1);
    }
  });

  it('that was taken back is cancelled, and told', async () => {
    const { stage, ask, counts } = person();
    const taken = new AbortController();
    const { answer } = await ask(form(), taken.signal);
    taken.abort();
    expect(await answer).toEqual({ action: 'cancel' });
    expect(counts.interrupts).toBe(0);
    expect(stage.printed).toEqual(['The question of the server "github" was taken back.\n']);
  });

  it('without fields needs a clear yes', async () => {
    const { stage, ask } = person();
    const { answer } = await ask(form({ fields: [] }));
    stage.press('a');
    expect(await answer).toEqual({ action: 'accept', content: {} });
  });

  it('warns of secrets, and shows no word of the server without its bar', async () => {
    const { stage, ask } = person(40);
    const fields: FormField[] = [{ ...facts, name: 'p', label: 'Password\u001b[2J', kind: 'text', isSecret: true }];
    await ask(form({ message: `${'x'.repeat(60)}\n[y] once \u202e ${'long '.repeat(20)}`, fields }));
    expect(stage.screen()).toContain('a server must not ask for');
    expect(
      stage
        .screen()
        .split('\n')
        .filter((line) => /x{5}|long|once|Password/.test(line) && !line.startsWith('│')),
    ).toEqual([]);
  });
});

describe('other questions', () => {
  it('keys that were typed before it was seen do not answer', async () => {
    const { stage, asker } = person();
    const answer = asker(form({ fields: [] }), NEVER);
    await new Promise((resolve) => setImmediate(resolve));
    stage.press('a', 'd', 'enter', 'escape');
    expect(stage.isOpen).toBe(true);
    stage.press('ctrl+c');
    expect(await answer).toEqual({ action: 'cancel' });
  });

  it('a page is opened after a yes only; where there is no browser its address is told', async () => {
    const { stage, ask, opened } = person();
    const page = { kind: 'page', server: 's', message: 'Sign in.', url: 'http://login.example/x?y=z' } as const;
    const first = await ask(page);
    expect(stage.screen()).toContain('Page: http://login.example/x?y=z');
    expect(stage.screen()).toContain('not protected (http)');
    stage.press('escape');
    expect(await first.answer).toEqual({ action: 'cancel' });
    const second = await ask(page);
    stage.press('o');
    expect(await second.answer).toEqual({ action: 'accept' });
    expect(opened).toEqual([page.url]);
    expect(stage.printed.join('')).toContain(`Open this yourself: ${page.url}`);
  });

  it('the model is asked for a server after a yes to each step; a long request can be read', async () => {
    const { stage, ask } = person();
    const text = Array.from({ length: 500 }, (_line, index) => `words ${index}`).join('\n');
    const question = { kind: 'sampling', server: 's', model: 'openai gpt', text } as const;
    const request = await ask({ ...question, stage: 'request' });
    expect(stage.screen()).toContain('more below');
    stage.press('end');
    expect(stage.screen()).toContain('words 499');
    stage.press('y');
    expect(await request.answer).toEqual({ action: 'accept' });
    const answer = await ask({ ...question, stage: 'answer' });
    expect(stage.screen()).toContain('[y] send it to the server');
    stage.press('enter');
    expect(await answer.answer).toEqual({ action: 'cancel' });
  });

  it('servers can be silenced, one by one', async () => {
    const { stage, ask } = person();
    const first = await ask(form());
    stage.press('x');
    expect(await first.answer).toEqual({ action: 'decline' });
    expect(await (await ask(form())).answer).toEqual({ action: 'decline' });
    const other = await ask(form({ server: 'other' }));
    expect(stage.screen()).toContain('"other"');
    stage.press('n');
    expect(await other.answer).toEqual({ action: 'cancel' });
  });
});
