import { basename, dirname, relative, sep } from 'node:path';
import { unifiedDiff } from './unified-diff.js';

/** The same shape as the tools' `FileDiff`, which this folder may not import. */
export interface FileChange {
  /** A unified diff with the labels `Current` and `Proposed` (S58). */
  readonly fileDiff: string;
  readonly fileName: string;
  readonly filePath: string;
  /** Empty for a new file; null if no single text exists: several files, or a log that omits it. */
  readonly originalContent: string | null;
  readonly newContent: string;
  /** Present if the file does not exist yet. */
  readonly isNewFile?: true;
}

export interface FileChangeInput {
  readonly filePath: string;
  /** Null for a file that does not exist yet. */
  readonly original: string | null;
  readonly proposed: string;
}

export async function createFileDiff({ filePath, original, proposed }: FileChangeInput): Promise<FileChange> {
  const fileName = basename(filePath);
  const sides = { before: original ?? '', after: proposed, oldName: fileName, newName: fileName };
  const texts = { originalContent: original ?? '', newContent: proposed };
  return {
    fileDiff: await labelled(sides),
    fileName,
    filePath,
    ...texts,
    ...(original === null && { isNewFile: true as const }),
  };
}

interface Sides {
  readonly before: string;
  readonly after: string;
  readonly oldName: string;
  readonly newName: string;
}

function labelled(sides: Sides): Promise<string> {
  const [oldHeader, newHeader] = [labelOf(sides.oldName, 'Current'), labelOf(sides.newName, 'Proposed')];
  return unifiedDiff({ ...sides, oldHeader, newHeader });
}

function labelOf(name: string, label: string): string | undefined {
  return name === NO_FILE ? undefined : label;
}

/** What stands for a side that is no file. */
const NO_FILE = '/dev/null';

/** A change to one file; `proposed` is null when it goes. */
export interface PlannedChange {
  readonly path: string;
  readonly original: string | null;
  readonly proposed: string | null;
  /** The path of the change that takes the same file away from where it was. */
  readonly movedFrom?: string;
}

/**
 * One diff for all that a call would do: of the one file, or of all files one after the other, with their paths below
 * the folder that they share. A file that is moved is compared with what it was.
 */
export async function createChangesDiff(changes: readonly PlannedChange[]): Promise<FileChange> {
  const [only, second] = changes;
  if (only !== undefined && second === undefined && only.proposed !== null) {
    return createFileDiff({ filePath: only.path, original: only.original, proposed: only.proposed });
  }
  const folder = sharedFolder(changes.map(({ path }) => path));
  const nameOf = (path: string): string => relative(folder, path).replaceAll(sep, '/');
  const sources = new Map(changes.filter(({ proposed }) => proposed === null).map((change) => [change.path, change]));
  const moves = changes.filter(({ movedFrom, original }) => original === null && sources.has(movedFrom ?? ''));
  const left = new Set(moves.map(({ movedFrom }) => movedFrom));
  const shown = changes.filter(({ path, proposed }) => proposed !== null || !left.has(path));
  const diffs: string[] = [];
  for (const change of shown) {
    const { path, original, proposed } = change;
    const source = moves.includes(change) ? sources.get(change.movedFrom ?? '') : undefined;
    const before = source?.original ?? original;
    const oldName = before === null ? NO_FILE : nameOf(source?.path ?? path);
    const newName = proposed === null ? NO_FILE : nameOf(path);
    diffs.push(await labelled({ before: before ?? '', after: proposed ?? '', oldName, newName }));
  }
  const [first] = shown;
  const isOne = first !== undefined && shown.length === 1;
  return {
    fileDiff: diffs.join(''),
    fileName: isOne ? basename(first.path) : `${shown.length} files`,
    filePath: first?.path ?? '',
    originalContent: isOne ? (sources.get(first.movedFrom ?? '')?.original ?? first.original) : null,
    newContent: isOne ? (first.proposed ?? '') : '',
  };
}

/** The innermost folder that all of the paths lie in. */
function sharedFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0] ?? sep);
  while (dirname(folder) !== folder && !paths.every((path) => path.startsWith(folder + sep))) folder = dirname(folder);
  return folder;
}
