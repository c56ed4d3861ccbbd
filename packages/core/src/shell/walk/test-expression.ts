import type { TestExpression } from 'unbash';
import { expandValue } from '../words/expand-word.js';
import type { ExpansionPlace } from '../words/expansion-place.js';
import { isInteger } from '../words/shell-word.js';

/** What `[[ … ]]` does besides telling. */
export function checkTest(expression: TestExpression, place: ExpansionPlace): void {
  const { doubt } = place.listener;
  switch (expression.type) {
    case 'TestUnary':
      expandValue(expression.operand, place);
      if (/^-[vR]$/.test(expression.operator)) doubt('a test of a variable by its name');
      return;
    case 'TestBinary': {
      const sides = [expandValue(expression.left, place), expandValue(expression.right, place)];
      // Compared as numbers, both sides are evaluated.
      const isArithmetic = /^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator);
      if (isArithmetic && !sides.every(isInteger)) doubt('arithmetic');
      return;
    }
    case 'TestLogical':
      for (const operand of expression.operands) checkTest(operand, place);
      return;
    case 'TestNot':
      checkTest(expression.operand, place);
      return;
    case 'TestGroup':
      checkTest(expression.expression, place);
      return;
    default:
      expression satisfies never;
  }
}
