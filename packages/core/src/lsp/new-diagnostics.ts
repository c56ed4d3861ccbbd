import type { Diagnostic } from 'vscode-languageserver-protocol';

/** What was said of a file, and the text that it was said of. */
export interface FileFindings {
  readonly items: readonly Diagnostic[];
  /** The line at a 0-based index. */
  readonly lineAt: (line: number) => string;
}

/** Of severity 1 (error) and 2 (warning); anything else is advice. */
export function counts({ severity = 1 }: Diagnostic): boolean {
  return severity <= 2;
}

/**
 * Of what counts in `after`, what was not said before. The same message, code, source and severity is the same finding
 * wherever its line is by now; of several that are alike, those whose line reads as before are the old ones, and as many
 * are new as there are more of them.
 */
export function newDiagnostics(before: FileFindings, after: FileFindings): readonly Diagnostic[] {
  const left = new Map<string, Diagnostic[]>();
  for (const one of before.items.filter(counts)) left.set(keyOf(one), [...(left.get(keyOf(one)) ?? []), one]);
  const fresh = new Set(after.items.filter(counts));
  const textOf = ({ lineAt }: FileFindings, one: Diagnostic): string => lineAt(one.range.start.line).trim();
  const take = (isSame: (old: Diagnostic, one: Diagnostic) => boolean): void => {
    for (const one of fresh) {
      const alike = left.get(keyOf(one)) ?? [];
      const index = alike.findIndex((old) => isSame(old, one));
      if (index === -1) continue;
      alike.splice(index, 1);
      fresh.delete(one);
    }
  };
  take((old, one) => textOf(before, old) === textOf(after, one));
  take(() => true);
  return [...fresh].sort(bySeverity);
}

export function bySeverity(a: Diagnostic, b: Diagnostic): number {
  const rank = ({ severity = 1 }: Diagnostic): number => severity;
  return (
    rank(a) - rank(b) || a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character
  );
}

/** The message on one line. */
export function messageOf({ message }: Diagnostic): string {
  const text = typeof message === 'string' ? message : message.value;
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

const WORDS = ['error', 'error', 'warning', 'info', 'hint'] as const;

export function severityWord({ severity = 1 }: Diagnostic): string {
  return WORDS[severity] ?? 'error';
}

function keyOf(one: Diagnostic): string {
  const { severity = 1, code, source } = one;
  return JSON.stringify([severity, code ?? null, source ?? null, messageOf(one)]);
}
