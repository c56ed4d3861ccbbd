import type { StopReason } from '@tenon/core';
import { expect, it } from 'vitest';
import { denialLines, endLines, type PromptEnd } from '../../ui/end-lines.js';
import { exitCodeOf } from './outcome.js';

const denial = {
  callId: '1',
  toolName: 't',
  title: 'Run npm test',
  reason: 'nobody could be asked',
  rules: ["Bash(npm 'x')"],
};

function end(stopReason: StopReason, denials: PromptEnd['denials'] = []): PromptEnd {
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { type: 'prompt-end', stopReason, text: '', turns: 3, toolCalls: 1, denials, usage };
}

it.each([
  ['completed', 0],
  ['cancelled', 130],
  ['max-turns', 5],
  ['max-tool-calls', 5],
  ['max-seconds', 5],
  ['max-cost', 5],
  ['loop', 6],
  ['empty-answer', 12],
  ['model-error', 9],
] as const)('ends with its own code after %s', (stopReason, code) => {
  expect(exitCodeOf(end(stopReason))).toBe(code);
});

it('says by the code that something was denied, unless the run itself failed', () => {
  expect(exitCodeOf(end('completed', [denial]))).toBe(4);
  expect(exitCodeOf(end('max-turns', [denial]))).toBe(5);
});

const nobody = { wasByPerson: () => false, wasByNobody: () => true };

it('gives the rule that would allow a denied call, quoted for a shell', () => {
  expect(denialLines([denial], nobody)).toEqual([
    'denied: Run npm test (nobody could be asked)',
    `  to allow it: --allow 'Bash(npm '\\''x'\\'')'`,
  ]);
  expect(denialLines([{ ...denial, rules: [] }], { ...nobody, wasByNobody: () => false })).toHaveLength(1);
  const command = { ...denial, toolName: 'run_shell_command', rules: [] };
  expect(denialLines([command], nobody)[1]).toContain('no rule that is safe to suggest');
});

it('tells a person who said no nothing about how to allow it', () => {
  expect(denialLines([denial], { ...nobody, wasByPerson: () => true })).toEqual([]);
});

it('says why it stopped only when that was not the model’s own end', () => {
  expect(endLines(end('completed'))).toEqual([]);
  expect(endLines(end('max-turns'))[0]).toContain('3 turns');
});
