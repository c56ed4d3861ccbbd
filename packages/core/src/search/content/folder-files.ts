/** Files of one folder, not of what lies below it. Names that are no UTF-8 as in `WalkedFolder`. */
export interface FolderFiles {
  /** Relative, with `/`; empty for the folder that all are relative to. */
  readonly folder: string;
  /** By code units, each once. */
  readonly names: readonly string[];
}

export function countFiles(pieces: readonly Pick<FolderFiles, 'names'>[]): number {
  let count = 0;
  for (const { names } of pieces) count += names.length;
  return count;
}
