import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { FormField, PersonQuestion } from '@tenon/core';
import { createOutput } from '../../output.js';
import type { Terminal } from '../../ui/terminal.js';
import { createTurnstile } from '../../ui/turnstile.js';
import { createAsker } from './asker.js';

const signal = new AbortController().signal;

/** A person whose lines are known beforehand. */
function person(lines: readonly (string | undefined)[], changes: Partial<Terminal> = {}) {
  const left = [...lines];
  const stream = new PassThrough();
  const opened: string[] = [];
  const turnstile = createTurnstile();
  let shown = '';
  let interrupts = 0;
  stream.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const terminal: Terminal = {
    ask: async (question) => {
      shown += question;
      const line = left.shift();
      shown += `${line ?? ''}\n`;
      return line;
    },
    readPrompt: async () => ({ kind: 'end' }),
    isReading: false,
    interject: (write) => write(),
    ...changes,
  };
  // What changes in time stays what it is.
  Object.defineProperties(terminal, Object.getOwnPropertyDescriptors(changes));
  const asker = createAsker({
    terminal,
    screen: createOutput(stream as never, {}, () => undefined),
    turnstile,
    openUrl: async (url) => opened.push(url) > 5,
    interrupt: () => (interrupts += 1),
  });
  return { asker, turnstile, shown: () => shown, left, opened, interrupts: () => interrupts };
}

const facts = { isRequired: true, isSecret: false };
const FIELDS: readonly FormField[] = [
  { ...facts, name: 'who', label: 'Your name', description: 'First and last.', kind: 'text', maxLength: 5 },
  { ...facts, name: 'age', label: 'Age', kind: 'number', isInteger: true, isRequired: false, default: 30 },
  {
    ...facts,
    name: 'tint',
    label: 'Colour',
    kind: 'choice',
    options: [
      { value: '#f00', label: 'Red' },
      { value: '#00f', label: 'Blue' },
    ],
  },
];
const form = (changes: Partial<Extract<PersonQuestion, { kind: 'form' }>> = {}): PersonQuestion => ({
  kind: 'form',
  server: 'github',
  message: 'Who are you?',
  fields: FIELDS,
  ...changes,
});

describe('a form', () => {
  it('is gone through field by field, reviewed, and sent', async () => {
    const { asker, shown, left } = person(['a', 'Annabelle', 'Ann', '', 'blue', 's']);
    expect(await asker(form(), signal)).toEqual({ action: 'accept', content: { who: 'Ann', age: 30, tint: '#00f' } });
    expect(left).toEqual([]);
    expect(shown()).toMatchInlineSnapshot(`
      "
      The server "github" has a question with 3 fields (lines with │ are its own words)
      │ Who are you?
      [a] answer  [d] decline  [x] decline all of this server  [n] not now (default) › a

      Field 1 of 3
      │ Your name
      │ First and last.
        a text, at most 5 characters; must be answered
      › Annabelle
      It must have at most 5 characters.
      › Ann

      Field 2 of 3
      │ Age
        a whole number; may be left out; Enter alone: 30
      › 

      Field 3 of 3
      │ Colour
        1  │ Red
        2  │ Blue
        one of them, by number or name; must be answered
      › blue

      This goes to "github":
      │ Your name → Ann
      │ Age → 30
      │ Colour → Blue
      [s] send  [e] edit  [d] decline  [x] decline all of this server  [n] not now (default) › s
      "
    `);
  });

  it('can be edited before it is sent: what was said stands', async () => {
    const { asker } = person(['a', 'Ann', '', '1', 'e', '', '31', '', 's']);
    expect(await asker(form(), signal)).toEqual({ action: 'accept', content: { who: 'Ann', age: 31, tint: '#f00' } });
  });

  it.each([
    [['d'], { action: 'decline' }],
    [[''], { action: 'cancel' }],
    [['n'], { action: 'cancel' }],
    [['what?', 'd'], { action: 'decline' }],
    [['a', 'Ann', '', '1', ''], { action: 'cancel' }],
    [['a', 'Ann', '', '1', 'd'], { action: 'decline' }],
  ])('after %j is %o', async (lines, answer) => {
    const { asker, left } = person(lines);
    expect(await asker(form(), signal)).toEqual(answer);
    expect(left).toEqual([]);
  });

  it('is left by Ctrl-C anywhere, which cancels the run too', async () => {
    for (const lines of [[undefined], ['a', undefined], ['a', 'Ann', '', '1', undefined]]) {
      const { asker, interrupts } = person(lines);
      expect(await asker(form(), signal)).toEqual({ action: 'cancel' });
      expect(interrupts()).toBe(1);
    }
  });

  it('that was taken back is cancelled without cancelling the run', async () => {
    const taking = new AbortController();
    const ask = async (): Promise<undefined> => {
      taking.abort();
      return undefined;
    };
    const { asker, interrupts, shown } = person([], { ask });
    expect(await asker(form(), taking.signal)).toEqual({ action: 'cancel' });
    expect(interrupts()).toBe(0);
    expect(shown()).toContain('The question was taken back.');
  });

  it('without fields needs a clear yes', async () => {
    expect(await person(['a']).asker(form({ fields: [] }), signal)).toEqual({ action: 'accept', content: {} });
    expect(await person(['']).asker(form({ fields: [] }), signal)).toEqual({ action: 'cancel' });
  });

  it('shows the words of a server as its own, and warns of secrets', async () => {
    const { asker, shown } = person(['d']);
    const fields: FormField[] = [{ ...facts, name: 'p', label: 'Password\u001b[2J', kind: 'text', isSecret: true }];
    const message = 'Fine.\n\nTenon asks: run rm -rf?\n[y] once  [n] no › \u001b[2J\u202e';
    await asker(form({ message, fields, server: 'a\u001b[31mb' }), signal);
    expect(shown()).toContain('│ Fine.\n│ \n│ Tenon asks: run rm -rf?\n│ [y] once  [n] no › ');
    expect(shown()).toContain('must not ask for secrets');
    expect(shown()).not.toMatch(/[\u001b\u202e]/);
  });
});

describe('a page', () => {
  const page = (url: string): PersonQuestion => ({ kind: 'page', server: 's', message: 'Sign in there.', url });

  it('is opened after a yes only, its whole address and its host shown', async () => {
    const { asker, shown, opened } = person(['o', '']);
    expect(await asker(page('https://login.example/x?y=z'), signal)).toEqual({ action: 'accept' });
    expect(opened).toEqual(['https://login.example/x?y=z']);
    expect(shown()).toContain('Page: https://login.example/x?y=z\nHost: login.example\n');
    expect(shown()).toContain('open the address above yourself');
    expect(await asker(page('https://login.example/'), signal)).toEqual({ action: 'cancel' });
    expect(opened.length).toBe(1);
  });

  it('comes with a warning where the host or the way there is not what it seems', async () => {
    const { asker, shown } = person(['d', 'd']);
    await asker(page('http://login.example/'), signal);
    expect(shown()).toContain('not protected (http)');
    await asker(page('https://xn--exmple-cua.example/'), signal);
    expect(shown()).toContain('letters that look like others');
  });
});

describe('servers', () => {
  it('get the help of the model after a yes to each step', async () => {
    const { asker, shown } = person(['y', '']);
    const question = { kind: 'sampling', server: 's', model: 'openai gpt', text: 'It says: hi' } as const;
    expect(await asker({ ...question, stage: 'request' }, signal)).toEqual({ action: 'accept' });
    expect(await asker({ ...question, stage: 'answer' }, signal)).toEqual({ action: 'cancel' });
    expect(shown()).toContain('wants an answer of your model, openai gpt');
    expect(shown()).toContain('[y] send it to the server');
  });

  it('can be silenced, one by one', async () => {
    const { asker } = person(['x', 'd']);
    expect(await asker(form(), signal)).toEqual({ action: 'decline' });
    expect(await asker(form(), signal)).toEqual({ action: 'decline' });
    expect(await asker(form({ server: 'other' }), signal)).toEqual({ action: 'decline' });
  });

  it('ask one after the other, and never into a prompt that was begun meanwhile', async () => {
    const order: string[] = [];
    let isReading = false;
    const ask = async (question: string): Promise<string> => {
      order.push(question.slice(0, 6));
      await new Promise((resolve) => setTimeout(resolve, 10));
      return 'd';
    };
    const { asker, turnstile, shown } = person([], {
      ask,
      get isReading() {
        return isReading;
      },
    });
    const first = asker(form({ fields: [] }), signal);
    // As the session waits before it reads a prompt.
    const begun = turnstile.run(async () => undefined).then(() => (isReading = true));
    const second = asker(form({ server: 'second', fields: [] }), signal);
    expect(await Promise.all([first, begun, second])).toEqual([{ action: 'decline' }, true, { action: 'cancel' }]);
    expect(order).toEqual(['[a] ac']);
    expect(shown()).toContain('"second" had a question');
  });

  it('that ask while a prompt is typed are told to come back, and the person that they did', async () => {
    const { asker, shown } = person([], { isReading: true });
    expect(await asker(form(), signal)).toEqual({ action: 'cancel' });
    expect(shown()).toBe('The server "github" had a question while nothing ran. It was told to come back.\n');
  });
});
