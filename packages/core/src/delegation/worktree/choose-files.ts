import { existsSync } from 'node:fs';
import { QWEN_IGNORE } from '../../files/ignore-stack.js';
import type { ToolRuntime } from '../../runtime.js';
import { folderOf } from '../../search/paths.js';
import { ToolNames } from '../../tools/tool-names.js';
import { absoluteBelow } from '../../util/paths-below.js';
import type { ListedFiles } from './list-files.js';

/** The files that a worktree gets of those that git lists. */
export interface ChosenFiles extends ListedFiles {
  /** How many it does not get, since rules keep them from being read. */
  readonly withheld: number;
}

/**
 * A rule that names a file by where it is says nothing of a copy elsewhere: what rules keep from being read is not copied. The
 * files that keep tools from others are, also where git ignores them. `top`: of the work tree.
 */
export function chooseFiles(config: Pick<ToolRuntime, 'getReadRules'>, top: string, listed: ListedFiles): ChosenFiles {
  const isKept = keptFrom(config, top);
  const all = [...listed.tracked.keys(), ...listed.untracked];
  const withheld = new Set(all.filter(isKept));
  const known = new Set(all);
  const ignoreFiles = [...new Set(all.flatMap(foldersOf))]
    .map((folder) => `${folder}${QWEN_IGNORE.fileName}`)
    .filter((path) => !known.has(path) && existsSync(absoluteBelow(top, path)));
  return {
    ...listed,
    tracked: new Map([...listed.tracked].filter(([path]) => !withheld.has(path))),
    untracked: [...listed.untracked.filter((path) => !withheld.has(path)), ...ignoreFiles],
    withheld: withheld.size,
  };
}

/** Tells of a path below `top` whether a rule on reading speaks of it, or of a folder on its way. */
function keptFrom(config: Pick<ToolRuntime, 'getReadRules'>, top: string): (path: string) => boolean {
  const rules = config.getReadRules()?.below(ToolNames.READ_FILE, { path: top, requested: top });
  if (rules === undefined) return () => false;
  const folders = new Map<string, { readonly isKept: boolean; readonly judge: ReturnType<typeof rules.filesIn> }>();
  const folderAt = (folder: string): { readonly isKept: boolean; readonly judge: ReturnType<typeof rules.filesIn> } => {
    const before = folders.get(folder);
    if (before !== undefined) return before;
    const above = folder === '' ? undefined : folderAt(folderOf(folder));
    const isKept = above?.isKept === true || (folder !== '' && rules.folder(folder) !== undefined);
    const found = { isKept, judge: isKept ? undefined : rules.filesIn(folder) };
    folders.set(folder, found);
    return found;
  };
  return (path) => {
    const { isKept, judge } = folderAt(folderOf(path));
    return isKept || judge?.(path.slice(path.lastIndexOf('/') + 1)) !== undefined;
  };
}

/** Those on the way to it, with a slash at the end, the top as an empty one. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return ['', ...names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`)];
}
