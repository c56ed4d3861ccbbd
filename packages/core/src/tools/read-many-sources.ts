import { resolve } from 'node:path';
import { asksForFolder } from '../files/path-text.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { splitStaticFolder } from '../search/globs/glob-match.js';
import { Failure } from '../util/failure.js';

/** One thing asked for: a file, or a folder in which files are looked for. */
export interface Source {
  readonly requested: string;
  readonly path: string;
  /** For the files below a folder, relative to it; undefined for a file that was named itself. */
  readonly pattern?: string;
  /** It may be touched, but there is nothing to read: neither a file nor, for a glob, a folder to look in. */
  readonly isMissing?: true;
}

export interface Candidate {
  readonly path: string;
  /** Where the path led when it was judged. */
  readonly canonical: string;
  /** It was named itself, not found in a folder. */
  readonly named: boolean;
  readonly size: number;
}

/** Notes why something is not read. `one`: the reason where it is that of a single thing, if it is put otherwise. */
export type Skip = (reason: string, what: string, one?: string) => void;

export interface SourceRequest {
  /** Files, folders and globs; relative ones start at `base`. */
  readonly paths: readonly string[];
  readonly base: string;
  readonly gate: WorkspaceGate;
  readonly skip: Skip;
}

/** The places that may be touched. A name that exists is itself, whatever glob characters it has. */
export function resolveSources({ paths, base, gate, skip }: SourceRequest): Source[] {
  const sources: Source[] = [];
  for (const requested of paths) {
    const path = resolve(base, requested);
    const kind = gate.check(path) === null ? gate.resolve(path).kind : undefined;
    if (kind === 'file' && asksForFolder(requested)) skip('path is not a directory', requested);
    else if (kind === 'directory') sources.push({ requested, path, pattern: '**' });
    else if (kind !== undefined && kind !== 'missing') sources.push({ requested, path });
    else {
      const isGlob = /[*?[{]/.test(requested);
      const { folder, rest } = isGlob ? splitStaticFolder(path) : { folder: path, rest: '' };
      const refusal = gate.check(folder);
      if (refusal !== null) skip(refusal.code.replaceAll('_', ' '), requested);
      else if (!isGlob || gate.resolve(folder).kind !== 'directory')
        sources.push({ requested, path: folder, isMissing: true });
      else sources.push({ requested, path: folder, pattern: rest });
    }
  }
  return sources;
}

/** One file that cannot be read is no reason not to read the others. @throws what is no `Failure` */
export function skipFailed(thrown: unknown, path: string, skip: Skip): void {
  if (!(thrown instanceof Failure)) throw thrown;
  skip(thrown.code === 'binary_file' ? 'binary' : thrown.code.replaceAll('_', ' '), path);
}
