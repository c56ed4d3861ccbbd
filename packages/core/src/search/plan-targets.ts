import type { FolderFiles } from './content/folder-files.js';
import type { TargetFolder } from './engines/search-engine.js';

/** Those of the folders that hold candidates, with these; `candidates` are of some of them, in their order. */
export function targetsOf(folders: readonly TargetFolder[], candidates: readonly FolderFiles[]): TargetFolder[] {
  const targets: TargetFolder[] = [];
  for (const target of folders) {
    const next = candidates[targets.length];
    if (next === undefined) break;
    if (next.folder !== target.folder) continue;
    targets.push(partOf(target, next.names));
  }
  return targets;
}

/** Some of a folder's files, or all of them: then it is the same. */
export function partOf(folder: TargetFolder, names: readonly string[]): TargetFolder {
  return names.length === folder.names.length ? folder : { folder: folder.folder, names, isWhole: false };
}
