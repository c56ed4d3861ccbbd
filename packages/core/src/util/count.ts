import { groupDigits } from './group-digits.js';

/** `1 file`, `2 files`, `1,234 files`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${groupDigits(amount)} ${amount === 1 ? one : many}`;
}
