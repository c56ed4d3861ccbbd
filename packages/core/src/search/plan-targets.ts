import type { FolderFiles } from './content/folder-files.js';
import type { TargetFolder } from './engines/search-engine.js';

/** Those of the folders that hold candidates, with these; `candidates` are of some of them, in their order. */
export function targetsOf(folders: readonly TargetFolder[], candidates: readonly FolderFiles[]): TargetFolder[] {
  const targets: TargetFolder[] = [];
  for (const target of folders) {
    const next = candidates[targets.length];
    if (next === undefined) break;
    if (next.folder !== target.folder) continue;
    targets.push(next.names === target.names ? target : { folder: next.folder, names: next.names, isWhole: false });
  }
  return targets;
}
