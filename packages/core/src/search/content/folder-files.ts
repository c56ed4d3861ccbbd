/** Files of one folder, not of what lies below it. Names that are no UTF-8 as in `WalkedFolder`. */
export interface FolderFiles {
  /** Relative, with `/`; empty for the folder that all are relative to. */
  readonly folder: string;
  /** By code units, each once. */
  readonly names: readonly string[];
}

export function countFiles(pieces: readonly FolderFiles[]): number {
  let count = 0;
  for (const { names } of pieces) count += names.length;
  return count;
}

/** A path of two parts, of which the first may be empty. */
export function pathOf(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
