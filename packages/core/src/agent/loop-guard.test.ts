import { describe, expect, it } from 'vitest';
import { LoopGuard } from './loop-guard.js';

const feed = (guard: LoopGuard, calls: string): (string | undefined)[] =>
  calls.split('').map((name) => guard.add({ toolName: name, args: '{}', result: 'same' }));

describe('LoopGuard', () => {
  it('stops the fifth identical call with an identical result', () => {
    const answers = feed(new LoopGuard(), 'aaaaa');
    expect(answers.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
    expect(answers[4]).toContain('a was called 5 times in a row');
  });

  it('lets polling pass, whose result changes', () => {
    const guard = new LoopGuard();
    for (let round = 0; round < 50; round++) {
      expect(guard.add({ toolName: 'poll', args: '{}', result: String(round) })).toBeUndefined();
    }
  });

  it('sees calls that take turns', () => {
    expect(feed(new LoopGuard(), 'abababab').at(-1)).toContain('the same 2 calls were made 4 times');
    expect(feed(new LoopGuard(), 'abcabcabcabc').at(-1)).toContain('the same 3 calls');
    expect(feed(new LoopGuard(), 'aabbaabbab').every((answer) => answer === undefined)).toBe(true);
  });
});
