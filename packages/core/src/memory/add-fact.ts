import { uniformLineEnding, withLineEnding } from '../editing/line-endings.js';
import { cleanText } from '../util/clean-text.js';
import { quoteImports } from './find-imports.js';

/** The heading below which facts are saved. */
export const FACTS_HEADING = '## Saved memories';

export type FactPlan =
  | { readonly kind: 'add'; /** The whole new text of the file. */ readonly text: string }
  /** `line`: as it stands there. */
  | { readonly kind: 'known'; readonly line: string };

/** A fact as it is saved: one line, nothing in it that cannot be seen, and nothing that would import a file. Pure. */
export function factLine(fact: string): string {
  const line = cleanText(fact, { strict: true })
    .text.replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:[-*+](?: |$))+/, '')
    .trim();
  return quoteImports(line);
}

/** What becomes of a context file when a fact is saved in it; null for a file that does not exist. Pure. */
export function addFact(text: string | null, fact: string): FactPlan {
  const line = factLine(fact);
  const known = findFact(text ?? '', line);
  if (known !== undefined) return { kind: 'known', line: known };
  const ending = uniformLineEnding(text ?? '') ?? '\n';
  const lines = (text ?? '').replaceAll('\r\n', '\n').split('\n');
  const heading = headingAt(lines);
  const entry = `- ${line}`;
  if (heading === -1) {
    const before = lines.join('\n').trimEnd();
    const added = `${before === '' ? '' : `${before}\n\n`}${FACTS_HEADING}\n\n${entry}\n`;
    return { kind: 'add', text: kept(text, added, ending) };
  }
  const end = endOfSection(lines, heading);
  let at = end;
  while (at > heading + 1 && lines[at - 1]?.trim() === '') at -= 1;
  const head = lines.slice(0, at);
  const tail = lines.slice(at);
  const gap = at === heading + 1 ? [''] : [];
  const rest = end === lines.length ? [''] : ['', ...tail.slice(tail.findIndex((each) => each.trim() !== ''))];
  return { kind: 'add', text: kept(text, [...head, ...gap, entry, ...rest].join('\n'), ending) };
}

/** The line of a text that says the same: case, blanks and the full stop at the end apart. Pure. */
export function findFact(text: string, fact: string): string | undefined {
  const wanted = folded(fact);
  return text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && folded(line) === wanted);
}

function folded(line: string): string {
  return line
    .trim()
    .replace(/^(?:[-*+]|\d+[.)]) +/, '')
    .replaceAll(/[\s`*_"']+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
}

/** What stood there stays as it is, whatever its line endings: only of a file with one kind all lines are joined with it. */
function kept(text: string | null, added: string, ending: '\n' | '\r\n'): string {
  if (text === null || !text.includes('\r\n') || uniformLineEnding(text) !== undefined)
    return withLineEnding(added, ending);
  return mixed(text, added);
}

/** A file whose line endings differ: its own lines keep theirs, the new ones end with a line feed. */
function mixed(text: string, added: string): string {
  const own = text.split('\n');
  let next = 0;
  return added
    .split('\n')
    .map((line) => {
      const found = own.indexOf(`${line}\r`, next);
      const plain = own.indexOf(line, next);
      if (found === -1 || (plain !== -1 && plain < found)) {
        if (plain !== -1) next = plain + 1;
        return line;
      }
      next = found + 1;
      return `${line}\r`;
    })
    .join('\n');
}

function headingAt(lines: readonly string[]): number {
  let isCode = false;
  return lines.findIndex((line) => {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    return !isCode && line.trim().toLowerCase() === FACTS_HEADING.toLowerCase();
  });
}

/** The index of the next heading of the same or a higher level, or the number of lines. */
function endOfSection(lines: readonly string[], heading: number): number {
  let isCode = false;
  const end = lines.findIndex((line, index) => {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    return index > heading && !isCode && /^#{1,2} /.test(line);
  });
  return end === -1 ? lines.length : end;
}
