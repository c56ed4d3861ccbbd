import { describe, expect, it } from 'vitest';
import type { EditStep } from './edit-plan.js';
import { planEdits } from './plan-edits.js';

/** Tier and text after one edit, or the reason and its cause. */
function edit(text: string | null, oldText: string, newText: string, more: Partial<EditStep> = {}): unknown[] {
  const plan = planEdits({ text, steps: [{ oldText, newText, replaceAll: false, ...more }] });
  if (plan.outcome === 'edit') return [plan.steps[0]?.tier, plan.newContent];
  const { failure } = plan;
  return failure.reason === 'not-found' ? ['not-found', failure.miss.cause] : [failure.reason];
}

describe('planEdits: line endings', () => {
  it('keeps the ending of every line of a mixed file; new lines take their neighbours (S89)', () => {
    const text = 'a\nb\r\nc\nd\r\n';
    expect(edit(text, 'a\nb\nc\n', 'a\nB\nnew\nc\n')).toEqual(['line-endings', 'a\nB\r\nnew\r\nc\nd\r\n']);
    expect(edit(text, 'b\nc', 'x\ny\nz')).toEqual(['line-endings', 'a\nx\r\ny\nz\nd\r\n']);
  });

  it('leaves no lone carriage return behind a target that begins at a line end', () => {
    expect(edit('a\r\nfoo\r\nb\r\n', '\nfoo', '')).toEqual(['line-endings', 'a\r\nb\r\n']);
  });
});

describe('planEdits: white space', () => {
  it('finds CRLF lines with trailing white space under another indentation', () => {
    expect(
      edit('  if (a) {  \r\n    b();\r\n  }\r\n', 'if (a) {\n  b();\n}\n', 'if (a) {\n  c();\n  d();\n}\n'),
    ).toEqual(['indentation', '  if (a) {  \r\n    c();\r\n    d();\r\n  }\r\n']);
  });

  it('lets the first line lack its indentation alone', () => {
    expect(
      edit('    def f():  \n        return 1\n', 'def f():\n        return 1\n', 'def f():\n        return 2\n'),
    ).toEqual(['trailing-space', '    def f():  \n        return 2\n']);
  });

  it('reads spaces as the tabs of the file, for new and deeper lines too', () => {
    const text = 'func f() {\n\tif a {\n\t\tb()\n\t}\n}\n';
    expect(
      edit(text, '    if a {\n        b()\n    }\n', '    if a {\n        if c {\n            d()\n        }\n    }\n'),
    ).toEqual(['indentation', 'func f() {\n\tif a {\n\t\tif c {\n\t\t\td()\n\t\t}\n\t}\n}\n']);
    expect(edit(text, '        b()', '        if c {\n            b()\n        }')).toEqual([
      'indentation',
      'func f() {\n\tif a {\n\t\tif c {\n\t\t\tb()\n\t\t}\n\t}\n}\n',
    ]);
  });

  it('reads two spaces as four', () => {
    expect(edit('a:\n    b:\n        c\n', 'a:\n  b:\n    c\n', 'a:\n  b:\n    d\n')).toEqual([
      'indentation',
      'a:\n    b:\n        d\n',
    ]);
  });
});

describe('planEdits: look-alikes', () => {
  it('finds curly quotes by straight ones and keeps them where the edit repeats them', () => {
    expect(edit('say(“hello”, 1);\n', 'say("hello", 1);', 'say("hello", 2);')).toEqual([
      'look-alikes',
      'say(“hello”, 2);\n',
    ]);
    expect(edit('x = “a”\n', 'x = "a"', 'x = "b"')).toEqual(['look-alikes', 'x = “b”\n']);
    expect(edit('x = “a”\n', 'x = "a"', 'y = "b"; z = "c"')[1]).toMatch(/^y = (“b”|"b"); z = "c"\n$/);
  });

  it('keeps an ellipsis, dashes, no-break spaces, decomposed letters and full-width forms', () => {
    const text = 'wait… a\u00a0b — cafe\u0301 （x）\nnext\n';
    const typed = 'wait... a b - café (x)\nnext\n';
    expect(edit(text, typed, typed.replace('next', 'last'))).toEqual(['look-alikes', text.replace('next', 'last')]);
    expect(edit(text, typed, typed.replace('(x)', '(y)'))).toEqual(['look-alikes', text.replace('（x', '（y')]);
  });

  it('finds them under another indentation, and inside of a line at whole words only', () => {
    expect(edit('\tit’s one\n\tit’s two\n', "it's one\nit's two\n", "it's one\nit's three\n")).toEqual([
      'look-alikes',
      '\tit’s one\n\tit’s three\n',
    ]);
    expect(edit('foo(“bar”)x;\n', 'oo("bar")', 'y')[0]).toBe('not-found');
  });
});

describe('planEdits: damaged arguments', () => {
  it('undoes one level of escaping when both texts have it', () => {
    expect(edit('print("a")\n', 'print(\\"a\\")', 'print(\\"b\\")')).toEqual(['escapes', 'print("b")\n']);
    expect(edit('a {\n\tb("c\\n");\n}\n', 'a {\\n\\tb(\\"c\\\\n\\");\\n}', 'a {\\n\\tb(\\"d\\\\n\\");\\n}')).toEqual([
      'escapes',
      'a {\n\tb("d\\n");\n}\n',
    ]);
    expect(edit('if (a < b && c) {}\n', 'if (a &lt; b &amp;&amp; c)', 'if (a &gt; b &amp;&amp; c)')).toEqual([
      'escapes',
      'if (a > b && c) {}\n',
    ]);
  });

  it('takes a plain new text, and refuses one that is escaped in another way', () => {
    expect(edit('print("a")\n', 'print(\\"a\\")', 'print("b")')).toEqual(['escapes', 'print("b")\n']);
    expect(edit('print("a")\n', 'print(\\"a\\")', 'print(\\"b\\n\\")')).toEqual(['not-found', 'escapes']);
  });

  it('strips the line numbers of a listing from both texts', () => {
    const text = 'one();\n  two();\nthree();\n';
    expect(edit(text, '1→one();\n2→  two();', '1→one();\n2→  TWO();')).toEqual([
      'line-numbers',
      'one();\n  TWO();\nthree();\n',
    ]);
    expect(edit(text, '  2|   two();', '  four();')).toEqual(['line-numbers', 'one();\n  four();\nthree();\n']);
    expect(edit(text, '1: one();\n2:   two();', '1: one();\nfour();')).toEqual(['line-numbers']);
    expect(edit(text, '7: one();', 'x')[0]).toBe('not-found');
  });

  it('keeps what both texts leave out', () => {
    const text = 'function f() {\n  a();\n  b();\n  c();\n  return 1;\n}\n';
    expect(
      edit(text, 'function f() {\n  // ... rest\n  return 1;\n', 'function g() {\n  // ... rest\n  return 2;\n'),
    ).toEqual(['elided', text.replace('f()', 'g()').replace('1;', '2;')]);
    expect(edit(text, 'function f() {\n  ...\n  return 1;\n', 'function g() {\n')).toEqual(['not-found', 'elided']);
  });
});

describe('planEdits: what must not get into a file', () => {
  it('refuses a placeholder that is new, and line numbers', () => {
    expect(edit('a();\nb();\nc();\n', 'a();\nb();\nc();', 'x();\n// ... rest of code\n')).toEqual(['omission']);
    expect(edit('a();\nb();\nc();\n', 'a();\nb();\nc();', 'a();\n// ...\nc();')).toEqual(['omission']);
    expect(edit('def f():\n  x\n  y\nz\n', 'def f():\n  x\n  y\nz', 'def f():\n  ...\nz')).toEqual([
      'exact',
      'def f():\n  ...\nz\n',
    ]);
    expect(edit('a();\nb();\n', 'a();\nb();', '1→a();\n2→c();')).toEqual(['line-numbers']);
    expect(edit('// ... rest of code\n', '// ... rest of code', 'x\n// ... rest of code')[0]).toBe('exact');
  });
});

describe('planEdits: several edits', () => {
  const step = (oldText: string, newText: string, more: Partial<EditStep> = {}): EditStep => ({
    oldText,
    newText,
    replaceAll: false,
    ...more,
  });

  it('applies them in order, all or none, with lines of the final text', () => {
    const text = 'a\nb\nc\n';
    expect(planEdits({ text, steps: [step('a\n', 'a\nnew\n'), step('c', 'C'), step('new', 'newer\nest')] })).toEqual({
      outcome: 'edit',
      newContent: 'a\nnewer\nest\nb\nC\n',
      steps: [
        { tier: 'exact', count: 1 },
        { tier: 'exact', count: 1 },
        { tier: 'exact', count: 1 },
      ],
      changed: [
        { first: 1, last: 3 },
        { first: 5, last: 5 },
      ],
    });
    expect(planEdits({ text, steps: [step('a', 'x'), step('zzz', 'y')] })).toMatchObject({
      outcome: 'failed',
      step: 1,
    });
  });

  it('counts what is expected exactly', () => {
    expect(edit('x x x', 'x', 'y', { expected: 3 })).toEqual(['exact', 'y y y']);
    expect(edit('x x x', 'x', 'y', { expected: 2 })).toEqual(['count']);
    expect(edit('x x x', 'x', 'y', { expected: 1 })).toEqual(['count']);
    expect(edit('x', 'x', 'y', { expected: 1 })).toEqual(['exact', 'y']);
    expect(edit('x x', 'x', 'y')).toEqual(['several']);
  });
});
