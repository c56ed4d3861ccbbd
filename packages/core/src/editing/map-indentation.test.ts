import { describe, expect, it } from 'vitest';
import { planEdits } from './plan-edits.js';

/** Returns the text after the edit and the kind of match, or the reason of the refusal. */
function edit(text: string, oldText: string, newText: string): string[] {
  const plan = planEdits({ text, steps: [{ oldText, newText, replaceAll: false }] });
  return plan.outcome === 'edit' ? [plan.newContent, plan.steps[0]?.tier ?? ''] : [plan.failure.reason];
}

const MIXED = 'function a() {\n\tone();\n        two();\n\tthree();\n}\n';
const METHOD = 'class A {\n  a() {\n    one();\n    two();\n  }\n}\n';
const FLAT = 'a:\n  items:\n  - x: 1\n    y: 2\n  - z\n  other: 3\n';
const DEEP = 'a:\n  items:\n    - x: 1\n      y: 2\n    - z\n  other: 3\n';

describe('lines that are the same but for an indentation that no one shift explains', () => {
  it.each([
    [
      'blanks for tabs that are mixed with blanks',
      MIXED,
      '        one();\n        two();\n        three();',
      '        one();\n        2;\n        three();',
      'two()',
      '2',
    ],
    [
      'tabs for blanks of four',
      MIXED.replace('        two', '    two'),
      '\tone();\n\ttwo();\n\tthree();',
      '\tone();\n\t2;\n\tthree();',
      'two()',
      '2',
    ],
    [
      'the first line sent deeper',
      METHOD,
      '        one();\n    two();\n  }',
      '        one();\n    2;\n  }',
      'two()',
      '2',
    ],
    [
      'the first line sent deeper, and changed',
      METHOD,
      '        one();\n    two();\n  }',
      '        1;\n    two();\n  }',
      'one()',
      '1',
    ],
    [
      'items sent deeper than their key',
      FLAT,
      '  items:\n    - x: 1\n      y: 2\n    - z',
      '  items:\n    - x: 1\n      y: 3\n    - z',
      'y: 2',
      'y: 3',
    ],
    [
      'items sent as deep as their key',
      DEEP,
      '  items:\n  - x: 1\n    y: 2\n  - z\n  other: 3',
      '  items:\n  - x: 1\n    y: 3\n  - z\n  other: 3',
      'y: 2',
      'y: 3',
    ],
    [
      'an item more',
      DEEP,
      '  items:\n  - x: 1\n    y: 2\n  - z',
      '  items:\n  - x: 1\n    y: 2\n  - z\n  - w',
      '    - z',
      '    - z\n    - w',
    ],
  ])('land: %s', (_, text, oldText, newText, from, to) => {
    expect(edit(text, oldText, newText)).toEqual([text.replace(from, to), 'indentation']);
  });

  it.each([
    [
      'a new depth that nothing shows',
      MIXED,
      '        one();\n        two();\n        three();',
      '        one();\n            2;\n        three();',
    ],
    [
      'another line as deep as the first was sent',
      METHOD,
      '        one();\n    two();\n  }',
      '        one();\n        more();\n    two();\n  }',
    ],
    [
      'an item whose key stands otherwise',
      FLAT,
      '  items:\n    - x: 1\n     y: 2\n    - z',
      '  items:\n    - x: 1\n     y: 3\n    - z',
    ],
    ['the same lines twice', METHOD + METHOD, '        one();\n    two();\n  }', '        one();\n    2;\n  }'],
    [
      'another structure',
      'if a:\n    b()\nc()\nd()\n',
      'if a:\n    b()\n    c()\nd()',
      'if a:\n    b()\n    c(1)\nd()',
    ],
  ])('are refused where it is not sure: %s', (_, text, oldText, newText) => {
    expect(['not-found', 'several']).toContain(edit(text, oldText, newText)[0]);
  });
});
