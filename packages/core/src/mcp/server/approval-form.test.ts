import { expect, it } from 'vitest';
import { approvalForm, approvalReply, fieldsReply } from './approval-form.js';

const QUESTION = { text: 'Write a.txt', digest: 'x', canLast: true, unasked: '' };

const choicesOf = (canLast: boolean, isSession: boolean): unknown => {
  const { decision } = approvalForm({ ...QUESTION, canLast }, isSession).requestedSchema.properties;
  return decision !== undefined && 'enum' in decision ? decision.enum : undefined;
};

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

it('asks for fields where it is no yes or no that is wanted, and needs none of them', () => {
  const fields = { answer1: { type: 'string', title: 'One', enum: ['a', 'b'] } } as const;
  const asked = { ...QUESTION, fields: { answer1: { ...fields.answer1, enum: [...fields.answer1.enum] } } };
  expect(approvalForm(asked, true).requestedSchema).toEqual({ type: 'object', properties: fields });
  expect(fieldsReply('accept', { answer1: 'a' })).toEqual({ content: { answer1: 'a' } });
  expect(fieldsReply('accept', 'a')).toEqual({ content: {} });
  expect(fieldsReply('decline', { answer1: 'a' })).toBe('no');
  expect(fieldsReply('cancel', { answer1: 'a' })).toBe('dismissed');
});
