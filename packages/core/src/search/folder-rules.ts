import { relative, sep } from 'node:path';
import {
  framesAbove,
  GIT_IGNORE,
  isIgnoredBy,
  pushFrame,
  QWEN_IGNORE,
  type IgnoreKind,
} from '../files/ignore-stack.js';
import { innermostRoot } from '../files/ignore-rules.js';

export type EntryRule = (name: string, isDirectory: boolean) => boolean;

/** Which of one folder's own entries the ignore files hide, for a listing that goes no deeper. */
export interface FolderRules {
  readonly gitIgnores: EntryRule;
  readonly qwenIgnores: EntryRule;
}

/** `folder` is canonical; nothing is ignored outside the roots, nor by `.gitignore` in a folder that it hides as a whole. */
export function folderRules(folder: string, roots: readonly string[]): FolderRules {
  const root = innermostRoot(folder, roots);
  if (root === undefined) return { gitIgnores: () => false, qwenIgnores: () => false };
  const path = relative(root, folder).split(sep).join('/');
  const rule = (kind: IgnoreKind): EntryRule => {
    const above = framesAbove(root, path, kind);
    const named = kind === GIT_IGNORE && above.ignored;
    const frame = pushFrame(named ? undefined : above.frame, kind, folder, path);
    return (name, isDirectory) => isIgnoredBy(frame, path === '' ? name : `${path}/${name}`, name, isDirectory);
  };
  return { gitIgnores: rule(GIT_IGNORE), qwenIgnores: rule(QWEN_IGNORE) };
}
