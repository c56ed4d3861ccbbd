import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folders that a client's roots and the folders of the start have in common, in the client's order: of each pair the
 * one that lies in the other. Empty when there are none; never more than `allowed`, which are canonical.
 */
export async function narrowRoots(uris: readonly string[], allowed: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const uri of uris) {
    const folder = await folderAt(uri);
    if (folder === undefined) continue;
    for (const one of allowed) {
      if (isWithin(folder, one)) found.add(folder);
      else if (isWithin(one, folder)) found.add(one);
    }
  }
  // A folder in another one of them says nothing new.
  const all = [...found];
  return all.filter((one) => !all.some((other) => other !== one && isWithin(one, other)));
}

/** Canonical; undefined for what is no folder of this machine. */
async function folderAt(uri: string): Promise<string | undefined> {
  try {
    const url = new URL(uri);
    if (url.protocol !== 'file:') return undefined;
    const folder = await realpath(fileURLToPath(url));
    return (await stat(folder)).isDirectory() ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(folder: string, other: string): boolean {
  const relative = path.relative(other, folder);
  return relative === '' || (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative));
}
