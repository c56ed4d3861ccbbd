import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** What a path of the workspace is: the text or bytes of a file, or the target of a symbolic link. */
export type WorkspaceEntry = string | Uint8Array | { readonly linkTo: string };

export interface TempWorkspace {
  /** Absolute and canonical: no link on the way. */
  readonly root: string;
  /** The absolute path of a path relative to the root. */
  path(relativePath: string): string;
  /** @throws the system's error when there is no such file */
  read(relativePath: string): Promise<string>;
  /** Makes or replaces entries. */
  write(entries: Readonly<Record<string, WorkspaceEntry>>): Promise<void>;
  /** Deletes the folder with everything in it. May be called twice. */
  remove(): Promise<void>;
}

/**
 * A real folder in the system's temp folder. Keys are relative paths with `/`; missing folders are
 * made, and a key that ends in `/` is an empty folder.
 */
export async function createTempWorkspace(
  entries: Readonly<Record<string, WorkspaceEntry>> = {},
): Promise<TempWorkspace> {
  // Canonical, because the temp folder itself is a link on macOS and tools answer canonical paths.
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tenon-workspace-')));
  const path = (relativePath: string): string => inside(root, relativePath);
  const workspace: TempWorkspace = {
    root,
    path,
    read: async (relativePath) => readFile(path(relativePath), 'utf8'),
    write: async (more) => {
      for (const [key, entry] of Object.entries(more)) await writeEntry(path(key), key, entry);
    },
    remove: async () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
  await workspace.write(entries);
  return workspace;
}

async function writeEntry(path: string, key: string, entry: WorkspaceEntry): Promise<void> {
  if (key.endsWith('/')) {
    await mkdir(path, { recursive: true });
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  if (typeof entry === 'string' || entry instanceof Uint8Array) {
    await writeFile(path, entry);
    return;
  }
  await rm(path, { force: true });
  await symlink(entry.linkTo, path);
}

function inside(root: string, relativePath: string): string {
  const path = resolve(root, relativePath);
  const fromRoot = relative(root, path);
  if (fromRoot === '..' || fromRoot.startsWith(`..${sep}`)) {
    throw new Error(`${relativePath} leaves the temp workspace. Give a path below its root.`);
  }
  return path;
}
