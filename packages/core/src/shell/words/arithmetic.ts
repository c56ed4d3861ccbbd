import type { ArithmeticExpression } from 'unbash';
import type { ExpansionPlace } from './expansion-place.js';
import { valueOf } from './parameters.js';
import { isInteger } from './shell-word.js';

/** Anything else may fail, and a failure leaves the command in the middle. */
const QUIET = /^(?:[-+*<>&|^,]|[<>=!]=|&&|\|\||<<|>>|[-+*&|^]?=)$/;

/**
 * Doubts arithmetic that does more than count. Values of variables are evaluated in turn, and a subscript among them
 * can run commands; an error ends a command half-way.
 */
export function checkArithmetic(expression: ArithmeticExpression | undefined, place: ExpansionPlace): void {
  const doubt = (): void => place.listener.doubt('arithmetic');
  if (expression === undefined) {
    doubt();
    return;
  }
  switch (expression.type) {
    case 'ArithmeticBinary':
      checkBinary(expression, place, doubt);
      return;
    case 'ArithmeticUnary':
      if (/^(?:\+\+|--)$/.test(expression.operator) && !isName(expression.operand)) doubt();
      checkArithmetic(expression.operand, place);
      return;
    case 'ArithmeticTernary':
      for (const part of [expression.test, expression.consequent, expression.alternate]) checkArithmetic(part, place);
      return;
    case 'ArithmeticGroup':
      checkArithmetic(expression.expression, place);
      return;
    case 'ArithmeticCommandExpansion':
      place.listener.script(expression.script, place.state);
      doubt();
      return;
    case 'ArithmeticWord':
      if (!isCount(expression.value, place)) doubt();
      for (const part of expression.parts ?? [])
        if (part.type === 'CommandExpansion') place.listener.script(part.script, place.state);
      return;
    default:
      expression satisfies never;
  }
}

function checkBinary(
  { operator, left, right }: Extract<ArithmeticExpression, { type: 'ArithmeticBinary' }>,
  place: ExpansionPlace,
  doubt: () => void,
): void {
  const sets = isAssignment(operator);
  const divides = /^[/%]=?$/.test(operator) && right.type === 'ArithmeticWord' && /^[1-9]\d{0,9}$/.test(right.value);
  if ((!QUIET.test(operator) && !divides) || (sets && !isName(left))) doubt();
  // What is only set is not evaluated.
  if (operator !== '=') checkArithmetic(left, place);
  checkArithmetic(right, place);
}

function isAssignment(operator: string): boolean {
  return /^(?:[-+*/%&|^]|<<|>>)?=$/.test(operator);
}

function isName(expression: ArithmeticExpression): boolean {
  return expression.type === 'ArithmeticWord' && /^[A-Za-z_]\w*$/.test(expression.value);
}

/** The variables that arithmetic sets, by any operator. */
export function assignedIn(expression: ArithmeticExpression | undefined): string[] {
  if (expression === undefined) return [];
  if (expression.type === 'ArithmeticBinary') {
    const inner = [...assignedIn(expression.left), ...assignedIn(expression.right)];
    const sets = isAssignment(expression.operator) && expression.left.type === 'ArithmeticWord';
    return sets ? [expression.left.value, ...inner] : inner;
  }
  if (expression.type === 'ArithmeticUnary') {
    const sets = /^(?:\+\+|--)$/.test(expression.operator) && expression.operand.type === 'ArithmeticWord';
    return sets ? [expression.operand.value] : assignedIn(expression.operand);
  }
  if (expression.type === 'ArithmeticTernary')
    return [expression.test, expression.consequent, expression.alternate].flatMap(assignedIn);
  return expression.type === 'ArithmeticGroup' ? assignedIn(expression.expression) : [];
}

function isCount(text: string, place: ExpansionPlace): boolean {
  if (/^(?:0|[1-9]\d{0,17})$/.test(text)) return true;
  const [, dollar, name] = /^(\$?)\{?([A-Za-z_]\w*|[?#$!]|[1-9])\}?$/.exec(text) ?? [];
  if (name === undefined) return false;
  // Without a dollar it is always a variable's name.
  if (dollar === '' && !/^[A-Za-z_]\w*$/.test(text)) return false;
  const value = valueOf(name, place);
  if (value === undefined || !isInteger(value)) return false;
  if (dollar === '') return true;
  // Put in as text, a minus would stand beside another operator.
  return value.text === undefined ? isNeverNegative(name) : !value.text.startsWith('-');
}

function isNeverNegative(name: string): boolean {
  return !/^[A-Za-z_]\w*$/.test(name) || /^[A-Z]*(?:UID|PID|RANDOM|LINENO|SECONDS)$/.test(name);
}
