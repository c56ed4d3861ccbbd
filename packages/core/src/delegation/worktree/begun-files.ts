import { readFile } from 'node:fs/promises';
import { isObject } from '../../util/is-object.js';

/** One file as a worktree began with it. */
export type BegunFile =
  | {
      readonly kind: 'file';
      /** SHA-256 (hex) of the bytes. */
      readonly hash: string;
      /** Permission bits, `0o777`. */
      readonly mode: number;
      /** Device, inode, size and times of the copy: while they are the same, so is the file. */
      readonly stamp: string;
      /** Milliseconds since 1970: when its inode was changed last. */
      readonly changedMs: number;
      /** Where its bytes are found again: in git's objects, in a folder of Tenon's, or nowhere. */
      readonly base: { readonly object: string } | 'kept' | 'none';
    }
  | { readonly kind: 'link'; readonly target: string };

/** All that a worktree began with, by paths relative to its top, with `/`. */
export interface BegunFiles {
  readonly files: ReadonlyMap<string, BegunFile>;
  /** Milliseconds since 1970: when the last file was there. */
  readonly finishedMs: number;
}

export function begunText({ files, finishedMs }: BegunFiles): string {
  return JSON.stringify({ version: 1, finishedMs, files: Object.fromEntries(files) });
}

/** Undefined when it is not there, or cannot be believed. */
export async function readBegun(path: string): Promise<BegunFiles | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isObject(value) || value['version'] !== 1 || !isObject(value['files'])) return undefined;
    const { finishedMs } = value;
    const entries = Object.entries(value['files']);
    if (typeof finishedMs !== 'number' || !entries.every((entry): entry is [string, BegunFile] => isBegun(entry[1])))
      return undefined;
    return { finishedMs, files: new Map(entries) };
  } catch {
    return undefined;
  }
}

function isBegun(value: unknown): value is BegunFile {
  if (!isObject(value)) return false;
  if (value['kind'] === 'link') return typeof value['target'] === 'string';
  const { hash, mode, stamp, changedMs, base } = value;
  const isBase = base === 'kept' || base === 'none' || (isObject(base) && typeof base['object'] === 'string');
  return (
    value['kind'] === 'file' &&
    typeof hash === 'string' &&
    typeof mode === 'number' &&
    typeof stamp === 'string' &&
    typeof changedMs === 'number' &&
    isBase
  );
}
