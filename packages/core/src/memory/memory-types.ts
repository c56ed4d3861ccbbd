import type { FileChanges } from '../files/file-changes.js';
import type { FileSystemService } from '../files/workspace-types.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';

/** Where a context file stands: in Tenon's own folder, in an extension, above a root, in a root, below one. */
export type ContextRole = 'global' | 'extension' | 'ancestor' | 'root' | 'folder';

/** A folder in which context files are looked for. */
export interface ContextPlace {
  /** Absolute and canonical. */
  readonly folder: string;
  readonly role: ContextRole;
  /** Canonical folder that the files, and all that they import, really lie in. */
  readonly boundary: string;
  /** User ids that the files may belong to; undefined for anyone's. */
  readonly owners?: ReadonlySet<number>;
  /** The only files that are looked for here; undefined: those that are looked for everywhere. */
  readonly names?: readonly string[];
}

/** A file whose text the model is told without having asked for it. */
export interface ContextFile {
  /** Absolute, as it was found. */
  readonly path: string;
  readonly role: ContextRole;
  /** Without control characters and escape sequences, line feeds only. */
  readonly text: string;
  /** Of `text`, in UTF-8. */
  readonly bytes: number;
  /** The file that names it, absolute; absent for a file that is looked for by its name. */
  readonly importedBy?: string;
}

/** A file that was named, or looked for, and is not told. */
export interface LeftOutFile {
  readonly path: string;
  readonly importedBy?: string;
  /** The end of a sentence: `it lies outside of /repo`. */
  readonly why: string;
  /** True: nothing is lost by it, so that nobody need be told. */
  readonly isHarmless?: true;
}

export interface GatheredContext {
  /** In the order in which they are told: from the farthest to the nearest, an import behind the file that names it. */
  readonly files: readonly ContextFile[];
  readonly leftOut: readonly LeftOutFile[];
}

/** How much of a file is told. */
export type ShownAs = 'whole' | 'cut' | 'left out';

export type MemoryScope = 'project' | 'global';

/** How the file is read and changed in which facts of one scope are kept. */
export interface MemoryStore {
  readonly gate: WorkspaceGate;
  readonly files: FileSystemService;
  readonly changes: FileChanges;
}

/** A store and the file in it. */
export interface SavePlace extends MemoryStore {
  /** Absolute; need not exist. */
  readonly file: string;
}

/** For the person. */
export interface MemoryNotice {
  readonly level: 'info' | 'warning';
  readonly text: string;
}

export interface OverviewFile {
  readonly path: string;
  readonly role: ContextRole;
  /** Of its text, in UTF-8. */
  readonly bytes: number;
  readonly importedBy?: string;
  readonly shown: ShownAs;
}

/** What is remembered, for a person: all paths absolute. */
export interface MemoryOverview {
  readonly files: readonly OverviewFile[];
  readonly leftOut: readonly LeftOutFile[];
  /** Bytes that are told with every request, and the most they may be. */
  readonly usedBytes: number;
  readonly maxBytes: number;
  readonly isTrusted: boolean;
  /** Names that are looked for in every folder, in this order. */
  readonly fileNames: readonly string[];
  /** Where facts are saved, and what a person edits; they need not exist. */
  readonly saved: { readonly project: string; readonly global?: string };
}
