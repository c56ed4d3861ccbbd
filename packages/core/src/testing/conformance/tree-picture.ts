import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** What lies where: absolute path → what it is. */
export type TreePicture = ReadonlyMap<string, string>;

export interface TreeChange {
  readonly kind: 'write' | 'delete';
  readonly path: string;
}

/** Everything below the folders, by content and mode. */
export async function pictureOf(folders: readonly string[]): Promise<TreePicture> {
  const picture = new Map<string, string>();
  const visit = async (folder: string): Promise<void> => {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const info = await lstat(path);
      if (info.isDirectory()) {
        picture.set(path, `folder ${info.mode}`);
        await visit(path);
      } else if (info.isSymbolicLink()) picture.set(path, `link ${await readlink(path)}`);
      else if (info.isFile())
        picture.set(
          path,
          `${info.mode} ${createHash('sha256')
            .update(await readFile(path))
            .digest('hex')}`,
        );
      else picture.set(path, 'special');
    }
  };
  for (const folder of folders) await visit(folder);
  return picture;
}

/** Pure. */
export function changesBetween(before: TreePicture, after: TreePicture): readonly TreeChange[] {
  const gone = [...before.keys()].filter((path) => !after.has(path));
  const other = [...after].filter(([path, what]) => before.get(path) !== what);
  return [
    ...other.map(([path]) => ({ kind: 'write', path }) as const),
    ...gone.map((path) => ({ kind: 'delete', path }) as const),
  ];
}
