import { basename, extname } from 'node:path';
import { Failure } from '../util/failure.js';

/** What is particular about a server; each with its reason where it stands. */
export interface ServerQuirks {
  /** It says only after the start that its diagnostics are asked for: they are not waited for as messages. */
  readonly registersPull?: true;
  /** While its own log says so it publishes nothing, or nothing that counts. */
  readonly noDiagnostics?: { readonly logSays: RegExp; readonly reason: string };
  /** Nothing is published for a file that imports a changed one: those that are open are told to it again. */
  readonly forgetsDependents?: true;
  /** A file that was deleted and came back stays away for it, until it carries out this command and looks at everything anew. */
  readonly losesReturned?: { readonly command: string; readonly arguments: readonly unknown[] };
  /** Requests that it is never sent, and what is said instead. */
  readonly never?: Readonly<Record<string, string>>;
}

/** One language server: for which files it is, and how it is started. */
export interface ServerSpec {
  /** Unique among all. */
  readonly name: string;
  /** Of several for one language the first that is installed is used. */
  readonly language: string;
  /** By extension (lower case, with its dot) or whole file name: the language id that the server is told. */
  readonly files: Readonly<Record<string, string>>;
  /** A program's name, which is looked for in the project's `node_modules/.bin` and on PATH, or a path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly initializationOptions?: unknown;
  /** By section, for `workspace/configuration`; told unasked only where there are any. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The command that installs it. */
  readonly install?: string;
  /** The nearest folder that holds one of these is the server's root. Default: the workspace root. */
  readonly rootMarkers?: readonly string[];
  /**
   * Which of the project's TypeScript it works with: up to 6 through a `tsserver`, from 7 on with a server of its own;
   * `compiler` is that `tsserver` itself, where nothing else is installed.
   */
  readonly typescript?: 'tsserver' | 'native' | 'compiler';
  /** Milliseconds. */
  readonly startupTimeout?: number;
  readonly maxRestarts?: number;
  readonly quirks?: ServerQuirks;
}

export interface ServerSpecs {
  /** In the order of the settings. */
  readonly specs: readonly ServerSpec[];
  /** Names of built-in servers that are not to be used. */
  readonly disabled: readonly string[];
}

const NAME = /^[\w.+-]{1,64}$/;
const KNOWN = new Set([
  'command',
  'args',
  'env',
  'extensionToLanguage',
  'initializationOptions',
  'settings',
  'startupTimeout',
  'maxRestarts',
  'install',
  'rootMarkers',
  'disabled',
]);
const LONGEST_TIMEOUT_MS = 600_000;

/**
 * `lsp.servers` as it is written in settings, in the form that other agents use in `.lsp.json`:
 * `{NAME: {command, args, env, extensionToLanguage: {".ext": "language"}, initializationOptions, settings, …}}`, or
 * `{NAME: {disabled: true}}` for a built-in one. @throws Failure `invalid_setting`: what is wrong, and where
 */
export function readServerSpecs(raw: unknown): ServerSpecs {
  const servers = objectAt(raw, 'lsp.servers');
  const specs: ServerSpec[] = [];
  const disabled: string[] = [];
  for (const [name, value] of Object.entries(servers)) {
    const place = `lsp.servers.${name}`;
    if (!NAME.test(name)) throw wrong(place, 'a name of letters, digits, `.`, `_`, `+` and `-`');
    const entry = objectAt(value, place);
    for (const key of Object.keys(entry)) if (!KNOWN.has(key)) throw wrong(`${place}.${key}`, 'one of the known keys');
    const off = entry['disabled'];
    if (off !== undefined && typeof off !== 'boolean') throw wrong(`${place}.disabled`, 'true or false');
    if (off === true) disabled.push(name);
    else specs.push(specOf(name, entry, place));
  }
  return { specs, disabled };
}

function specOf(name: string, entry: Readonly<Record<string, unknown>>, place: string): ServerSpec {
  const command = entry['command'];
  if (typeof command !== 'string' || command.trim() === '') throw wrong(`${place}.command`, 'the name of a program');
  const files = stringsAt(entry['extensionToLanguage'], `${place}.extensionToLanguage`);
  const [language] = Object.values(files);
  if (language === undefined) throw wrong(`${place}.extensionToLanguage`, 'an object such as {".ts": "typescript"}');
  const env = entry['env'] === undefined ? undefined : stringsAt(entry['env'], `${place}.env`);
  const settings = entry['settings'] === undefined ? undefined : objectAt(entry['settings'], `${place}.settings`);
  const install = entry['install'];
  if (install !== undefined && typeof install !== 'string') throw wrong(`${place}.install`, 'a command as text');
  const startupTimeout = numberAt(entry['startupTimeout'], `${place}.startupTimeout`, LONGEST_TIMEOUT_MS);
  const maxRestarts = numberAt(entry['maxRestarts'], `${place}.maxRestarts`, 100);
  return {
    name,
    language,
    files: Object.fromEntries(Object.entries(files).map(([extension, id]) => [extension.toLowerCase(), id])),
    command,
    args: listAt(entry['args'], `${place}.args`),
    ...(env !== undefined && { env }),
    ...(entry['initializationOptions'] !== undefined && { initializationOptions: entry['initializationOptions'] }),
    ...(settings !== undefined && { settings }),
    ...(install !== undefined && { install }),
    ...(entry['rootMarkers'] !== undefined && { rootMarkers: listAt(entry['rootMarkers'], `${place}.rootMarkers`) }),
    ...(startupTimeout !== undefined && { startupTimeout }),
    ...(maxRestarts !== undefined && { maxRestarts }),
  };
}

function objectAt(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(place, 'an object');
  return Object.fromEntries(Object.entries(value));
}

function stringsAt(value: unknown, place: string): Record<string, string> {
  const entries = Object.entries(objectAt(value, place)).map(([key, one]): [string, string] => {
    if (typeof one !== 'string') throw wrong(`${place}.${key}`, 'text');
    return [key, one];
  });
  return Object.fromEntries(entries);
}

function listAt(value: unknown, place: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((one): one is string => typeof one === 'string'))
    throw wrong(place, 'a list of texts');
  return value;
}

function numberAt(value: unknown, place: string, most: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most)
    throw wrong(place, `a whole number from 0 to ${most}`);
  return value;
}

function wrong(place: string, expected: string): Failure {
  return new Failure('invalid_setting', `${place} must be ${expected}.`);
}

/** The language id of a file for this server; undefined where the server is not for it. */
export function languageIdOf(spec: ServerSpec, path: string): string | undefined {
  return spec.files[basename(path)] ?? spec.files[extname(path).toLowerCase()];
}
