/** A folder that is held: what is read in it is what was judged. */
export interface HeldFolder {
  /** Where it really is: absolute, canonical. */
  readonly path: string;
  /** The path under which to read it; may be given to a child process as its cwd. */
  readonly workingDirectory: string;
}
