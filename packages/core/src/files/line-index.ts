/** Which file an index belongs to. */
export interface IndexKey {
  /** Canonical. */
  readonly path: string;
  /** `stampOf` the open file: another version has another index. */
  readonly stamp: string;
}

/** Where lines begin in large files, kept for each version of a file, bounded in memory. */
export class LineIndexes {}
