import { expect, it } from 'vitest';
import { approvalForm, approvalReply } from './approval-form.js';

const QUESTION = { text: 'Write a.txt', digest: 'x', canLast: true, unasked: '' };

const choicesOf = (canLast: boolean, isSession: boolean): readonly string[] =>
  approvalForm({ ...QUESTION, canLast }, isSession).requestedSchema.properties.decision.enum;

it('offers what can be kept', () => {
  expect(choicesOf(true, true)).toEqual(['allow once', 'allow for this session', 'decline']);
  expect(choicesOf(false, true)).toEqual(['allow once', 'decline']);
  expect(choicesOf(true, false)).toEqual(['allow once', 'decline']);
});

it('shows both ends of a long question', () => {
  const { message } = approvalForm({ ...QUESTION, text: `begin ${'x'.repeat(100_000)} end` }, true);
  expect(message.length).toBeLessThan(13_000);
  expect(message).toMatch(/^begin .* end$/s);
});

it('takes for yes only what is one', () => {
  expect(approvalReply('accept', { decision: 'allow once' })).toBe('once');
  expect(approvalReply('accept', { decision: 'allow for this session' })).toBe('session');
  expect(approvalReply('cancel', { decision: 'allow once' })).toBe('dismissed');
  for (const [action, content] of [
    ['decline', { decision: 'allow once' }],
    ['accept', { decision: 'decline' }],
    ['accept', { decision: 'Allow once' }],
    ['accept', { decision: true }],
    ['accept', {}],
    ['accept', null],
    ['accept', 'allow once'],
    ['yes', { decision: 'allow once' }],
  ] as const) {
    expect(approvalReply(action, content)).toBe('no');
  }
});
