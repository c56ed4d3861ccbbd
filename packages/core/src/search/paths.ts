/** A path with `/` of two parts, of which the first may be empty. */
export function pathBelow(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Of a path with `/`: the folder it is in; empty for the one that all are relative to. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** A folder's path with `/` as those of its files begin: empty, or with a slash at its end. */
export function prefixOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}
