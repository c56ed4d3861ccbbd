import type { TestExpression } from 'unbash';
import type { PathUse } from '../program-facts.js';
import { expandValue } from '../words/expand-word.js';
import type { ExpansionPlace } from '../words/expansion-place.js';
import { isInteger, type ShellWord } from '../words/shell-word.js';
import { testedFile, testsFiles } from './builtins-that-test.js';

/** Returns the files that `[[ … ]]` tests; the listener hears of everything else that it does. */
export function checkTest(expression: TestExpression, place: ExpansionPlace): readonly PathUse[] {
  const { doubt } = place.listener;
  switch (expression.type) {
    case 'TestUnary': {
      const word = expandValue(expression.operand, place);
      if (/^-[vR]$/.test(expression.operator)) doubt('a test of a variable by its name');
      return filesOf(expression.operator, [word]);
    }
    case 'TestBinary': {
      const sides = [expandValue(expression.left, place), expandValue(expression.right, place)];
      // Compared as numbers, both sides are evaluated.
      const isArithmetic = /^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator);
      if (isArithmetic && !sides.every(isInteger)) doubt('arithmetic');
      return filesOf(expression.operator, sides);
    }
    case 'TestLogical':
      return expression.operands.flatMap((operand) => checkTest(operand, place));
    case 'TestNot':
      return checkTest(expression.operand, place);
    case 'TestGroup':
      return checkTest(expression.expression, place);
    default:
      return expression satisfies never;
  }
}

function filesOf(operator: string, words: readonly ShellWord[]): readonly PathUse[] {
  return testsFiles(operator) ? words.flatMap((word) => testedFile(word) ?? []) : [];
}
