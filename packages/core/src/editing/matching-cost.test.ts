import { describe, expect, it } from 'vitest';
import type { EditPlan, EditStep } from './edit-plan.js';
import { planEdits } from './plan-edits.js';

/** Far more than is needed anywhere: it tells what grows with the square of the text from what does not. */
const GENEROUS_MS = 10_000;

function plan(text: string, oldText: string, newText: string, options: Partial<EditStep> = {}): EditPlan {
  const start = performance.now();
  const result = planEdits({ text, steps: [{ oldText, newText, replaceAll: false, ...options }] });
  expect(performance.now() - start).toBeLessThan(GENEROUS_MS);
  return result;
}

const content = (result: EditPlan): string => (result.outcome === 'edit' ? result.newContent : result.failure.reason);
const tier = (result: EditPlan): string | undefined =>
  result.outcome === 'edit' ? result.steps[0]?.tier : result.failure.reason;

function numbered(count: number, line: (index: number) => string): string {
  return `${Array.from({ length: count }, (_, index) => line(index)).join('\n')}\n`;
}

describe('the cost of matching', () => {
  it('grows with the lines that are indented otherwise, not with their square', () => {
    const old = numbered(20_000, (index) => `  ${index % 5 === 0 ? '' : '  '}call${index}(a);`);
    const renewed = numbered(
      30_000,
      (index) => `  ${index % 5 === 0 ? '' : '  '}call${index}(${index % 3 === 0 ? 'b' : 'a'});`,
    );
    const shifted = (text: string): string => text.replace(/^ /gm, '      ');
    const result = plan(shifted(old), old, renewed);
    expect(tier(result)).toBe('indentation');
    expect(content(result) === shifted(renewed)).toBe(true);
  });

  it('grows with the places of a relaxed replacement of all, not with places times lines', () => {
    const text = numbered(100_000, (index) => `    foo(1);\n    bar(2);\ncall${index}`);
    const result = plan(text, '  foo(1);\n  bar(2);', '  foo(3);\n  bar(2);', { replaceAll: true });
    expect(tier(result)).toBe('indentation');
    expect(content(result) === text.replaceAll('foo(1)', 'foo(3)')).toBe(true);
  });

  it('grows with the places that hold look-alikes', () => {
    const text = numbered(100_000, (index) => `    foo(‘1’, ${index});`);
    const result = plan(text, "foo('1',", "foo('2',", { replaceAll: true });
    expect(tier(result)).toBe('look-alikes');
  });

  it('of a large text stays small, whether the target is there, is not, or is nearly', () => {
    const text = numbered(60_000, (index) => `    const value${index} = “${index}”; // it’s so`);
    expect(content(plan(text, 'const value59999 = “59999”', 'x')).length).toBeLessThan(text.length);
    expect(tier(plan(text, 'const value59999 = "59999"', 'const value59999 = "0"'))).toBe('look-alikes');
    expect(tier(plan(text, 'nothing like it\nat all', 'x'))).toBe('not-found');
    expect(tier(plan(text, '      const value7 = “7”; // it’s so\nnot there', 'x'))).toBe('not-found');
    expect(tier(plan(text, '7: const value', 'x'))).toBe('not-found');
  });

  it('of a text that is one line stays small', () => {
    const text = 'a “b”, '.repeat(100_000);
    expect(tier(plan(text, 'a "b", a "c"', 'x'))).toBe('not-found');
    expect(tier(plan(text, 'a "b",', 'a "c",', { replaceAll: true }))).toBe('look-alikes');
  });
});

describe('long texts', () => {
  it('keep the characters of lines that are only repeated, however many lines there are (S88)', () => {
    const curly = (index: number): string => `say(“${index}”);  `;
    const old = numbered(3000, (index) => `say("${index}");`);
    const renewed = numbered(3000, (index) => `say("${index}");${index % 3 === 0 ? '\nmore();' : ''}`);
    const wanted = numbered(3000, (index) => `${curly(index)}${index % 3 === 0 ? '\nmore();' : ''}`);
    expect(content(plan(numbered(3000, curly), old, renewed)) === wanted).toBe(true);
  });

  it('are searched as a whole: places over the borders of pieces are found, and none twice', () => {
    const block = `one${' '.repeat(60)}\r\ntwo\r\n`;
    const text = block.repeat(40_000);
    const result = plan(text, `two\none${' '.repeat(60)}\n`, 'two\n1\n', { replaceAll: true });
    expect(content(result) === `one${' '.repeat(60)}\r\n${'two\r\n1\r\n'.repeat(39_999)}two\r\n`).toBe(true);
  });
});
