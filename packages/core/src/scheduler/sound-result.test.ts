import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { soundResult } from './sound-result.js';

const isWritable = (value: unknown): boolean => {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
};

describe('soundResult', () => {
  it('keeps the data of a result exactly when it can be written as JSON', () => {
    const odd = fc.constantFrom<unknown>(
      undefined,
      1n,
      Symbol('s'),
      () => 1,
      new Date(0),
      new Date(NaN),
      new Map([[1, 1n]]),
      Object(1n),
      { toJSON: () => 1n },
      { toJSON: () => undefined },
    );
    fc.assert(
      fc.property(fc.object({ values: [fc.string(), fc.double(), fc.constant(null), odd], maxDepth: 4 }), (data) => {
        const { data: kept } = soundResult({ llmContent: 'x', data }, 'tool');
        expect(kept).toBe(isWritable(data) ? data : undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves out what is in a circle or has a getter that throws, and keeps what is only deep', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = [circle];
    const throwing = Object.defineProperty({}, 'a', { enumerable: true, get: () => Number(Symbol('s')) });
    let deep: unknown = 'end';
    for (let level = 0; level < 100; level++) deep = [deep];
    const dataOf = (data: unknown): unknown => soundResult({ llmContent: 'x', data }, 'tool').data;
    expect([dataOf(circle), dataOf(throwing), dataOf(deep)]).toEqual([undefined, undefined, deep]);
  });
});
