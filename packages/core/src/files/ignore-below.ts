import { readdirSync, type Dirent } from 'node:fs';
import { join, sep } from 'node:path';
import { innermostRoot, newSources } from './ignore-rules.js';
import { scopeAbove, scopeInFolder } from './ignore-scope.js';
import { QWEN_IGNORE, type IgnoreScope } from './ignore-stack.js';

/** More folders than these are not looked through. */
const MOST_FOLDERS = 4_000;

/**
 * What `.qwenignore` files hide somewhere below a canonical path of a workspace, as the end of a sentence; undefined when
 * nothing is hidden. Where nothing is ignored so far, no rules are looked for in `.git` and in installed packages.
 */
export function hiddenBelow(path: string, roots: readonly string[]): string | undefined {
  const root = innermostRoot(path, roots);
  if (root === undefined) return undefined;
  const sources = newSources(QWEN_IGNORE, undefined);
  const way = path.slice(root.length).split(sep).filter(Boolean);
  const { above, isHidden } = scopeAbove(root, way, sources);
  if (isHidden) return `${QWEN_IGNORE.fileName} keeps everything from the agent`;
  const queue: { readonly folder: string; readonly scope: IgnoreScope }[] = [{ folder: path, scope: above }];
  for (let index = 0; index < queue.length; index += 1) {
    const next = queue[index];
    if (next === undefined) break;
    if (index >= MOST_FOLDERS) return `there is too much to look for ${QWEN_IGNORE.fileName} in it`;
    const entries = entriesOf(next.folder);
    const file = entries.some((entry) => entry.name === QWEN_IGNORE.fileName);
    const scope = scopeInFolder(next.scope, { path: next.folder, has: { file, git: false } }, sources);
    for (const entry of entries) {
      const isFolder = entry.isDirectory();
      if (!scope.isEmpty && scope.ignores(entry.name, isFolder))
        return `${QWEN_IGNORE.fileName} keeps something from the agent (${entry.name})`;
      if (!isFolder || (scope.isEmpty && (entry.name === '.git' || entry.name === 'node_modules'))) continue;
      queue.push({ folder: join(next.folder, entry.name), scope: scope.below(entry.name) });
    }
  }
  return undefined;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Who cannot list it cannot read what lies in it by going through it.
    return [];
  }
}
