import { ToolConfirmationOutcome, type ApprovalReply, type ApprovalRequest } from '@tenon/core';
import { expect, it } from 'vitest';
import { askingApprover, EditQueue, progressLine, questionOf, type Askers } from './served-call.js';

const REQUEST: ApprovalRequest = {
  callId: 'one',
  toolName: 'write_file',
  displayName: 'WriteFile',
  description: 'a\u202e.txt',
  effects: [],
  details: {
    type: 'edit',
    title: 'Confirm Write: a.txt',
    fileDiff: '--- a\n+++ a\n@@ -0,0 +1 @@\n+new\n',
    originalContent: null,
    newContent: 'new\n',
  },
  reason: 'default mode asks',
  alwaysRules: ['Edit(/a.txt)'],
  generalRules: ['Edit'],
  canModify: true,
  changedSinceApproval: false,
};

it('asks the same of the same call, and something else of any other', () => {
  const { digest } = questionOf(REQUEST);
  expect(questionOf({ ...REQUEST, callId: 'two', changedSinceApproval: true }).digest).toBe(digest);
  expect(questionOf({ ...REQUEST, details: { ...REQUEST.details, onConfirm: async () => undefined } }).digest).toBe(
    digest,
  );
  for (const other of [
    { toolName: 'edit' },
    { effects: [{ kind: 'unknown', reason: 'x' }] },
    { details: { ...REQUEST.details, newContent: 'old\n' } },
  ] as const) {
    expect(questionOf({ ...REQUEST, ...other }).digest).not.toBe(digest);
  }
});

it('shows what is done, why it is asked and what would last, with nothing hidden', () => {
  const { text, canLast } = questionOf(REQUEST);
  expect(text).toContain('+new');
  expect(text).toContain('default mode asks');
  expect(text).toContain('Allowed for this session would be: Edit(/a.txt)');
  expect(text).not.toContain('\u202e');
  expect(text).not.toContain('"Always"');
  expect(canLast).toBe(true);
  expect(questionOf({ ...REQUEST, alwaysRules: [] }).canLast).toBe(false);
});

it.each<[ApprovalReply, ToolConfirmationOutcome]>([
  ['once', ToolConfirmationOutcome.ProceedOnce],
  ['session', ToolConfirmationOutcome.ProceedAlways],
  ['no', ToolConfirmationOutcome.Cancel],
  ['dismissed', ToolConfirmationOutcome.Cancel],
  ['parked', ToolConfirmationOutcome.Cancel],
  ['nobody', ToolConfirmationOutcome.Cancel],
])('takes %s for %s', async (reply, outcome) => {
  const askers: Askers = new Map([['one', { ask: () => reply }]]);
  expect(await askingApprover(askers)(REQUEST, new AbortController().signal)).toEqual({ outcome });
});

it('puts questions of the model as fields, and takes what was filled in for the answers', async () => {
  const questions = [
    {
      question: 'Which?',
      header: 'One',
      options: [
        { label: 'a', description: '' },
        { label: 'b', description: '' },
      ],
      multiSelect: false,
    },
    {
      question: 'And?',
      header: 'More',
      options: [
        { label: 'x', description: '' },
        { label: 'y', description: '' },
      ],
      multiSelect: true,
    },
  ];
  const asked: ApprovalRequest = { ...REQUEST, details: { type: 'question', title: 'Questions', questions } };
  const { fields, text, unasked } = questionOf(asked);
  expect(fields).toEqual({
    answer1: { type: 'string', title: 'One', description: 'Which?', enum: ['a', 'b'] },
    words1: { type: 'string', title: 'One: in your own words' },
    answer2: { type: 'array', title: 'More', description: 'And?', items: { type: 'string', enum: ['x', 'y'] } },
    words2: { type: 'string', title: 'More: in your own words' },
  });
  expect(text).toContain('Which?');
  expect(unasked).toContain('Decide yourself');
  const content = { answer1: 'b', answer2: ['y', 7], words2: ' ' };
  const askers: Askers = new Map([['one', { ask: () => ({ content }) }]]);
  expect(await askingApprover(askers)(asked, new AbortController().signal)).toEqual({
    outcome: ToolConfirmationOutcome.ProceedOnce,
    answers: [{ selected: ['b'] }, { selected: ['y'] }],
  });
});

it('lets nothing run for a call that nobody stands for', async () => {
  expect(await askingApprover(new Map())(REQUEST, new AbortController().signal)).toEqual({
    outcome: ToolConfirmationOutcome.Cancel,
  });
});

it('tells the last line of what is printed', () => {
  expect(progressLine('one\ntwo \n\n')).toBe('two');
  expect(progressLine('')).toBe('');
  expect(progressLine({ status: 'reading', progress: 0.5 })).toBe('reading');
});

it('lets edits wait for one another, whatever becomes of them, and nothing else', async () => {
  const queue = new EditQueue();
  const order: string[] = [];
  const work =
    (name: string, ms: number, fails = false) =>
    async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      order.push(name);
      if (fails) throw new Error(name);
    };
  const first = queue.run('edit', work('first', 30, true));
  const second = queue.run('edit', work('second', 0));
  const read = queue.run('read', work('read', 0));
  await Promise.allSettled([first, second, read]);
  await expect(first).rejects.toThrow('first');
  expect(order).toEqual(['read', 'first', 'second']);
});
