/**
 * What deny and ask rules keep from being read below a folder, as data and as questions that are cheap to put for each of
 * many files. Paths are relative to that folder, with `/`; empty for itself.
 */

/** The rule that keeps something from being read. */
export interface WithheldBy {
  /** `ask`: it may be read once the person said so. */
  readonly list: 'deny' | 'ask';
  /** The rule as it was written. */
  readonly text: string;
  readonly origin: string;
}

/** A folder that is read with everything below, as in `PathEffect`. */
export interface ReadPlace {
  readonly path: string;
  readonly requested: string;
}

/** What is withheld below one place: the same as the policy would say to reading each of the files by itself. */
export interface Withheld {
  /** The same for two places only when the same is withheld there by the same rules. */
  readonly key: string;
  /** Of a folder: all that lies in it. */
  folder(relativePath: string): WithheldBy | undefined;
  /** Judges the names of files right in a folder; undefined where no rule can speak of any. */
  filesIn(relativeFolder: string): ((name: string) => WithheldBy | undefined) | undefined;
  /** Of a link: by its name and by where it really leads (absolute, canonical). */
  link(relativePath: string, leadsTo: string): WithheldBy | undefined;
}

/** The rules on reading, as they stand whenever they are asked. */
export interface ReadRules {
  /**
   * Prepared once for a call. What the person is asked about with the place itself is not withheld any more. Undefined
   * where there is no rule on what this tool reads.
   */
  below(toolName: string, place: ReadPlace): Withheld | undefined;
}

/** Chooses what may be read below a place. */
export interface ReadFilter {
  /** False for a folder of which nothing may be read. */
  readonly entersFolder: (relativePath: string) => boolean;
  /** Those of a folder's files that may be read; the same list when all may. */
  readonly files: (relativeFolder: string, names: readonly string[]) => readonly string[];
  /** The same of one file. */
  readonly allowsFile: (relativePath: string) => boolean;
  /** The same of a link, judged by where it leads as well. */
  readonly allowsLink: (relativePath: string) => boolean;
  /** The same filter, which keeps no account of what it leaves out. */
  readonly silent: ReadFilter;
}
