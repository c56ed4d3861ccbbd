import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { messageOf, newDiagnostics } from './new-diagnostics.js';

const ITEM = fc.record({
  line: fc.nat(20),
  message: fc.constantFrom('a', 'b', 'c'),
  code: fc.constantFrom(1, 2),
  severity: fc.constantFrom<1 | 2>(1, 2),
});

interface Item {
  readonly line: number;
  readonly message: string;
  readonly code: number;
  readonly severity: 1 | 2;
}

function diagnostic({ line, message, code, severity }: Item): Diagnostic {
  const range = { start: { line, character: 0 }, end: { line, character: 1 } };
  return { range, message, code, severity, source: 'test' };
}

const findings = (items: readonly Diagnostic[], text = (line: number) => `line ${line}`) => ({ items, lineAt: text });

describe('newDiagnostics', () => {
  it('finds nothing new in what only moved', () => {
    fc.assert(
      fc.property(fc.array(ITEM), fc.nat(30), (items, by) => {
        const before = items.map(diagnostic);
        const after = items.map((one) => diagnostic({ ...one, line: one.line + by })).reverse();
        expect(
          newDiagnostics(
            findings(before),
            findings(after, (line) => `line ${line - by}`),
          ),
        ).toEqual([]);
      }),
    );
  });

  it('finds as many as were added, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(ITEM), fc.array(ITEM), (old, added) => {
        const before = old.map(diagnostic);
        const after = [...before, ...added.map(diagnostic)];
        const found = newDiagnostics(findings(before), findings(after));
        expect(found).toHaveLength(added.length);
        const keys = (list: readonly Diagnostic[]): string[] =>
          list.map((one) => `${one.severity} ${one.code} ${messageOf(one)}`).sort();
        expect(keys(found)).toEqual(keys(added.map(diagnostic)));
      }),
    );
  });

  it('tells the one on the line that is new, of two that are alike; errors first, and no hints', () => {
    const item = { line: 1, message: 'a', code: 1, severity: 1 as const };
    const before = [diagnostic(item)];
    const hint: Diagnostic = { ...diagnostic({ ...item, line: 0 }), severity: 4 };
    const warning = diagnostic({ ...item, line: 0, severity: 2 });
    const after = [hint, warning, diagnostic({ ...item, line: 5 }), diagnostic({ ...item, line: 9 })];
    const found = newDiagnostics(
      findings(before, () => 'old'),
      findings(after, (line) => (line === 5 ? 'old' : 'new')),
    );
    expect(found.map(({ severity, range }) => [severity, range.start.line])).toEqual([
      [1, 9],
      [2, 0],
    ]);
  });
});
