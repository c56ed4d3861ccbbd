import { createGlobMatcher } from '../search/globs/glob-match.js';
import { isWithin } from '../util/paths-below.js';
import { pathOf } from './places.js';

/** As the protocol numbers them: created, changed, deleted. */
export type FileEventType = 1 | 2 | 3;

/** Whether a server wants to hear what became of a file. The path is absolute. */
export type WantedFiles = (path: string, type: FileEventType) => boolean;

type Fields = Readonly<Record<string, unknown>>;

/** Created, changed and deleted: one bit each. */
const EVERY_KIND = 7;
const EVERYTHING: WantedFiles = () => true;

/**
 * What a server registered for `workspace/didChangeWatchedFiles`: `options` of each registration. All files where there is none;
 * what cannot be read wants all too, since a server that hears too much only looks once more. Pure.
 */
export function wantedFiles(options: readonly unknown[], root: string): WantedFiles {
  if (options.length === 0) return EVERYTHING;
  const tests = options.flatMap((one) => {
    const watchers: unknown = isFields(one) ? one['watchers'] : undefined;
    return Array.isArray(watchers) ? watchers.map((watcher: unknown) => testOf(watcher, root)) : [EVERYTHING];
  });
  return (path, type) => tests.some((test) => test(path, type));
}

function testOf(watcher: unknown, root: string): WantedFiles {
  if (!isFields(watcher)) return EVERYTHING;
  const { globPattern, kind } = watcher;
  const bits = typeof kind === 'number' ? kind : EVERY_KIND;
  const matches = pathTest(globPattern, root);
  return (path, type) => (bits & (1 << (type - 1))) !== 0 && matches(path);
}

/** A pattern is relative to its base, or to the folder of the server; some servers send absolute ones. */
function pathTest(globPattern: unknown, root: string): (path: string) => boolean {
  const [pattern, base] = isFields(globPattern)
    ? [globPattern['pattern'], baseOf(globPattern['baseUri'])]
    : [globPattern, root];
  if (typeof pattern !== 'string' || base === undefined) return () => true;
  const slashed = pattern.replaceAll('\\', '/');
  const isAbsolute = /^(\/|[A-Za-z]:\/)/.test(slashed);
  const matches = matcherOf(slashed.replace(/^\/+/, ''));
  return (path) => {
    if (isAbsolute) return matches(namesOf(path));
    return isWithin(path, base) && matches(namesOf(path.slice(base.length)));
  };
}

function matcherOf(pattern: string): (path: string) => boolean {
  try {
    return createGlobMatcher(pattern);
  } catch {
    return () => true;
  }
}

function namesOf(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\/+/, '');
}

/** A URI, or a workspace folder that has one. */
function baseOf(base: unknown): string | undefined {
  const uri = isFields(base) ? base['uri'] : base;
  return typeof uri === 'string' ? pathOf(uri)?.replace(/(?<=.)[\\/]+$/, '') : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
