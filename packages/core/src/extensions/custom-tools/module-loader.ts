import { createHash } from 'node:crypto';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext, Script, type Context } from 'node:vm';
import { readToolFile, type ToolFolder } from '../../trust/tool-files.js';
import { errorMessage, Failure } from '../../util/failure.js';
import { isObject } from '../../util/is-object.js';
import { resolvePackage } from './resolve-package.js';
import { compileModule, IMPORT, META } from './transpile.js';

/** What a module exports, as it stands now. */
export type Exports = Readonly<Record<string, unknown>>;

export interface ModuleLoaderOptions {
  readonly folder: Pick<ToolFolder, 'folder' | 'agreed'>;
  /** What is found under the name of a package, in place of a package: by name, each loaded when it is needed. */
  readonly faces: ReadonlyMap<string, () => Promise<object>>;
  /** How long the code of one module may hold everything else up. In milliseconds. */
  readonly blockMs: number;
  /** Runs others' code. */
  readonly guarded: <T>(work: () => T) => T;
}

interface LoadedModule {
  exports: unknown;
}

type Run = (...given: readonly unknown[]) => Promise<void>;

/** Endings under which an import finds a file, beside that of the file itself: the name of what a compiler would have made of it. */
const SOURCES: readonly (readonly [written: RegExp, ...sources: readonly string[]])[] = [
  [/\.js$/, '.ts'],
  [/\.mjs$/, '.mts'],
];
const ADDED = ['', '.ts', '.mts', '.js', '.mjs', '.json', '/index.ts', '/index.mts', '/index.js', '/index.mjs'];

/**
 * Loads modules of one folder in this process: TypeScript and JavaScript, each file once. What runs is the very content
 * that was compared with what somebody agreed to. Packages are Node's affair.
 */
export class ModuleLoader {
  readonly #options: ModuleLoaderOptions;
  readonly #modules = new Map<string, { readonly module: LoadedModule; readonly loaded: Promise<void> }>();
  readonly #foreign = new Map<string, Promise<Exports>>();
  #context: Context | undefined;

  constructor(options: ModuleLoaderOptions) {
    this.#options = options;
  }

  /** `path`: relative to the folder, with `/`. @throws what the module throws, or a Failure */
  async load(path: string): Promise<Exports> {
    return asExports((await this.#load(path, [])).exports);
  }

  /** `above`: what waits for this module, and so is not waited for. */
  async #load(path: string, above: readonly string[]): Promise<LoadedModule> {
    const known = this.#modules.get(path);
    if (known !== undefined) {
      if (!above.includes(path)) await known.loaded;
      return known.module;
    }
    const module: LoadedModule = { exports: {} };
    const loaded = this.#evaluate(path, module, [...above, path]);
    // Whoever asked for it is told.
    loaded.catch(() => undefined);
    this.#modules.set(path, { module, loaded });
    await loaded;
    return module;
  }

  async #evaluate(path: string, module: LoadedModule, above: readonly string[]): Promise<void> {
    const text = await this.#read(path);
    if (path.endsWith('.json')) {
      module.exports = dataModule(text, path);
      return;
    }
    const file = this.#fileOf(path);
    const { code, imports } = await compileModule(text, file);
    const found = new Map<string, () => unknown>();
    for (const specifier of imports) found.set(specifier, await this.#found(specifier, path, above));
    const require = (specifier: string): unknown => {
      const get = found.get(specifier);
      if (get === undefined)
        throw new Failure(
          'tool_import',
          `it requires "${specifier}" by a name that is made up as it runs: use import() for that`,
        );
      return get();
    };
    const meta = { url: pathToFileURL(file).href, filename: file, dirname: dirname(file) };
    // Compiled code calls it as it calls anything: with a URL, too.
    const importLater = async (wanted: unknown): Promise<unknown> => (await this.#found(String(wanted), path, []))();
    const names = ['exports', 'require', 'module', '__filename', '__dirname', META, IMPORT];
    // In a block, so that a module may have names of its own that these are, as `__filename`.
    const script = new Script(`(async function (${names.join(', ')}) {"use strict";{${code}\n}})`, { filename: file });
    const run = script.runInThisContext() as Run;
    await this.hold(() => run(module.exports, require, module, file, dirname(file), meta, importLater));
  }

  /** Runs others' code, which until its first pause holds everything up: that ends. @throws what it throws, or Failure `tool_hangs` */
  hold<T>(work: () => T): T {
    const { blockMs, guarded } = this.#options;
    this.#context ??= createContext({});
    const context = this.#context;
    context['start'] = () => guarded(work);
    try {
      return runInContext('start()', context, { timeout: blockMs }) as T;
    } catch (thrown) {
      if (!isObject(thrown) || thrown['code'] !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
      throw new Failure('tool_hangs', `it runs for more than ${blockMs / 1000} seconds as soon as it is loaded`, {
        cause: thrown,
      });
    }
  }

  /** How to get what an import is for; a failure is that of whoever really asks for it. */
  async #found(specifier: string, from: string, above: readonly string[]): Promise<() => unknown> {
    try {
      const face = this.#options.faces.get(specifier);
      const isOwn = /^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..';
      if (face === undefined && isOwn) {
        const module = await this.#load(await this.#locate(specifier, from), above);
        return () => module.exports;
      }
      const exports = await (face === undefined ? this.#packageOf(specifier, from) : this.#faceOf(specifier, face));
      return () => exports;
    } catch (thrown) {
      return () => {
        throw thrown;
      };
    }
  }

  #faceOf(name: string, face: () => Promise<object>): Promise<Exports> {
    return this.#kept(name, async () => complaining(markedModule(await face()), name));
  }

  async #packageOf(specifier: string, from: string): Promise<Exports> {
    const url = await resolvePackage(specifier, this.#fileOf(from));
    return this.#kept(url, async () => markedModule((await this.#options.guarded(() => import(url))) as object));
  }

  #kept(key: string, make: () => Promise<Exports>): Promise<Exports> {
    const known = this.#foreign.get(key) ?? make();
    this.#foreign.set(key, known);
    return known;
  }

  /** The file of the folder that an import means. @throws Failure `tool_import` */
  async #locate(specifier: string, from: string): Promise<string> {
    const { folder, agreed } = this.#options.folder;
    const wanted = specifier.startsWith('/')
      ? relative(folder, specifier).split(sep).join('/')
      : posix.join(posix.dirname(from), specifier).replace(/\/$/, '');
    if (wanted === '..' || wanted.startsWith('../'))
      throw new Failure(
        'tool_import',
        `${from} imports "${specifier}", which is not in the folder of tools: only what is there, and packages, can be imported`,
      );
    const asSource = SOURCES.flatMap(([written, ...sources]) =>
      sources.map((source) => wanted.replace(written, source)),
    );
    const candidates = [...ADDED.map((ending) => wanted + ending), ...asSource.filter((each) => each !== wanted)];
    for (const candidate of candidates) {
      if (agreed !== undefined ? agreed.some(({ path }) => path === candidate) : await this.#exists(candidate))
        return candidate;
    }
    const why =
      agreed === undefined
        ? 'there is no such file'
        : 'there is no such file, or the folder is not trusted with what it is now';
    throw new Failure('tool_import', `${from} imports "${specifier}": ${why}`);
  }

  async #exists(path: string): Promise<boolean> {
    return (await readToolFile(this.#fileOf(path))) !== undefined;
  }

  /** @throws Failure `tool_changed`, `tool_unreadable` */
  async #read(path: string): Promise<string> {
    const bytes = await readToolFile(this.#fileOf(path));
    if (bytes === undefined) throw new Failure('tool_unreadable', `${path} cannot be read, or is larger than 1 MiB`);
    const { agreed } = this.#options.folder;
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (agreed !== undefined && !agreed.some((file) => file.path === path && file.digest === digest))
      throw new Failure(
        'tool_changed',
        `${path} is not what it was when the folder was trusted with it. \`tenon trust\` shows what would be loaded, \`tenon trust --yes\` lets it be loaded`,
      );
    return bytes.toString('utf8');
  }

  #fileOf(path: string): string {
    return resolve(this.#options.folder.folder, path);
  }
}

/** As modules that were compiled see another one: names lead to what is exported now. */
function markedModule(namespace: object): Exports {
  const marked: Record<string, unknown> = {};
  for (const name of Object.keys(namespace))
    Object.defineProperty(marked, name, { enumerable: true, get: (): unknown => Reflect.get(namespace, name) });
  Object.defineProperty(marked, '__esModule', { value: true });
  return marked;
}

/** Data: whole, and by its names. @throws Failure `tool_syntax` */
function dataModule(text: string, path: string): Exports {
  try {
    const data: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const named = Object.entries(isObject(data) ? data : {}).filter(([name]) => name !== '__esModule');
    return markedModule({ ...Object.fromEntries(named), default: data });
  } catch (thrown) {
    throw new Failure('tool_syntax', `${path} cannot be read (${errorMessage(thrown)})`, { cause: thrown });
  }
}

/** A name that is not there is told, where `undefined` would fail somewhere else. */
function complaining(exports: Exports, name: string): Exports {
  return new Proxy(exports, {
    get: (target, key, receiver): unknown => {
      if (typeof key === 'symbol' || key in target || key === 'then' || key === 'default')
        return Reflect.get(target, key, receiver);
      throw new Failure('tool_import', `${name} has no "${key}" for tools. It has: ${Object.keys(target).join(', ')}`);
    },
  });
}

function asExports(value: unknown): Exports {
  if (typeof value === 'object' && value !== null) return value as Exports;
  return { default: value };
}

/** What went wrong with a module, and where, for people. `path`: as it was loaded from `folder`. */
export function loadProblem(thrown: unknown, folder: string, path: string): string {
  if (thrown instanceof Failure) return thrown.message;
  return `it throws when it is loaded (${errorMessage(thrown)}${placeIn(thrown, folder, path)})`;
}

/** Of several lines, the one that comes first: that of a module of the folder which breaks. */
function placeIn(thrown: unknown, folder: string, path: string): string {
  const stack: unknown = thrown instanceof Error ? thrown.stack : undefined;
  if (typeof stack !== 'string') return '';
  const from = `${resolve(folder)}${sep}`;
  const at = stack.indexOf(from);
  const [, file, line] = /^([^\n]*?):(\d+)/.exec(at < 0 ? '' : stack.slice(at + from.length)) ?? [];
  if (file === undefined || line === undefined) return '';
  return file.split(sep).join('/') === path ? `, line ${line}` : `, ${file} line ${line}`;
}
