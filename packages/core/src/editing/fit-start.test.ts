import { describe, expect, it } from 'vitest';
import { planEdits } from './plan-edits.js';

const PYTHON = 'def a():\n    x = 1\n    z = 3\n\n\ndef b():\n    return 2\n';
const CODE = 'function a() {\n  foo();\n  bar();\n}\n';
const YAML = 'a:\n  b: 1\n  c: 2\nd:\n  - x\n  - y\n';

/** Returns the text after the edit and the kind of match, or the reason of the refusal. */
function edit(text: string, oldText: string, newText: string): string[] {
  const plan = planEdits({ text, steps: [{ oldText, newText, replaceAll: false }] });
  return plan.outcome === 'edit' ? [plan.newContent, plan.steps[0]?.tier ?? ''] : [plan.failure.reason];
}

describe('an exact match that begins within the indentation of its line', () => {
  it.each([
    ['a further line', PYTHON, 'x = 1', 'x = 1\ny = 2', '    x = 1\n    y = 2'],
    ['at the end of a block', PYTHON, 'z = 3', 'z = 3\ny = 2', '    z = 3\n    y = 2'],
    ['a block around it', PYTHON, 'x = 1', 'if c:\n    x = 1', '    if c:\n        x = 1'],
    [
      'blocks within blocks',
      PYTHON,
      'x = 1',
      'if c:\n    x = 1\nelse:\n    x = 2',
      '    if c:\n        x = 1\n    else:\n        x = 2',
    ],
    ['with a part of its indentation', PYTHON, '  x = 1', '  x = 1\n  y = 2', '    x = 1\n    y = 2'],
    ['a statement', CODE, 'foo();', 'foo();\nbaz();', '  foo();\n  baz();'],
    ['a block in braces', CODE, 'foo();', 'if (x) {\n  foo();\n}', '  if (x) {\n    foo();\n  }'],
    ['a key', YAML, 'b: 1', 'b: 1\nx: 2', '  b: 1\n  x: 2'],
    ['a key with keys', YAML, 'b: 1', 'b:\n  e: 1', '  b:\n    e: 1'],
    ['an item', YAML, '- x', '- x\n- z', '  - x\n  - z'],
  ])('takes further lines along: %s', (_, text, oldText, newText, there) => {
    const line = text.split('\n').find((one) => one.includes(oldText.trim())) ?? '';
    expect(edit(text, oldText, newText)).toEqual([text.replace(line, there), 'indentation']);
  });

  it.each([
    ['a line as deep as the first', PYTHON, 'x = 1', 'x = 1\n    y = 2'],
    ['a block that is indented already', PYTHON, 'x = 1', 'if c:\n        x = 1'],
    ['another function behind a blank line', PYTHON, 'return 2', 'return 2\n\n\ndef c():\n    return 3'],
    ['the end of the block', CODE, 'bar();', 'bar();\n}\n\nfunction b() {\n  baz();'],
    ['lines of a text', CODE, 'foo();', 'foo(`a\nb`);'],
    ['old lines that show the indentation', CODE, 'foo();\n  bar();\n}', 'foo();\n}\n'],
    ['one line', PYTHON, 'x = 1', 'x = 2'],
  ])('leaves them as they are: %s', (_, text, oldText, newText) => {
    expect(edit(text, oldText, newText)).toEqual([text.replace(oldText, () => newText), 'exact']);
  });

  it.each([
    ['x = 1', 'x = 1\n  y = 2'],
    ['x = 1\n    z = 3', 'x = 1\n  y = 2\n    z = 3'],
  ])('refuses what Python could not read: %j → %j', (oldText, newText) => {
    expect(edit(PYTHON, oldText, newText)).toEqual(['indentation']);
  });

  it('keeps the line ends of the file', () => {
    expect(edit(PYTHON.replaceAll('\n', '\r\n'), 'x = 1', 'x = 1\ny = 2')[0]).toBe(
      PYTHON.replace('x = 1\n', 'x = 1\n    y = 2\n').replaceAll('\n', '\r\n'),
    );
  });
});
