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
});

/** Samples with three functions in several languages, and the first one changed; brackets and lines repeat, as in real code. */
const LANGUAGES = {
  JavaScript: {
    file: 'function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n\nfunction c() {\n  return 3;\n}',
    first: 'function a() {\n  return 10;\n}',
  },
  'Go, more lines than before': {
    file: ['a', 'b', 'c']
      .map(
        (name) => `func ${name}() error {\n\tif err := ${name}x(); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}`,
      )
      .join('\n\n'),
    first:
      'func a() error {\n\tlog()\n\tmore()\n\tif err := first(); err != nil {\n\t\treturn err\n\t}\n\tif err := second(); err != nil {\n\t\treturn wrap(err)\n\t}\n\tdone()\n\treturn nil\n}',
  },
  Python: {
    file: 'def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 3',
    first: 'def a():\n    return 10',
  },
  'a document': {
    file: '# One\n\nFirst.\n\n# Two\n\nSecond.\nMore.\n\n# Three\n\nThird.',
    first: '# One\n\nChanged.',
  },
};

const PLACEHOLDERS = [
  '// ...',
  '...',
  '…',
  '/* ... */',
  '{/* ... */}',
  '<!-- ... -->',
  '# ...',
  '-- ...',
  '// . . .',
  '[...]',
  '// rest unchanged',
  '// [rest of file]',
  '# Keep existing code',
  '<!-- rest unchanged -->',
  '(rest unchanged)',
  '// ... rest of the code ...',
  '// other functions',
  '// ... b and c',
  '// b() and c() stay the same',
  '// (b, c unchanged)',
  '// Keep existing functions b and c',
  '// Other functions remain as they are',
  '// The rest of the file stays exactly the same',
  '// no changes after this point',
  '// same as before',
  '/* unchanged */',
  '// and so on',
  '// TODO: rest',
  '// 其余代码不变',
  '# 省略',
  '// Rest bleibt unverändert',
];

describe('a placeholder never deletes code', () => {
  it.each(Object.entries(LANGUAGES))('at the end of %s, whatever it says', (_, { file, first }) => {
    const text = `head = 0\n\n${file}\n\ntail(1);\n`;
    const passed = PLACEHOLDERS.flatMap((line) => [`${first}\n${line}`, `${first}\n\n${line}\n`]).filter(
      (newText) => findOmission(newText, file, text)?.reason !== 'omission',
    );
    expect(passed).toEqual([]);
  });

  it.each(Object.entries(LANGUAGES))('nor in %s that is written as a whole', (_, { file, first }) => {
    const passed = PLACEHOLDERS.filter(
      (line) => findOmission(`${first}\n${line}\n`, `${file}\n`, `${file}\n`) === undefined,
    );
    expect(passed).toEqual([]);
  });

  it.each([
    'function b() { ... }',
    'function b() { /* unchanged */ }',
    'function b() {} // ... rest unchanged',
    'def b(): ...',
    '};  // rest of file',
  ])('nor at the end of a line: %s', (line) => {
    const { file, first } = LANGUAGES.JavaScript;
    expect(findOmission(`${first}\n\n${line}`, file, file)).toMatchObject({ reason: 'omission' });
  });

  it.each(PLACEHOLDERS)('%s is no matter where nothing is lost', (line) => {
    const { file } = LANGUAGES.JavaScript;
    const isSure = findOmission(line, '') !== undefined;
    if (!isSure) expect(findOmission(`${file}\n${line}\nmore();`, file, file)).toBeUndefined();
    expect(findOmission(`${file}\n${line}`, `${file}\n${line}\nmore();`, file)).toBeUndefined();
  });

  it('and one more of those that the file has is another', () => {
    const old = '// ...\na();\nb();\nc();';
    expect(findOmission('// ...\na();', old, old)).toBeUndefined();
    expect(findOmission('// ...\na();\n// ...', old, old)).toMatchObject({ line: 3 });
  });

  it('lets an example in a document leave lines out that were not in it before', () => {
    const old = '## Plan\n\nFirst.\n';
    const example = '```go\ntype State struct {\n  ID string\n  // ... existing fields\n}\n```\n';
    expect(findOmission(`## Plan\n\nThen.\n\n${example}`, old, old)).toBeUndefined();
    expect(findOmission('ID string\n// ...\n', 'ID string\n', `\`\`\`go\nID string\n\`\`\`\n`)).toBeUndefined();
  });
});
