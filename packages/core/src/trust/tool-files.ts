import { constants } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf, type JudgedEntry, type TrustEntry } from './folder-trust.js';

/** A file of a folder of tools. */
export interface ToolFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Hex SHA-256 of its content. */
  readonly digest: string;
}

/** A folder whose modules are tools, and what of it may be loaded. */
export interface ToolFolder {
  readonly origin: 'user' | 'project';
  /** Of the extension that it belongs to. */
  readonly extension?: string;
  /** Absolute. */
  readonly folder: string;
  /** Only files with this content; undefined: whatever lies there, for it is the person's own. */
  readonly agreed?: readonly ToolFile[];
}

/** Where a project has its tools, relative to its root. */
export const PROJECT_TOOLS = '.tenon/tools';
/** Where the person has theirs, relative to Tenon's own folder. */
const OWN_TOOLS = 'tools';

const LOADABLE = /\.(?:[jt]s|m[jt]s|json)$/;
/** Nothing that a tool is made of: tests, declarations, and what a package manager or the author keeps there. */
const LEFT_OUT = /\.(?:test|spec)\.[^.]+$|\.d\.m?ts$|^(?:package|package-lock|tsconfig(?:\..+)?)\.json$/;
const MOST_FILES = 200;
const MOST_LEVELS = 6;
/** Of one file. */
const MOST_BYTES = 1024 * 1024;

/** The files that tools may be made of, sorted, at most 200 in 6 levels; nothing where there is no such folder. Never throws. */
export async function listToolFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const visit = async (below: string, level: number): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const { name } = entry;
      if (found.length >= MOST_FILES || name.startsWith('.') || name === 'node_modules') continue;
      if (entry.isDirectory() && level < MOST_LEVELS) await visit(`${below}${name}/`, level + 1);
      const isFile = entry.isFile() || entry.isSymbolicLink();
      if (isFile && LOADABLE.test(name) && !LEFT_OUT.test(name)) found.push(below + name);
    }
  };
  await visit('', 1);
  return found;
}

/** Of one that cannot be read, or is no file of at most 1 MiB: undefined. */
export async function readToolFile(file: string): Promise<Buffer | undefined> {
  // A FIFO of that name must not hang the start.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const info = await handle.stat();
    return info.isFile() && info.size <= MOST_BYTES ? await handle.readFile() : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The folders of tools, and what of the project's counts only once somebody agreed to it. */
export interface FoundToolFolders {
  readonly asking: readonly TrustEntry[];
  /** Once it is known what was agreed to. */
  readonly judged: (entries: readonly JudgedEntry[]) => {
    readonly folders: readonly ToolFolder[];
    /** One sentence for all that is left out, with what changes it. */
    readonly problems: readonly string[];
  };
}

/** Looks for tools of the project and of the person; nothing of them is run. `root`: canonical. */
export async function findToolFolders(root: string, tenonHome: string): Promise<FoundToolFolders> {
  const own = join(tenonHome, OWN_TOOLS);
  const folder = join(root, PROJECT_TOOLS);
  const [paths, ownPaths] = await Promise.all([listToolFiles(folder), listToolFiles(own)]);
  const ownFolders: ToolFolder[] = ownPaths.length === 0 ? [] : [{ origin: 'user', folder: own }];
  // Started in the home folder, both names mean one: it is the person's own.
  const [ownPlace, place] = await Promise.all([own, folder].map(async (each) => realpath(each).catch(() => undefined)));
  const isOwn = ownPlace !== undefined && ownPlace === place;
  if (isOwn || paths.length === 0) return { asking: [], judged: () => ({ folders: ownFolders, problems: [] }) };
  const { asking, judged } = await findProjectTools(folder, PROJECT_TOOLS);
  return {
    asking,
    judged: (entries) => {
      const { folders, problems } = judged(entries);
      return { folders: [...ownFolders, ...folders], problems };
    },
  };
}

/** The tools of one folder of a project. `base`: its path relative to the root, with `/`. */
export async function findProjectTools(folder: string, base: string): Promise<FoundToolFolders> {
  const paths = await listToolFiles(folder);
  const idOf = (path: string): string => `${base}/${path}`;
  const read = await Promise.all(
    paths.map(async (path) => entryOf(path, idOf(path), await readToolFile(join(folder, path)))),
  );
  return {
    asking: read.map(({ entry }) => entry),
    judged: (entries) => {
      const states = new Map(entries.map(({ id, state }) => [id, state]));
      const stateOf = (path: string): JudgedEntry['state'] => states.get(idOf(path)) ?? 'new';
      const agreed = read.flatMap(({ file }) => (stateOf(file.path) === 'trusted' ? [file] : []));
      return {
        folders: agreed.length === 0 ? [] : [{ origin: 'project', folder, agreed }],
        problems: notLoaded(base, paths, stateOf),
      };
    },
  };
}

function entryOf(
  path: string,
  id: string,
  bytes: Buffer | undefined,
): { readonly file: ToolFile; readonly entry: TrustEntry } {
  // What cannot be read may become anything.
  const digest = digestOf(bytes ?? '');
  const line = `is loaded into Tenon for its tools, and can do all that you can (content ${digest.slice(0, 12)})`;
  return { file: { path, digest }, entry: { id, digest, lines: [line] } };
}

const MOST_NAMED = 5;

function notLoaded(base: string, paths: readonly string[], stateOf: (path: string) => JudgedEntry['state']): string[] {
  const of = (...states: readonly JudgedEntry['state'][]): string[] =>
    paths.filter((path) => states.includes(stateOf(path)));
  const [changed, untrusted] = [of('changed'), of('new', 'refused')];
  const advice = '`tenon trust` shows what would be loaded, `tenon trust --yes` lets it be loaded.';
  return [
    ...(untrusted.length === 0
      ? []
      : [
          `${base}: ${named(untrusted)} ${isOrAre(untrusted)} not loaded, because the folder is not trusted with that. ${advice}`,
        ]),
    ...(changed.length === 0
      ? []
      : [
          `${base}: ${named(changed)} ${isOrAre(changed)} not loaded: changed since the folder was trusted with that. ${advice}`,
        ]),
  ];
}

function named(paths: readonly string[]): string {
  const rest = paths.length - MOST_NAMED;
  return paths.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function isOrAre(paths: readonly string[]): string {
  return paths.length === 1 ? 'is' : 'are';
}
