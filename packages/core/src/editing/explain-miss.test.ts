import { describe, expect, it } from 'vitest';
import { explainMiss } from './explain-miss.js';

const text =
  'import a from "a";\n\nfunction total(items) {\n  let sum = 0;\n  for (const item of items) sum += item;\n  return sum;\n}\n';

describe('explainMiss', () => {
  it('shows the nearest lines with their place (S92)', () => {
    const oldText = 'function total(items) {\n  let sum = 1;\n  for (const item of items) sum += item;\n';
    const { nearest } = explainMiss({ text, oldText, newText: 'x' });
    expect(nearest).toEqual({
      firstLine: 2,
      lines: ['function total(items) {', '  let sum = 0;', '  for (const item of items) sum += item;'],
    });
  });

  it('finds the line that is most like the target when none is equal', () => {
    const { nearest } = explainMiss({ text, oldText: 'for (const it of items) sum += it;', newText: 'x' });
    expect(nearest?.firstLine).toBe(4);
  });

  it.each([
    ['line numbers', '3→function total(items) {\n4→  let sum = 0;', 'x'],
    ['escaping', '  let sum = 0;\\n  for (const item of items) sum += item;', 'x'],
    ['white space', 'function total( items ) {', 'x'],
    ['upper and lower case', 'Function Total(Items) {', 'x'],
    ['stands in the file already', 'let total = 0;', '  let sum = 0;'],
  ])('names %s as the cause', (cause, oldText, newText) => {
    expect(explainMiss({ text, oldText, newText }).cause).toContain(cause);
  });

  it('says nothing rather than something wrong', () => {
    expect(explainMiss({ text, oldText: 'zzzzzz qqqqqq', newText: 'x' })).toEqual({ cause: '', nearest: undefined });
  });

  it('has a bounded cost on a large file with a large target', () => {
    const large = Array.from({ length: 200_000 }, (_, index) => `const value${index} = compute(${index});`).join('\n');
    const oldText = Array.from({ length: 400 }, (_, index) => `const valve${index} = compote(${index});`).join('\n');
    const started = performance.now();
    explainMiss({ text: large, oldText, newText: 'x' });
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
