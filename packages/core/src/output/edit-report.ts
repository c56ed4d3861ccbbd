import { showRegions, type LineRange } from './changed-regions.js';
import { numberLines } from './numbered-lines.js';

const MAX_LISTED = 10;
const MAX_SHOWN_LENGTH = 200;

export interface DoneEdit {
  readonly path: string;
  readonly isNewFile: boolean;
  readonly newContent: string;
  /** Where the new text stands; empty when the whole file is new. */
  readonly changed: readonly LineRange[];
  /** How the place was found when not by exact match, as a phrase; empty for an exact match. */
  readonly how: string;
}

/** What the model is told of an edit that was made: the places, and how they read now (S96). */
export function reportEdit({ path, isNewFile, newContent, changed, how }: DoneEdit): string {
  if (changed.length === 0) return `Successfully modified file: ${isNewFile ? 'created' : 'filled'} ${path}.`;
  const shown = changed.slice(0, MAX_LISTED);
  const places = shown.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`));
  const lines = `${places.join(', ')}${changed.length > MAX_LISTED ? ', …' : ''}`;
  const amount = changed.length === 1 ? '1 replacement' : `${changed.length} replacements`;
  const note = how === '' ? '' : ` old_string ${how}.`;
  const region = showRegions({ text: newContent, ranges: shown });
  return `Successfully modified file: ${path} (${amount}, lines ${lines}).${note} It now reads:\n${region}`;
}

export interface MissedEdit {
  readonly path: string;
  readonly cause: string;
  readonly nearest: { readonly firstLine: number; readonly lines: readonly string[] } | undefined;
  readonly readTool: string;
}

/** What the model is told when its target was not found (S92). */
export function reportMiss({ path, cause, nearest, readTool }: MissedEdit): string {
  const why = cause === '' ? '' : ` ${cause}`;
  const head = `old_string was not found in ${path}; nothing was changed.${why} Read the file first to get the exact text (${readTool}).`;
  if (nearest === undefined) return head;
  const lines = nearest.lines.map((line) =>
    line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…` : line,
  );
  return `${head}\nThe nearest lines are:\n${numberLines(lines, nearest.firstLine + 1)}`;
}
