import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { ToolConfirmationOutcome, type ApprovalRequest } from '@tenon/core';
import { createOutput } from '../../output.js';
import type { Terminal } from '../../ui/terminal.js';
import { createTurnstile } from '../../ui/turnstile.js';
import { createApprover } from './approver.js';
import { choicesFor } from './panels/approval-choices.js';

const signal = new AbortController().signal;

function request(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    callId: '1',
    toolName: 'edit',
    displayName: 'Edit',
    description: 'Edit a.txt',
    effects: [],
    details: {
      type: 'edit',
      title: 'Confirm Edit: a.txt',
      fileDiff: '',
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

/** A person whose lines are known beforehand. */
function person(lines: readonly (string | undefined)[], edited = 'b\n') {
  const left = [...lines];
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
    editText: async () => edited,
    interrupt: () => (interrupts += 1),
  });
  return { approver, shown: () => shown, left, interrupts: () => interrupts };
}

it.each([
  ['y', ToolConfirmationOutcome.ProceedOnce],
  ['YES', ToolConfirmationOutcome.ProceedOnce],
  ['a', ToolConfirmationOutcome.ProceedAlways],
  ['p', ToolConfirmationOutcome.ProceedAlwaysProject],
])('takes %s as %s (S53)', async (line, outcome) => {
  expect(await person([line]).approver(request(), signal)).toEqual({ outcome });
});

it.each([
  ['g', ToolConfirmationOutcome.ProceedAlways],
  ['KIND', ToolConfirmationOutcome.ProceedAlways],
  ['k', ToolConfirmationOutcome.ProceedAlwaysProject],
  ['kind in project', ToolConfirmationOutcome.ProceedAlwaysProject],
])('takes %s as %s for all calls of the kind', async (line, outcome) => {
  const general = request({ generalRules: ['Edit(src/**)'] });
  expect(await person([line]).approver(general, signal)).toEqual({ outcome, isGeneral: true });
});

it('keeps "always" to what was seen where the kind could be chosen as well', async () => {
  const general = request({ generalRules: ['Edit(src/**)'] });
  expect(await person(['a']).approver(general, signal)).toEqual({ outcome: 'proceed_always' });
  expect(await person(['p']).approver(general, signal)).toEqual({ outcome: 'proceed_always_project' });
});

it('takes g and k for no answer where no kind was offered', async () => {
  const asked = person(['g', 'k', 'y']);
  expect(await asked.approver(request(), signal)).toEqual({ outcome: 'proceed_once' });
  expect(asked.shown()).not.toContain('always this kind');
  expect(asked.shown()).toContain('Please answer y, a, p, e, n.');
});

it('shows the rules of the kind, and offers its keys only with them', async () => {
  const asked = person(['']);
  const exec = { type: 'exec', title: 'Run', command: 'npm test x' } as const;
  const rules = { alwaysRules: ['Bash(npm test x)'], generalRules: ['Bash(npm test *)'] };
  await asked.approver(request({ details: exec, ...rules }), signal);
  expect(asked.shown()).toContain('Bash(npm test *)');
  expect(asked.shown()).toContain('[g] always this kind, this session');
  expect(asked.shown()).toContain('[k] always this kind, in this project');
  const keys = choicesFor(request({ details: exec, ...rules })).map(({ key }) => key);
  expect(keys.join('')).toBe('yapgkn');
});

it('takes Enter as no, and hands on what the person says to it', async () => {
  expect(await person(['', '']).approver(request(), signal)).toEqual({ outcome: 'cancel' });
  expect(await person(['n', 'use tabs']).approver(request(), signal)).toEqual({
    outcome: 'cancel',
    feedback: 'use tabs',
  });
});

it('asks again after anything else', async () => {
  const asked = person(['what?', 'q', 'y']);
  expect(await asked.approver(request(), signal)).toEqual({ outcome: 'proceed_once' });
  expect(asked.shown()).toContain('Please answer y, a, p, e, n.');
});

it('takes Ctrl-C and Ctrl-D as no, and cancels the run', async () => {
  const asked = person([undefined]);
  expect(await asked.approver(request(), signal)).toEqual({ outcome: 'cancel' });
  expect(asked.interrupts()).toBe(1);
});

it('cancels the run as well at the question that follows a no', async () => {
  const asked = person(['n', undefined]);
  expect(await asked.approver(request(), signal)).toEqual({ outcome: 'cancel' });
  expect(asked.interrupts()).toBe(1);
});

it('runs the person’s own version, and asks again when nothing was changed (S56, S82)', async () => {
  expect(await person(['e'], 'mine\n').approver(request(), signal)).toEqual({
    outcome: 'modify_with_editor',
    newContent: 'mine\n',
  });
  expect(await person(['e', 'y']).approver(request(), signal)).toEqual({ outcome: 'proceed_once' });
});

it('offers "always" and "edit" only where they can be kept', () => {
  const keys = (changes: Partial<ApprovalRequest>): string =>
    choicesFor(request(changes))
      .map(({ key }) => key)
      .join('');
  expect(keys({})).toBe('yapen');
  expect(keys({ alwaysRules: [] })).toBe('yen');
  expect(keys({ canModify: false })).toBe('yapn');
  expect(keys({ details: { type: 'exec', title: 't', command: 'c' } })).toBe('yapn');
});

it('shows all of a question that was shortened, on demand and without taking that for an answer', async () => {
  const command = Array.from({ length: 300 }, (_value, index) => `echo step-${index};`).join('\n');
  const asked = person(['s', 'y']);
  const long = request({ details: { type: 'exec', title: 'Run', command } });
  expect(await asked.approver(long, signal)).toEqual({ outcome: 'proceed_once' });
  const [short, whole, after] = asked.shown().split('[s] show all');
  expect(short).not.toContain('step-150;');
  expect(whole).toContain('step-150;');
  expect(after).not.toContain('step-');
  const unasked = person(['s', 'y']);
  await unasked.approver(request(), signal);
  expect(unasked.shown()).toContain('Please answer y, a, p, e, n.');
});

it('does not take a for an answer where "always" was not offered', async () => {
  expect(await person(['a', 'y']).approver(request({ alwaysRules: [] }), signal)).toEqual({ outcome: 'proceed_once' });
});

it('asks about one call after the other and shows hidden characters (S24)', async () => {
  const asked = person(['y', 'n', '']);
  const hostile = request({ description: 'Edit b\u202etxt.exe\u001b[2J' });
  const answers = await Promise.all([asked.approver(request(), signal), asked.approver(hostile, signal)]);
  expect(answers.map(({ outcome }) => outcome)).toEqual(['proceed_once', 'cancel']);
  expect(asked.shown()).not.toContain('\u001b[2J');
  expect(asked.shown()).toContain('\\u{202e}');
});

it('answers no without a question once the run was cancelled', async () => {
  const asked = person(['y']);
  expect(await asked.approver(request(), AbortSignal.abort())).toEqual({ outcome: 'cancel' });
  expect(asked.left).toEqual(['y']);
});
