import { describe, expect, it } from 'vitest';
import type { Miss } from './edit-plan.js';
import { explainMiss } from './explain-miss.js';
import { planEdits } from './plan-edits.js';

const text =
  'import a from "a";\n\nfunction total(items) {\n  let sum = 0;\n  for (const item of items) sum += item;\n  return sum;\n}\n';

function explain(oldText: string, newText = 'x', file = text, seen?: string): Miss {
  return explainMiss({ text: file, step: { oldText, newText, replaceAll: false }, seen });
}

describe('explainMiss', () => {
  it('shows the nearest lines with their place (S92)', () => {
    const oldText = 'function total(items) {\n  let sum = 1;\n  for (const item of items) sum += item;\n';
    expect(explain(oldText)).toEqual({
      cause: 'near-miss',
      nearest: {
        firstLine: 2,
        lines: ['function total(items) {', '  let sum = 0;', '  for (const item of items) sum += item;'],
      },
      suggestion: 'function total(items) {\n  let sum = 0;\n  for (const item of items) sum += item;\n',
    });
  });

  it('finds the line that is most like the target when none is equal', () => {
    expect(explain('for (const it of items) sum += it;').nearest?.firstLine).toBe(4);
  });

  it.each([
    ['line-numbers', '7→function total(items) {\n4→  let sum = 0;', 'x'],
    ['escapes', '  let sum = 0;\\n  for (const item of items) sum += item;', 'x\ny'],
    ['white-space', 'function total( items ) {', 'x'],
    ['tabs', 'let\tsum = 0;', 'x'],
    ['white-space', 'sum = 0;  for (const', 'x'],
    ['letter-case', 'Function Total(Items) {', 'x'],
    ['already-applied', 'let total = 0;', '  let sum = 0;'],
    ['elided', 'function total(items) {\n  ...\n}', 'x'],
    ['wrong-file', 'zzzzzz qqqqqq', 'x'],
  ])('names %s as the cause', (cause, oldText, newText) => {
    expect(explain(oldText, newText).cause).toBe(cause);
  });

  it('knows a stale copy by what the caller saw, and shows what stands there now', () => {
    const seen = text.replace('  return sum;', '  return sum ** 2;');
    expect(explain('  return sum ** 2;\n}', 'x', text, seen)).toMatchObject({
      cause: 'stale-copy',
      suggestion: '  return sum;\n}',
    });
  });

  it('suggests nothing where another place is as near', () => {
    const file = 'a();\nlet total = compute(1);\nb();\nlet total = compute(2);\nc();\n';
    expect(explain('let total = compute(3);', 'x', file)).toMatchObject({ suggestion: undefined, tied: 4 });
  });

  it.each([
    ['cut off behind its start', (line: string) => `${line.slice(0, 60)}…`],
    ['cut off before its end', (line: string) => `…${line.slice(-60)}`],
    ['without its middle', (line: string) => `${line.slice(0, 40)} ... ${line.slice(-40)}`],
    ['with another end', (line: string) => `${line.slice(0, 90)}${line.slice(-90).toUpperCase().slice(0, 30)}`],
  ])('finds a long line that was sent %s', (_, cut) => {
    const long = `export const help = '${Array.from({ length: 40 }, (_each, index) => `word${index}`).join(' ')}';`;
    const file = `first();\n${long}\nlast();\n`;
    expect(explain(cut(long), 'x', file)).toMatchObject({
      cause: 'near-miss',
      nearest: { firstLine: 1, lines: [long] },
      suggestion: undefined,
    });
  });

  it.each([
    ['a\nfunction total( items ) {\n'],
    ['function total( items ) {\nlet sum = 0;'],
    ['Return Sum'],
    ['for (const it of items) sum += it;\n  return sum;'],
    ['function total(items) {\n  // ... rest of code\n  return sum;\n}'],
  ])('suggests what applies when it is sent back: %j', (oldText) => {
    const { suggestion } = explain(oldText);
    if (suggestion === undefined) return;
    const plan = planEdits({ text, steps: [{ oldText: suggestion, newText: 'new text', replaceAll: false }] });
    expect(plan).toMatchObject({ outcome: 'edit', steps: [{ tier: 'exact', count: 1 }] });
  });

  it('has a bounded cost on a large file with a large target', () => {
    const large = Array.from({ length: 200_000 }, (_, index) => `const value${index} = compute(${index});`).join('\n');
    const oldText = Array.from({ length: 400 }, (_, index) => `const valve${index} = compote(${index});`).join('\n');
    const started = performance.now();
    explain(oldText, 'x', large);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
