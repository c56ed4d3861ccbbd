import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HookAnswer } from './hook-types.js';
import { mergeRuns, type PlacedRun } from './merge-runs.js';

const answers = fc.record(
  {
    decision: fc.constantFrom('deny' as const, 'ask' as const, 'allow' as const),
    reason: fc.string(),
    updatedInput: fc.constantFrom({ command: 'a' }, { command: 'b' }),
    context: fc.string({ minLength: 1 }),
    updatedOutput: fc.constantFrom('x', 'y'),
    stop: fc.string(),
  },
  { requiredKeys: [] },
);
const runs = fc
  .array(
    fc.record({
      answer: answers,
      failClosed: fc.boolean(),
      problem: fc.option(fc.constant('ended with exit code 1'), { nil: undefined }),
      durationMs: fc.nat(1000),
    }),
    { maxLength: 6 },
  )
  .map((list) =>
    list.map(({ answer, failClosed, problem, durationMs }, place): PlacedRun => {
      const hook = { event: 'PreToolUse' as const, name: `hook ${place}`, failClosed };
      return { hook, place, answer, durationMs, ...(problem !== undefined && { problem }) };
    }),
  );

function run(place: number, answer: HookAnswer, more: { failClosed?: boolean; problem?: string } = {}): PlacedRun {
  const { failClosed = false, problem } = more;
  const hook = { event: 'PreToolUse' as const, name: `hook ${place}`, failClosed };
  return { hook, place, answer, durationMs: 1, ...(problem !== undefined && { problem }) };
}

describe('the words of hooks, put together', () => {
  it('are the same in whatever order the hooks ended', () => {
    fc.assert(
      fc.property(
        runs.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          expect(mergeRuns(shuffled, 'c')).toEqual(mergeRuns(list, 'c'));
        },
      ),
    );
  });

  it('are never looser than any of them', () => {
    fc.assert(
      fc.property(runs, (list) => {
        const { decision } = mergeRuns(list);
        const said = list.map(({ answer }) => answer.decision);
        const fails = list.some(({ problem, hook }) => problem !== undefined && hook.failClosed);
        if (said.includes('deny') || fails) expect(decision).toBe('deny');
        else if (said.includes('ask')) expect(decision).toBe('ask');
        else expect(decision).toBe(said.includes('allow') ? 'allow' : undefined);
      }),
    );
  });

  it('change the input by the first that wants to, and tell the others', () => {
    const merged = mergeRuns([run(1, { updatedInput: { a: 2 } }), run(0, { updatedInput: { a: 1 } })]);
    expect(merged.updatedInput).toEqual({ a: 1 });
    expect(merged.changedBy).toEqual([0]);
    expect(merged.events.map(({ problem }) => problem !== undefined)).toEqual([false, true]);
  });

  it('take one change for another where both are the same, and none beside a deny', () => {
    const same = mergeRuns([run(0, { updatedInput: { a: 1 } }), run(1, { updatedInput: { a: 1 } })]);
    expect(same.changedBy).toEqual([0, 1]);
    const denied = mergeRuns([run(0, { updatedInput: { a: 1 } }), run(1, { decision: 'deny', reason: 'no' })]);
    expect(denied).toMatchObject({ decision: 'deny', reason: 'the hook "hook 1": no', changedBy: [] });
    expect(denied.updatedInput).toBeUndefined();
  });

  it('withhold a result that a hook which fails closed did not look at', () => {
    const hook = { event: 'PostToolUse' as const, name: 'redact', failClosed: true };
    const failed = { hook, place: 1, answer: {}, durationMs: 1, problem: 'ended with exit code 1' };
    const other = { ...failed, hook: { ...hook, name: 'other' }, place: 0, answer: { updatedOutput: 'secret' } };
    const { updatedOutput } = mergeRuns([failed, { ...other, problem: undefined as never }].map(clean));
    expect(updatedOutput).toContain('withheld');
  });
});

function clean({ problem, ...rest }: PlacedRun): PlacedRun {
  return problem === undefined ? rest : { ...rest, problem };
}
