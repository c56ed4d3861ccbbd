import { readFileSync, statSync } from 'node:fs';
import { systemErrorCode } from '../util/failure.js';
import { parseIgnoreText, type IgnorePattern } from './ignore-pattern.js';

/**
 * The ignore files that hold in a folder, innermost first. A walker loads each file once, when it enters
 * its folder; asking the file system again for every entry costs ten times the walk itself.
 */
export interface IgnoreFrame {
  readonly parent: IgnoreFrame | undefined;
  /** Length of the folder's path relative to the root, closing slash included. */
  readonly prefixLength: number;
  readonly patterns: readonly IgnorePattern[];
}

/** A kind of ignore file. */
export interface IgnoreKind {
  readonly fileName: string;
  /** Relative to the root, with lower rank than the root's own file. */
  readonly extraFile?: string;
  readonly ignoreCase: boolean;
}

export const GIT_IGNORE: IgnoreKind = { fileName: '.gitignore', extraFile: '.git/info/exclude', ignoreCase: false };
/** Any case: what the gate keeps from the model must not come back under another spelling. */
export const QWEN_IGNORE: IgnoreKind = { fileName: '.qwenignore', ignoreCase: true };

/** True when the innermost file that has a word on the entry ignores it. Its folder is taken to be entered already. */
export function isIgnoredBy(
  frame: IgnoreFrame | undefined,
  relativeToRoot: string,
  name: string,
  isDirectory: boolean,
): boolean {
  for (let current = frame; current !== undefined; current = current.parent) {
    const path = relativeToRoot.slice(current.prefixLength);
    for (let index = current.patterns.length - 1; index >= 0; index--) {
      const pattern = current.patterns[index];
      if (pattern?.matches(path, name, isDirectory) === true) return !pattern.negated;
    }
  }
  return false;
}

/** The frames for a folder below `parent`; `folder` is where its ignore file is read, `relativeFolder` its path from the root. */
export function pushFrame(
  parent: IgnoreFrame | undefined,
  kind: IgnoreKind,
  folder: string,
  relativeFolder: string,
): IgnoreFrame | undefined {
  return push(parent, kind, `${folder}/${kind.fileName}`, relativeFolder === '' ? 0 : relativeFolder.length + 1);
}

function push(
  parent: IgnoreFrame | undefined,
  kind: IgnoreKind,
  file: string,
  prefixLength: number,
): IgnoreFrame | undefined {
  const patterns = parseIgnoreText(readIgnoreFile(file), kind.ignoreCase);
  return patterns.length === 0 ? parent : { parent, prefixLength, patterns };
}

/**
 * The frames of a root's folders down to `relativeFolder` (its own file not yet included), and whether
 * that folder is ignored itself.
 */
export function framesAbove(
  root: string,
  relativeFolder: string,
  kind: IgnoreKind,
): { frame: IgnoreFrame | undefined; ignored: boolean } {
  let frame = kind.extraFile === undefined ? undefined : push(undefined, kind, `${root}/${kind.extraFile}`, 0);
  let ignored = false;
  let folder = '';
  for (const name of relativeFolder === '' ? [] : relativeFolder.split('/')) {
    frame = pushFrame(frame, kind, `${root}/${folder}`, folder);
    folder = folder === '' ? name : `${folder}/${name}`;
    ignored ||= isIgnoredBy(frame, folder, name, true);
  }
  return { frame, ignored };
}

function readIgnoreFile(file: string): string {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : '';
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    // Gone meanwhile: no rules. Unreadable: fail closed, nothing in this folder is shown.
    return code === 'ENOENT' || code === 'ENOTDIR' ? '' : '*';
  }
}
