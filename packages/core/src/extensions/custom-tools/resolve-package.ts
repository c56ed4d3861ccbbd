import { readFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../util/is-object.js';
import { Failure } from '../../util/failure.js';

/** Conditions of `exports` that hold for an `import` in Node, in no order: that of the package counts. */
const CONDITIONS: ReadonlySet<string> = new Set(['node', 'import', 'module-sync', 'node-addons', 'default']);

/** What to hand to Node's own `import()` for a package that a file names. @throws Failure `tool_import` */
export async function resolvePackage(specifier: string, file: string): Promise<string> {
  if (isBuiltin(specifier) || /^(?:data|file):/.test(specifier)) return specifier;
  const require = createRequire(file);
  const [, name = '', below = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? [];
  const byExports = specifier.startsWith('#')
    ? undefined
    : await inExports(require.resolve.paths(specifier) ?? [], name, below);
  if (byExports !== undefined) return pathToFileURL(byExports).href;
  try {
    return pathToFileURL(require.resolve(specifier)).href;
  } catch (thrown) {
    throw new Failure(
      'tool_import',
      `there is no package "${specifier}" for it: install it in the project, or bring what is needed along`,
      { cause: thrown },
    );
  }
}

/** Undefined where the first package of that name says nothing of what it exports. */
async function inExports(folders: readonly string[], name: string, below: string): Promise<string | undefined> {
  for (const folder of folders) {
    const text = await readFile(join(folder, name, 'package.json'), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const target = exportOf(exportsIn(text), `.${below}`);
    return target === undefined ? undefined : join(folder, name, target);
  }
  return undefined;
}

function exportsIn(text: string): unknown {
  try {
    const manifest: unknown = JSON.parse(text);
    return isObject(manifest) ? manifest['exports'] : undefined;
  } catch {
    return undefined;
  }
}

function exportOf(exports: unknown, subpath: string): string | undefined {
  const isMap = isObject(exports) && Object.keys(exports).every((key) => key.startsWith('.'));
  if (!isMap) return subpath === '.' ? targetOf(exports, '') : undefined;
  if (exports[subpath] !== undefined) return targetOf(exports[subpath], '');
  const patterns = Object.keys(exports)
    .filter((key) => key.includes('*'))
    .toSorted((one, other) => other.length - one.length);
  for (const pattern of patterns) {
    const [start = '', end = ''] = pattern.split('*');
    if (subpath.length < start.length + end.length || !subpath.startsWith(start) || !subpath.endsWith(end)) continue;
    return targetOf(exports[pattern], subpath.slice(start.length, subpath.length - end.length));
  }
  return undefined;
}

function targetOf(value: unknown, star: string): string | undefined {
  if (typeof value === 'string') return value.startsWith('./') ? value.replaceAll('*', star) : undefined;
  const choices: readonly unknown[] = Array.isArray(value)
    ? value
    : isObject(value)
      ? Object.entries(value).flatMap(([condition, each]) => (CONDITIONS.has(condition) ? [each] : []))
      : [];
  for (const choice of choices) {
    const found = targetOf(choice, star);
    if (found !== undefined) return found;
  }
  return undefined;
}
