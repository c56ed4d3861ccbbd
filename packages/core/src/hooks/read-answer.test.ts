import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from './hook-types.js';
import { readCommandAnswer, readTextAnswer } from './read-answer.js';

const pre = (stdout: string, code: number | null = 0, stderr = '') =>
  readCommandAnswer('PreToolUse', { code, stdout, stderr });
const specific = (more: object) =>
  pre(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } }));

describe('the word of a program', () => {
  it('is a block with exit code 2, and its reason stderr, whatever it printed', () => {
    expect(pre('{"decision": "approve"', 2, 'not here\n').answer).toEqual({ decision: 'deny', reason: 'not here' });
  });

  it('is a failure with any other code or a signal', () => {
    expect(pre('', 1, 'a\nboom').problem).toBe('ended with exit code 1: boom');
    expect(pre('', null).problem).toBe('was ended by a signal');
    expect(pre('{"decision":"block"}', 1).answer).toEqual({});
  });

  it.each(['allow', 'ask', 'deny'] as const)('is %s by permissionDecision', (decision) => {
    const { answer } = specific({ permissionDecision: decision, permissionDecisionReason: 'why' });
    expect(answer).toEqual({ decision, reason: 'why' });
  });

  it('is understood in the older form', () => {
    expect(pre('{"decision": "block", "reason": "r"}').answer).toEqual({ decision: 'deny', reason: 'r' });
    expect(pre('{"decision": "approve"}').answer).toEqual({ decision: 'allow' });
    expect(pre('{"continue": false, "stopReason": "enough"}').answer).toEqual({ stop: 'enough' });
    expect(specific({ permissionDecision: 'defer' }).answer).toEqual({});
  });

  it('changes the input, adds context and speaks to the person', () => {
    const { answer } = specific({ updatedInput: { command: 'ls' }, additionalContext: 'note' });
    expect(answer).toEqual({ updatedInput: { command: 'ls' }, context: 'note' });
    expect(pre('{"systemMessage": "hello"}').answer).toEqual({ message: 'hello' });
  });

  it('answers for the person', () => {
    const answerOf = (decision: object) =>
      readTextAnswer(
        'PermissionRequest',
        JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }),
      ).answer;
    expect(answerOf({ behavior: 'deny', message: 'm', interrupt: true })).toEqual({
      decision: 'deny',
      reason: 'm',
      stop: 'm',
    });
    expect(answerOf({ behavior: 'allow', updatedInput: { a: 1 } })).toEqual({
      decision: 'allow',
      updatedInput: { a: 1 },
    });
  });

  it('is context as plain text before a prompt and at the start, and nothing elsewhere', () => {
    expect(readTextAnswer('UserPromptSubmit', ' a note \n').answer).toEqual({ context: 'a note' });
    expect(readTextAnswer('SessionStart', 'b').answer).toEqual({ context: 'b' });
    expect(pre('chatter').answer).toEqual({});
  });

  it('keeps what forbids and drops what loosens where any of it is wrong', () => {
    const wrong = specific({ permissionDecision: 'deny', additionalContext: 5, updatedInput: { a: 1 } });
    expect(wrong.answer).toEqual({ decision: 'deny' });
    expect(wrong.problem).toContain('"additionalContext" is no text');
    expect(specific({ permissionDecision: 'allow', updatedInput: [] }).answer).toEqual({});
    expect(specific({ permissionDecision: 'yes' }).problem).toContain('none of');
    expect(pre('{"decision": ').problem).toContain('cannot be read');
    const other = JSON.stringify({ hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'allow' } });
    expect(pre(other).answer).toEqual({});
  });

  it('is read whatever it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...HOOK_EVENTS), fc.json(), fc.integer({ min: 0, max: 3 }), (event, stdout, code) => {
        const { answer } = readCommandAnswer(event, { code, stdout, stderr: '' });
        expect(answer.decision === 'deny' || code !== 2).toBe(true);
      }),
    );
  });
});
