import type { SourceFile } from '../source-files.js';
import type { Finding } from './finding.js';

/** Names that the specification prescribes (S19). */
const PRESCRIBED: ReadonlySet<string> = new Set(['ripGrep', 'memoryTool', 'todoWrite', 'exitPlanMode']);
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Files are named in kebab-case, except those that the specification names otherwise; folders always. */
export function checkFileNames(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !isWellNamed(path))
    .map(({ path }) => ({ path, line: 1, message: 'The name is not kebab-case.' }));
}

function isWellNamed(path: string): boolean {
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  const name = file.replace(/(\.test|\.config)?\.[a-z]+$/, '');
  if (!folders.every((folder) => KEBAB_CASE.test(folder))) return false;
  return KEBAB_CASE.test(name) || (PRESCRIBED.has(name) && path.startsWith('packages/core/src/tools/'));
}
