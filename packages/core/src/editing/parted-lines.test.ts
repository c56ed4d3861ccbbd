import { describe, expect, it } from 'vitest';
import { planEdits } from './plan-edits.js';

const TEXT =
  'class A {\n  a() {\n    const x = call(one,\n      two,\n      three(4, 5));\n    return compute(a, b);\n  }\n}\n';

function edit(text: string, oldText: string, newText: string): string {
  const plan = planEdits({ text, steps: [{ oldText, newText, replaceAll: false }] });
  return plan.outcome === 'edit' ? plan.newContent : plan.failure.reason;
}

describe('lines at another indentation, the first or the last of which is a part of a line', () => {
  it.each([
    ['the end of the first', 'call(one,\n    two,', 'call(one,\n    2,', 'two', '2'],
    ['the end of the first, which changes', 'call(one,\n    two,', 'dial(one,\n    two,', 'call', 'dial'],
    [
      'the start of the last',
      '  three(4, 5));\nreturn compute(',
      '  three(4, 5));\nreturn measure(',
      'compute',
      'measure',
    ],
    ['both', 'call(one,\n    two,\n    three(4', 'call(one,\n    2,\n    three(4', 'two', '2'],
    [
      'a part of the indentation of the first',
      ' const x = call(one,\n    two,',
      ' const x = call(one,\n    2,',
      'two',
      '2',
    ],
  ])('land where they stand once: %s', (_, oldText, newText, from, to) => {
    expect(edit(TEXT, oldText, newText)).toBe(TEXT.replace(from, to));
  });

  it('keep the line ends of the file', () => {
    const text = TEXT.replaceAll('\n', '\r\n');
    expect(edit(text, 'call(one,\n    two,', 'call(one,\n    2,')).toBe(text.replace('two', '2'));
  });

  it.each([
    ['a part of a word', TEXT, 'all(one,\n    two,', 'x(one,\n    two,'],
    ['a part of the last word', TEXT, 'three(4, 5));\nreturn comp', 'three(4, 5));\nreturn x'],
    ['two places', TEXT + TEXT, 'call(one,\n    two,', 'call(one,\n    2,'],
    ['a first line at the depth that the file does not have', 'a:\n    b\n', '    a:\n  b', '    a:\n  c'],
  ])('are refused otherwise: %s', (_, text, oldText, newText) => {
    expect(edit(text, oldText, newText)).toBe('not-found');
  });
});
