import { describe, expect, it } from 'vitest';
import { findOmission } from './find-omission.js';

describe('findOmission', () => {
  it.each([
    '// ... rest of code',
    '// ... existing code ...',
    '// …',
    '# ... existing code ...',
    '# ... rest of the methods remain unchanged',
    '/* ... rest of styles ... */',
    '<!-- ... rest of the page ... -->',
    '{/* ... existing components ... */}',
    '-- ... remaining columns ...',
    '; … other sections',
    '% ... rest of the document ...',
    '(* ... existing definitions ... *)',
    '// rest of the code remains the same',
    '# existing code here',
    '... existing code ...',
    '(rest of methods ...)',
    '[... remaining functions unchanged ...]',
    '// (unchanged)',
    '# ... implementation omitted for brevity',
    '// Keep the rest of the file unchanged',
    '        # ... same as before ...',
    '{{!-- rest --}}',
    '/* remaining styles */',
    '// Other imports…',
    '// keep existing',
    'dnl rest of code',
    '@* existing markup *@',
  ])('refuses %j when it is new', (line) => {
    expect(findOmission(`first();\n${line}\n`, 'first();\nsecond();\nthird();\n')).toMatchObject({
      reason: 'omission',
      line: 2,
    });
  });

  it('lets it be when it stands in the old text or in the file', () => {
    const line = '// ... rest of code';
    expect(findOmission(`x\n${line}`, `y\n  ${line}`)).toBeUndefined();
    expect(findOmission(`x\n${line}`, 'y', `a\n${line}\nb`)).toBeUndefined();
  });

  it.each([
    'def f(self) -> int: ...',
    'class P(Protocol):\n    def f(self):\n        ...',
    'const all = [...first, ...rest];\nreturn { ...state,\n  ...changes };',
    'f(...args);',
    '---\na: 1\n...\n',
    'The rest of the file is parsed lazily...',
    '...and the rest of the code is history.',
    'Wait… there is more.',
    '// The rest of the arguments are passed on to the command.',
    '// Process the remaining items in order.',
    '// previous value, or undefined',
    '# Load the existing code...',
    '# Other options:',
    '/* unchanged since 1.0 */',
    '// Returns the rest of the path after the mount point.',
    '* Existing tests keep passing.',
    'console.log("... rest of code ...");',
    'Usage: tool [options] [...files]',
    'type Rest = [first: string, ...rest: string[]];',
    'template <typename... Args>\nvoid f(Args... args);',
    'printf("loading...\\n");',
    '// TODO: what about the remaining cases?',
    '#include <rest/of/code.h>',
    'print("Downloading ...")',
    '- Keep the rest of the team informed…',
    '// etc.',
    '1. First\n2. Second\n3. Third',
    '1\tone\n2\ttwo\n3\tthree\n',
    'name: value\n12: twelve\n13: thirteen',
  ])('lets real text pass: %j', (text) => {
    expect(findOmission(text, '')).toBeUndefined();
    expect(findOmission(text, 'something else', 'a = 1\nb = 2\n')).toBeUndefined();
  });

  it('knows lines of dots that stand for what they replace', () => {
    const old = 'a();\nb();\nc();';
    const file = `${old}\nif (d) {\n}\n`;
    expect(findOmission('a();\n...\nc();', old, file)).toMatchObject({ reason: 'omission', line: 2 });
    expect(findOmission('a();\n// ...\nc();', old, file)).toMatchObject({ line: 2 });
    expect(findOmission('def f():\n    ...', 'def f():\n    return 1', file)).toBeUndefined();
    expect(findOmission('a();\n// ...\nb();', 'a();\nb();', file)).toBeUndefined();
  });

  it('refuses the line numbers of a listing', () => {
    expect(findOmission('12→a();\n13→b();\n', 'x')).toMatchObject({ reason: 'line-numbers', line: 1 });
    expect(findOmission('x\n12→a();\n13→b();\n', 'x')).toMatchObject({ reason: 'line-numbers', line: 2 });
    expect(findOmission('12: return a;\n13: return c;', 'return a;\nreturn b;')).toMatchObject({ line: 1 });
    expect(findOmission('1→2 is an arrow', 'x')).toBeUndefined();
  });
});
