import { posix } from 'node:path';
import ts from 'typescript';
import type { SourceFile } from '../source-files.js';

/** One `import`, `export … from`, `import(…)` or `import('…').Type` of a file. Type imports count. */
export interface Import {
  readonly from: string;
  /** 1-based. */
  readonly line: number;
  /** As it is written. */
  readonly specifier: string;
  /** The file that a relative specifier leads to, relative to the root of the repository; undefined for a package. */
  readonly target: string | undefined;
}

export function importsOf(file: SourceFile): Import[] {
  const lines = file.text.split('\n');
  const imports = ts.preProcessFile(file.text, true, true).importedFiles.map(({ fileName, pos }) => ({
    from: file.path,
    line: file.text.slice(0, pos).split('\n').length,
    specifier: fileName,
    target: fileName.startsWith('.') ? targetOf(file.path, fileName) : undefined,
  }));
  return imports.filter(({ line }) => !(isTool(file) && NAMES_CONFIG.test(lines[line - 1] ?? '')));
}

/** The type import of a tool that is written as document A describes. It does not count as a dependency. */
const NAMES_CONFIG = /^import type \{ Config \} from '\.\.\/config\/config\.js';$/;

function isTool({ path }: SourceFile): boolean {
  return /^packages\/core\/src\/tools\/[^/]+\.ts$/.test(path);
}

function targetOf(from: string, specifier: string): string {
  const path = posix.join(posix.dirname(from), specifier);
  return path.replace(/\.js$/, '.ts').replace(/\.jsx$/, '.tsx');
}
