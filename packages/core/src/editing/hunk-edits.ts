import { alignLines } from './align-lines.js';
import { restoreDamage } from './damaged-text.js';
import { shownText } from '../util/shown-text.js';
import type { Omission } from './edit-plan.js';
import type { FileLine } from './hunk-lines.js';
import { keepCharacters } from './keep-characters.js';
import type { Place } from './locate-hunk.js';
import type { Hunk, PatchLine } from './patch.js';
import { indentationOf, withoutIndentation, withoutTrailing } from './text-lines.js';

/** Lines of a file that others take the place of. */
export interface LineEdit {
  /** 0-based. */
  readonly first: number;
  readonly removed: number;
  readonly added: readonly FileLine[];
}

/** What a hunk that stands at `place` changes: runs of lines that do not touch its context. Sorted. */
export function hunkEdits(
  lines: readonly FileLine[],
  hunk: Hunk,
  { first, added: fitted, tier }: Place,
): LineEdit[] | Omission {
  const edits: LineEdit[] = [];
  let at = first;
  let written = 0;
  for (let index = 0; index < hunk.lines.length;) {
    const end = endOfRun(hunk.lines, index);
    const run = hunk.lines.slice(index, end);
    if (run[0]?.kind === 'same') {
      at += run.length;
    } else {
      const removed = textsOf(run, 'removed');
      const added = textsOf(run, 'added');
      const old = lines.slice(at, at + removed.length);
      const fit = fitted?.slice(written, written + added.length) ?? added;
      const texts = newTexts({ old, removed, added, fitted: fit, folded: tier.endsWith('look-alikes') });
      if ('reason' in texts) return texts;
      edits.push({ first: at, removed: removed.length, added: withEndings(lines, at, old, texts) });
      at += removed.length;
      written += added.length;
    }
    index = end;
  }
  return edits;
}

export function textsOf(lines: readonly PatchLine[], kind: PatchLine['kind']): string[] {
  return lines.filter((line) => line.kind === kind).map(({ text }) => text);
}

/** Changes next to each other are one, in whatever order their lines stand. */
function endOfRun(lines: readonly PatchLine[], start: number): number {
  const isSame = lines[start]?.kind === 'same';
  const end = lines.findIndex(({ kind }, index) => index > start && (kind === 'same') !== isSame);
  return end === -1 ? lines.length : end;
}

interface Run {
  /** As the file has them. */
  readonly old: readonly FileLine[];
  /** The same, as the patch has them. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** The added lines as they are to be indented. */
  readonly fitted: readonly string[];
  /** The old lines may differ from the removed ones in look-alikes. */
  readonly folded: boolean;
}

/** A line that is removed and added again stays as the file has it, and so do its look-alikes in a line that changes. */
function newTexts({ old, removed, added, fitted, folded }: Run): readonly string[] | Omission {
  const original = old.map(({ text }) => text);
  const written = folded ? keepInLines(removed, original.map(shownText), fitted) : fitted;
  const real = restoreDamage(original.join('\n'), written.join('\n'));
  if ('reason' in real) return real;
  const texts = real.text.split('\n');
  return alignLines(removed, added).map((from, index) => original[from ?? -1] ?? texts[index] ?? '');
}

/** Indentation and blanks at line ends aside. */
function keepInLines(removed: readonly string[], original: readonly string[], added: readonly string[]): string[] {
  const contentOf = (line: string): string => withoutIndentation(withoutTrailing(line));
  const newText = added.map(withoutIndentation).join('\n');
  const [oldText, there] = [removed, original].map((lines) => lines.map(contentOf).join('\n'));
  const lines = keepCharacters({ oldText: oldText ?? '', original: there ?? '', newText }).split('\n');
  return lines.map((line, index) => indentationOf(added[index] ?? '') + line);
}

/** Each new line ends as the one that it takes the place of, the others as their neighbours (S89). */
function withEndings(
  lines: readonly FileLine[],
  at: number,
  old: readonly FileLine[],
  texts: readonly string[],
): FileLine[] {
  const near = [...old.toReversed(), lines[at - 1], lines[at + old.length], lines[0]];
  const usual = near.find((line) => line !== undefined && line.ending !== '')?.ending ?? '\n';
  return texts.map((text, index) => {
    const own = old[index]?.ending ?? '';
    return { text, ending: own === '' ? usual : own };
  });
}
