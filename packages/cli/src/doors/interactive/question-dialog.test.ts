import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest, AskedQuestion } from '@tenon/core';
import { createOutput } from '../../output.js';
import type { Terminal } from '../../ui/terminal.js';
import { createTurnstile } from '../../ui/turnstile.js';
import { createApprover } from './approver.js';
import { readLine } from './question-dialog.js';

const one: AskedQuestion = {
  question: 'Which database?\u001b[2J',
  header: 'Database',
  options: [
    { label: 'SQLite', description: 'One file.' },
    { label: 'Postgres', description: '', preview: 'port 5432' },
  ],
  multiSelect: false,
};
const several: AskedQuestion = { ...one, question: 'Which parts?', multiSelect: true };

function request(details: ApprovalRequest['details'], agent?: string): ApprovalRequest {
  return {
    callId: '1',
    ...(agent !== undefined && { agent }),
    toolName: 't',
    displayName: 'T',
    description: 'd',
    effects: [{ kind: 'ask' }],
    details,
    reason: 'it is a question for you',
    alwaysRules: [],
    canModify: true,
    changedSinceApproval: false,
  };
}

/** What a person with these lines answers, and what they saw. */
async function answered(
  asked: ApprovalRequest,
  lines: readonly (string | undefined)[],
  edited: readonly string[] = [],
) {
  const left = [...lines];
  const texts = [...edited];
  const stream = new PassThrough();
  let shown = '';
  let interrupts = 0;
  stream.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const terminal: Terminal = {
    ask: async (question) => {
      shown += question;
      return left.shift();
    },
    readPrompt: async () => ({ kind: 'end' }),
    isReading: false,
    interject: (write) => write(),
  };
  const approver = createApprover({
    terminal,
    screen: createOutput(stream as never, {}, () => undefined),
    turnstile: createTurnstile(),
    editText: async (text) => texts.shift() ?? text,
    interrupt: () => (interrupts += 1),
  });
  const answer: ApprovalAnswer = await approver(asked, new AbortController().signal);
  return { answer, shown, interrupts };
}

describe('questions of the model in lines', () => {
  it('are asked one after the other, with what the answers mean', async () => {
    const questions = { type: 'question', title: '2 questions', questions: [one, several] } as const;
    const { answer, shown } = await answered(request(questions, 'explore'), ['2', '1, sqlite']);
    expect(answer).toEqual({
      outcome: 'proceed_once',
      answers: [{ selected: ['Postgres'] }, { selected: ['SQLite'] }],
    });
    expect(shown).toContain('The subagent explore has a question for you (1 of 2)');
    expect(shown).toContain('│ Which database?\\u{1b}[2J');
    expect(shown).toContain('  1  │ SQLite\n     │ One file.');
    expect(shown).toContain('     │ port 5432');
    expect(shown).toContain('several may be chosen');
  });

  it('are left by Ctrl-C, which stops the run too', async () => {
    const questions = { type: 'question', title: '', questions: [one, several] } as const;
    const { answer, interrupts } = await answered(request(questions), ['1', undefined]);
    expect(answer).toEqual({ outcome: 'cancel' });
    expect(interrupts).toBe(1);
  });

  it.each<[AskedQuestion, string, object]>([
    [one, '', {}],
    [one, '1', { selected: ['SQLite'] }],
    [one, ' postgres ', { selected: ['Postgres'] }],
    [one, '3', { words: '3' }],
    [one, '1 and 2', { words: '1 and 2' }],
    [one, '1, 2', { words: '1, 2' }],
    [several, '1, 2', { selected: ['SQLite', 'Postgres'] }],
    [several, '2 1', { selected: ['SQLite', 'Postgres'] }],
    [several, '1, 9', { words: '1, 9' }],
    [several, 'neither', { words: 'neither' }],
  ])('take %# as what it is', (question, line, expected) => {
    expect(readLine(question, line)).toEqual(expected);
  });
});

describe('a plan in lines', () => {
  const plan = {
    type: 'plan',
    title: 'Leave plan mode and carry out this plan?',
    plan: '1. Read\n',
    choices: [
      { outcome: 'proceed_once', mode: 'default' },
      { outcome: 'proceed_always', mode: 'auto_edit' },
      { outcome: 'restore_previous', mode: 'yolo' },
    ],
  } as const;

  it.each<[string, object]>([
    ['y', { outcome: 'proceed_once' }],
    ['accept edits', { outcome: 'proceed_always' }],
    ['r', { outcome: 'restore_previous' }],
  ])('is approved by %s', async (line, expected) => {
    expect((await answered(request(plan), [line])).answer).toEqual(expected);
  });

  it('is changed as often as the person likes, and agreed to as they made it', async () => {
    const { answer, shown } = await answered(request(plan), ['e', 'e', 'e', 'y'], ['1. Look\n', ' ', '1. Look well\n']);
    expect(answer).toEqual({ outcome: 'proceed_once', newContent: '1. Look well\n' });
    expect(shown).toContain('An empty plan is none');
    expect(shown).toContain('  1. Look well');
  });

  it('is declined with words', async () => {
    const { answer } = await answered(request(plan), ['e', 'n', 'no'], ['1. Look\n']);
    expect(answer).toEqual({ outcome: 'cancel', feedback: 'no' });
  });
});
