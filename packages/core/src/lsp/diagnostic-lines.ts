import type { Diagnostic } from 'vscode-languageserver-protocol';
import { bySeverity, messageOf, severityWord } from './new-diagnostics.js';

/** Hints (a name that is not used) are no more than that. */
export function isTold({ severity = 1 }: Diagnostic): boolean {
  return severity <= 3;
}

/** Errors first. */
export function diagnosticLines(name: string, items: readonly Diagnostic[]): readonly string[] {
  return items
    .filter(isTold)
    .toSorted(bySeverity)
    .map((item) => diagnosticLine(name, item));
}

export function diagnosticLine(name: string, item: Diagnostic): string {
  const { start } = item.range;
  const code = item.code === undefined ? '' : ` ${item.code}`;
  const source = item.source === undefined ? '' : `${item.source} `;
  return `${name}:${start.line + 1}:${start.character + 1}  ${severityWord(item)} ${source}${code.trim()}: ${messageOf(item)}`.replace(
    / :/,
    ':',
  );
}

export function capped(lines: readonly string[], limit: number): string {
  const more = lines.length - limit;
  return [...lines.slice(0, limit), ...(more > 0 ? [`… ${more} more`] : [])].join('\n');
}
