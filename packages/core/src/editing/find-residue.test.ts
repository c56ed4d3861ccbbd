import { describe, expect, it } from 'vitest';
import { findResidue } from './find-residue.js';

const CODE = 'function a() {\n  const b = 1;\n    return 8;\n}\n';
const OLD = '    return 8;';
const NEW = '    return 9;';

describe('findResidue', () => {
  it.each(['3→    return 9;', '     3→    return 9;', '3\t    return 9;', '3|     return 9;', '3:     return 9;'])(
    'refuses the line number of a listing before one line: %j',
    (line) => {
      expect(findResidue(line, OLD, CODE)).toMatchObject({ reason: 'line-numbers', line: 1, send: NEW });
      const longer = findResidue(`  const b = 1;\n${line}\n}`, `  const b = 1;\n${OLD}\n}`, CODE);
      expect(longer).toMatchObject({ reason: 'line-numbers', line: 2, send: `  const b = 1;\n${NEW}\n}` });
    },
  );

  it('refuses the line numbers of a listing', () => {
    expect(findResidue('12→a();\n13→b();\n', 'x', 'x')).toMatchObject({
      reason: 'line-numbers',
      line: 1,
      send: 'a();\nb();\n',
    });
    expect(findResidue('x\n12→a();\n13→b();\n', 'x', 'x')).toMatchObject({ reason: 'line-numbers', line: 2 });
    expect(findResidue('12: return a;\n13: return c;', 'return a;\nreturn b;', '')).toMatchObject({ line: 1 });
  });

  it.each([
    '</new_string>',
    '</new_str>',
    '</parameter>',
    '</parameter>\n</invoke>',
    '</parameter>\n</invoke>\n</function_calls>',
    '</function>\n</tool_call>',
    '</tool_call>',
    '</content>',
    '<|im_end|>',
    '<|eot_id|>',
    '<|endoftext|>',
    '<｜tool▁calls▁end｜>',
    '</s>',
    '<end_of_turn>',
    '[/INST]',
    '```',
  ])('refuses what ends the call at the end of the text: %j', (sign) => {
    expect(findResidue(`${NEW}\n${sign}`, OLD, CODE)).toMatchObject({ reason: 'call-text', send: NEW });
    expect(findResidue(`${NEW}\n${sign}\n`, `${OLD}\n`, CODE)).toMatchObject({ reason: 'call-text', send: `${NEW}\n` });
    if (sign !== '```')
      expect(findResidue(`${NEW}${sign}`, OLD, CODE)).toMatchObject({ reason: 'call-text', send: NEW });
    expect(findResidue(`${NEW}\n${sign}`, OLD, `${CODE}${sign}\n`)).toBeUndefined();
  });

  it.each(['<new_string>\n    return 9;\n</new_string>', '<![CDATA[    return 9;]]>', '```js\n    return 9;\n```'])(
    'refuses what is put around the text: %j',
    (text) => {
      expect(findResidue(text, OLD, CODE)).toMatchObject({ reason: 'call-text', send: NEW });
    },
  );

  it.each([
    ['1→2 is an arrow', 'return 8', CODE],
    ['two\n  1→ next', 'two', '# one\n\ntwo\n'],
    ['12: one\n13: two', 'x: 1', 'x: 1\ny: 2\n'],
    ['2: bb', 'bb', '1: aa\nbb\n'],
    ['3→    return 9;', OLD, `${CODE}7→ an arrow of its own\n`],
    ['return <parameter>x</parameter>', 'return 8', CODE],
    ['return "<|im_end|>";', 'return 8', CODE],
    ['x\n</parameter>', 'x', '<parameter>\nx\n'],
    ['<p>\n</content>', '<p>', '<p></p>\n'],
    ['two\n\n```sh\nnpm i\n```', 'two', '# one\n\ntwo\n'],
    ['```\ntwo\n```', 'two', '# one\n\ntwo\n'],
    ['three\n```', 'two\n```', '```\ntwo\n```\n'],
    ['<|im_start|>user\n<|im_end|>', '', ''],
    ['    return a[i]]>', OLD, CODE],
  ])('lets text pass that is no residue: %j', (newText, oldText, fileText) => {
    expect(findResidue(newText, oldText, fileText)).toBeUndefined();
  });
});
