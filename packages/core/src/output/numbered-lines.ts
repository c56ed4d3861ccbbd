/**
 * Lines as the model sees them: `12→text`. The arrow cannot be taken for indentation, and everything after it
 * is the line itself.
 */
export function numberLines(lines: readonly string[], firstNumber: number): string {
  return lines.map((line, index) => `${firstNumber + index}→${line}`).join('\n');
}
