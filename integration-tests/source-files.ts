import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the repository. */
export interface SourceFile {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The project that the demonstration repairs: it is meant to be wrong. */
const DEMO_PROJECT = 'packages/cli/demo';
const NOT_SOURCE: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage']);

/** All files under a folder of the repository whose names match, in a stable order. A folder that is missing has none. */
export function readSourceFiles(folder: string, name: RegExp): SourceFile[] {
  return filesBelow(folder)
    .filter((path) => name.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = `${folder}/${entry.name}`.split(sep).join('/');
    if (entry.isDirectory()) return NOT_SOURCE.has(entry.name) || path === DEMO_PROJECT ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

function entriesOf(folder: string): { name: string; isDirectory(): boolean; isFile(): boolean }[] {
  try {
    return readdirSync(join(ROOT, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw thrown;
  }
}
