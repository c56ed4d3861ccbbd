import { readdir, realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { isObject } from '../util/is-object.js';
import { digestOf, type TrustEntry } from './folder-trust.js';
import { readToolFile } from './tool-files.js';

/** The name under which `tenon trust` shows the code that language servers run. No file of the folder has that name. */
export const LANGUAGE_PROGRAMS = 'language servers';

const MOST_FOLDERS = 300;
const MOST_LEVELS = 3;
const SKIPPED = /^(?:\.(?!cargo$).*|node_modules|vendor|target|dist|build|out|coverage|__pycache__)$/;
/** The files of the compiler's package that are started, or that say what is started. */
const COMPILER_FILES = ['package.json', 'bin/tsc', 'lib/tsserver.js', 'lib/_tsserver.js'];

/** One piece of the folder's code that a language server runs or loads. */
interface Found {
  readonly line: string;
  readonly content: readonly string[];
}

/**
 * Finds the folder's code that its language servers run or load. That is servers and the compiler in `node_modules`, plugins in a
 * `tsconfig.json`, build scripts and macros of Rust, and its Python. Undefined if there is none. Each is bound to the content of what is
 * started, not to what that loads in turn. Looks three levels deep. Never throws. `commands`: names of known servers; `root`: canonical.
 */
export async function languagePrograms(root: string, commands: readonly string[]): Promise<TrustEntry | undefined> {
  const found: Found[] = [];
  let folders = 0;
  const visit = async (folder: string, level: number): Promise<void> => {
    folders += 1;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.map(({ name }) => name));
    if (names.has('node_modules')) found.push(...(await inModules(root, join(folder, 'node_modules'), commands)));
    for (const name of [...names].filter((each) => RULES.some(([pattern]) => pattern.test(each))).toSorted())
      found.push(...(await inFile(root, join(folder, name))));
    const below = entries.filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name));
    for (const { name } of below.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      if (level < MOST_LEVELS && folders < MOST_FOLDERS) await visit(join(folder, name), level + 1);
  };
  await visit(root, 1);
  if (found.length === 0) return undefined;
  const lines = found.map(({ line }) => line);
  return {
    id: LANGUAGE_PROGRAMS,
    digest: digestOf(JSON.stringify(found.map(({ line, content }) => [line, content]))),
    lines,
    isQuiet: true,
  };
}

/** The files by name, with a function for the line about one; undefined if nothing in it is run. */
const RULES: readonly (readonly [name: RegExp, line: (text: string) => string | undefined])[] = [
  [/^[jt]sconfig(?:\.[\w-]+)?\.json$/, (text) => (pluginsOf(text).length === 0 ? undefined : pluginLine(text))],
  [/^build\.rs$/, () => 'is run by rust-analyzer'],
  [
    /^Cargo\.toml$/,
    (text) =>
      /^\s*proc-macro\s*=\s*true|^\s*build\s*=/m.test(text) ? 'names code that rust-analyzer runs' : undefined,
  ],
  [/^pyrightconfig\.json$/, (text) => (/"venv/.test(text) ? 'names the Python that pyright runs' : undefined)],
  [/^config(?:\.toml)?$/, () => 'names programs that cargo runs'],
];

async function inFile(root: string, file: string): Promise<readonly Found[]> {
  const name = basename(file);
  if (/^config(?:\.toml)?$/.test(name) && !file.endsWith(join('.cargo', name))) return [];
  const bytes = await readToolFile(file);
  const text = bytes?.toString('utf8') ?? '';
  const line = RULES.find(([pattern]) => pattern.test(name))?.[1](text);
  if (line === undefined) return [];
  const plugins = /^[jt]sconfig/.test(name) ? pluginsOf(text) : [];
  const content = plugins.flatMap((plugin) => {
    const folder = join(root, 'node_modules', plugin);
    return ['package.json', 'index.js'].map((each) => join(folder, each));
  });
  return [{ line: `${shown(root, file)} ${line}`, content: [digestOf(text), ...(await digestsOf(content))] }];
}

async function inModules(root: string, modules: string, commands: readonly string[]): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const command of commands) {
    const place = join(modules, '.bin', command);
    const real = await realpath(place).catch(() => undefined);
    if (real === undefined || command === 'tsc' || command === 'tsserver') continue;
    const line = `${shown(root, place)} is started as a language server`;
    found.push({ line, content: await digestsOf([real]) });
  }
  const compiler = join(modules, 'typescript');
  const facts = await readToolFile(join(compiler, 'package.json'));
  if (facts === undefined) return found;
  const line = `${shown(root, compiler)} (${versionOf(facts.toString('utf8'))}) is started to understand code`;
  return [...found, { line, content: await digestsOf(COMPILER_FILES.map((each) => join(compiler, each))) }];
}

function pluginLine(text: string): string {
  return `has the compiler load plugins: ${pluginsOf(text).join(', ')}`;
}

/** Returns the names of plugins. The file may hold comments, so it is not read as JSON. */
function pluginsOf(text: string): readonly string[] {
  const [, list = ''] = /"plugins"\s*:\s*\[([^]{0,10000}?)\]/.exec(text) ?? [];
  return Array.from(list.matchAll(/"name"\s*:\s*"([^"\n]{1,200})"/g), ([, name = '']) => name);
}

function versionOf(text: string): string {
  try {
    const facts: unknown = JSON.parse(text);
    return isObject(facts) && typeof facts['version'] === 'string' ? facts['version'] : 'of no version';
  } catch {
    return 'of no version';
  }
}

async function digestsOf(files: readonly string[]): Promise<readonly string[]> {
  return Promise.all(files.map(async (file) => digestOf((await readToolFile(file)) ?? '')));
}

function shown(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}
