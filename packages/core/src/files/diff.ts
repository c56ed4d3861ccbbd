import { basename } from 'node:path';
import type { StructuredPatch } from 'diff';

/** The same shape as the tools' `FileDiff`, which this folder may not import. */
export interface FileChange {
  /** A unified diff with the labels `Current` and `Proposed` (S58). */
  readonly fileDiff: string;
  readonly fileName: string;
  readonly filePath: string;
  readonly originalContent: string | null;
  readonly newContent: string;
}

export interface FileChangeInput {
  readonly filePath: string;
  /** Null for a file that does not exist yet. */
  readonly original: string | null;
  readonly proposed: string;
}

/** After this long a minimal diff is given up for a correct one that is not minimal. */
const DIFF_TIMEOUT_MS = 300;
const CONTEXT_LINES = 3;

export async function createFileDiff({ filePath, original, proposed }: FileChangeInput): Promise<FileChange> {
  const { createPatch, formatPatch } = await import('diff');
  const fileName = basename(filePath);
  const before = original ?? '';
  const options = { context: CONTEXT_LINES, timeout: DIFF_TIMEOUT_MS };
  const minimal = createPatch(fileName, before, proposed, 'Current', 'Proposed', options);
  const fileDiff = minimal ?? formatPatch(plainPatch(fileName, before, proposed));
  return { fileDiff, fileName, filePath, originalContent: original, newContent: proposed };
}

/** A change to one file; `proposed` is null when it goes. */
export interface PlannedChange {
  readonly path: string;
  readonly original: string | null;
  readonly proposed: string | null;
}

/** One diff for all that a call would do: of the one file, or of all files one after the other. */
export async function createChangesDiff(changes: readonly PlannedChange[]): Promise<FileChange> {
  const diffs: FileChange[] = [];
  for (const { path, original, proposed } of changes) {
    diffs.push(await createFileDiff({ filePath: path, original, proposed: proposed ?? '' }));
  }
  const [first] = diffs;
  if (first !== undefined && diffs.length === 1) return first;
  return {
    fileDiff: diffs.map(({ fileDiff }) => fileDiff).join(''),
    fileName: `${diffs.length} files`,
    filePath: first?.filePath ?? '',
    originalContent: null,
    newContent: '',
  };
}

/** One hunk: everything between the lines that both share at the start and at the end. */
function plainPatch(fileName: string, before: string, after: string): StructuredPatch {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - CONTEXT_LINES);
  const oldEnd = oldLines.length - tail;
  const newEnd = newLines.length - tail;
  const context = Math.min(tail, CONTEXT_LINES);
  const lines = [
    ...oldLines.slice(start, head).map((line) => patchLine(' ', line)),
    ...oldLines.slice(head, oldEnd).map((line) => patchLine('-', line)),
    ...newLines.slice(head, newEnd).map((line) => patchLine('+', line)),
    ...oldLines.slice(oldEnd, oldEnd + context).map((line) => patchLine(' ', line)),
  ].flat();
  const hunk = {
    oldStart: oldLines.length === 0 ? 0 : start + 1,
    oldLines: oldEnd + context - start,
    newStart: newLines.length === 0 ? 0 : start + 1,
    newLines: newEnd + context - start,
    lines,
  };
  return {
    oldFileName: fileName,
    newFileName: fileName,
    oldHeader: 'Current',
    newHeader: 'Proposed',
    hunks: [hunk],
  };
}

/** Lines with their line feeds. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function patchLine(sign: string, line: string): string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'];
}
