import type { SearchTargets, TargetFolder } from '../search-engine.js';
import { countTargets } from '../target-paths.js';

/** Files of some folders that are searched in one go. */
export type Piece = readonly TargetFolder[];

/**
 * One thread's work of a few milliseconds; the first pieces are small, so that the first results come at once, and those of
 * few files, which are likely to be large, so that all threads have some.
 */
const FIRST_FILES = 32;
const LEAST_PIECES = 8;
const MOST_FILES = 256;
/** So many, so that the last ones are done at about the same time. */
const MANY_PIECES = 32;

/** All targets in pieces, in their order. */
export function* piecesOf(targets: SearchTargets): Generator<Piece, void, undefined> {
  let piece: TargetFolder[] = [];
  const files = countTargets(targets);
  const most = Math.min(MOST_FILES, Math.max(FIRST_FILES, Math.ceil(files / MANY_PIECES)));
  let wanted = Math.min(FIRST_FILES, Math.ceil(files / LEAST_PIECES));
  let room = wanted;
  for (const target of foldersOf(targets)) {
    for (let from = 0; from < target.names.length;) {
      const part = slice(target, from, from + room);
      piece.push(part);
      from += part.names.length;
      room -= part.names.length;
      if (room > 0) continue;
      yield piece;
      piece = [];
      if (wanted >= FIRST_FILES) wanted = Math.min(4 * wanted, most);
      room = wanted;
    }
  }
  if (piece.length > 0) yield piece;
}

function slice(target: TargetFolder, from: number, to: number): TargetFolder {
  if (from === 0 && to >= target.names.length) return target;
  return { folder: target.folder, names: target.names.slice(from, to), isWhole: false };
}

/** Also the single files, by their folders. */
function* foldersOf({ folders, files }: SearchTargets): Generator<TargetFolder, void, undefined> {
  yield* folders;
  let folder = '';
  let names: string[] = [];
  for (const file of files) {
    const slash = file.lastIndexOf('/');
    const own = slash === -1 ? '' : file.slice(0, slash);
    if (own !== folder) {
      if (names.length > 0) yield { folder, names, isWhole: false };
      folder = own;
      names = [];
    }
    names.push(file.slice(slash + 1));
  }
  if (names.length > 0) yield { folder, names, isWhole: false };
}
