import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { decidesWhatIsLoaded } from './loading-variables.js';

/** A file of the folder that a command of the folder runs. */
export interface ProjectScript {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Hex SHA-256 of its content. */
  readonly digest: string;
}

const SCRIPT =
  /^\.(m?[jt]sx?|c[jt]s|py[wz]?|rb|pl|pm|php|lua|sh|bash|zsh|fish|ps1|bat|cmd|exe|com|jar|wasm|r|jl|exs?|go|java|groovy|kts?)$/i;
/** Options of interpreters whose value is run before the script. */
const LOADERS: ReadonlySet<string> = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '--preload',
]);
const HEAD = 2;
const CHUNK = 1024 * 1024;

/**
 * The program of a command, the first script or module among its arguments and what is loaded before that, by options or by variables, as far as they lie in the folder: a change of one of
 * them is a change of what runs. Data that a command is given does not count. `root`: the folder, canonical.
 */
export async function projectScripts(
  argv: readonly string[],
  {
    cwd,
    root,
    env = {},
  }: { readonly cwd: string; readonly root: string; readonly env?: Readonly<Record<string, string>> },
): Promise<readonly ProjectScript[]> {
  const [command = '', ...args] = argv;
  const scripts: ProjectScript[] = [];
  // A name alone is looked for in PATH.
  const program = /[\\/]/.test(command) ? await scriptAt(resolve(cwd, command), root, true) : undefined;
  if (program !== undefined) scripts.push(program);
  for (const loaded of loadedBy(env)) {
    const script = await scriptAt(resolve(cwd, loaded), root, false);
    if (script !== undefined) scripts.push(script);
  }
  for (const [index, arg] of args.entries()) {
    for (const path of args[index - 1] === '-m' ? modulePaths(arg) : []) {
      const script = await scriptAt(resolve(cwd, path), root, false);
      if (script !== undefined) scripts.push(script);
    }
    const value = arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg;
    const script = value === '' || value.startsWith('-') ? undefined : await scriptAt(resolve(cwd, value), root, false);
    if (script === undefined) continue;
    scripts.push(script);
    // What is loaded before comes on top of the script itself.
    if (!arg.startsWith('-') && !LOADERS.has(args[index - 1] ?? '')) break;
  }
  return scripts;
}

/** What variables have interpreters load, as in `--require ./x` and `./x.so:./y.so`. */
function loadedBy(env: Readonly<Record<string, string>>): string[] {
  const values = Object.entries(env).flatMap(([name, value]) => (decidesWhatIsLoaded(name) ? [value] : []));
  return values.flatMap((value) => value.split(/[\s:;=]+/)).filter((word) => word !== '' && !word.startsWith('-'));
}

/** Where Python looks for `-m a.b`. */
function modulePaths(name: string): string[] {
  if (!/^[\w.]+$/.test(name)) return [];
  const path = name.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
}

async function scriptAt(path: string, root: string, isProgram: boolean): Promise<ProjectScript | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  // A link in the folder to a program elsewhere is the folder's word as well.
  const inside = [path, real].find((each) => isBelow(root, each));
  if (inside === undefined) return undefined;
  // A FIFO of that name must not hang the start.
  const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const info = await handle.stat();
    if (!info.isFile()) return undefined;
    const name = relative(root, inside).split(sep).join('/');
    const hash = createHash('sha256');
    const buffer = Buffer.alloc(CHUNK);
    let isScript = isProgram || SCRIPT.test(extname(real)) || (info.mode & 0o111) !== 0;
    for (let at = 0; ;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
      if (at === 0) isScript ||= buffer.toString('latin1', 0, HEAD) === '#!';
      if (!isScript) return undefined;
      if (bytesRead === 0) return { path: name, digest: hash.digest('hex') };
      hash.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  } catch {
    // What cannot be read may become anything.
    return { path: relative(root, inside).split(sep).join('/'), digest: createHash('sha256').digest('hex') };
  } finally {
    await handle.close();
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(join('..', sep)) && !isAbsolute(way);
}
