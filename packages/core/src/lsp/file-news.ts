/** What became of one file on disk. */
export interface FileNews {
  /** Absolute, canonical. */
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
}

/** Changes on disk that others know of: each is told once. Never rejects. */
export interface ChangeSource {
  take(): Promise<readonly FileNews[]>;
  /** What there is by now is of no interest. */
  skip(): Promise<void>;
}
