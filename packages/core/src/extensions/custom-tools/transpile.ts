import { errorMessage, Failure } from '../../util/failure.js';

/** What stands in a compiled module for `import.meta` and `import(…)`, which only Node's own modules have. */
export const META = '__tenonMeta';
export const IMPORT = '__tenonImport';

/** A module as the body of a function: lines are where they were, imports are calls of `require`. */
export interface Compiled {
  readonly code: string;
  /** What it imports from its beginning on, as written. */
  readonly imports: readonly string[];
}

/** Types are left out, not checked. @throws Failure `tool_syntax` */
export async function compileModule(text: string, file: string): Promise<Compiled> {
  const { getFormattedTokens, transform } = await import('sucrase');
  // Of a template a line break is `\n` in any case, so that nothing changes by it; a hash bang is no code.
  const source = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^#!/, '//');
  const language = /\.m?ts$/.test(file) ? (['typescript'] as const) : [];
  try {
    const tokens = (): string => getFormattedTokens(source, { transforms: [...language], filePath: file });
    const { code } = transform(/\bimport\s*[.(]/.test(source) ? withoutOwnSyntax(source, tokens()) : source, {
      transforms: [...language, 'imports'],
      disableESTransforms: true,
      preserveDynamicImport: true,
      filePath: file,
    });
    // What stands so in a comment is looked for in vain, and missed only where it is really called.
    const calls = code.matchAll(/\brequire\(\s*(['"])([^'"\n]+)\1\s*\)/g);
    return { code, imports: [...new Set(Array.from(calls, ([, , specifier = '']) => specifier))] };
  } catch (thrown) {
    throw new Failure(
      'tool_syntax',
      `it cannot be read (${errorMessage(thrown).replace(/^Error transforming [^:]*: /, '')})`,
    );
  }
}

interface Token {
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  readonly label: string;
  readonly word: string;
}

/** `import.meta` and `import(…)` under other names; in texts and comments they stay. */
function withoutOwnSyntax(source: string, table: string): string {
  const lines = source.split('\n');
  const tokens = Array.from(
    table.matchAll(/^(\d+):(\d+)-(\d+):(\d+) +(\S+) /gm),
    ([, line, column, endLine, end, label]): Token => {
      const [at, from, to] = [Number(line) - 1, Number(column) - 1, Number(end) - 1];
      const word = line === endLine ? (lines[at] ?? '').slice(from, to) : '';
      return { line: at, column: from, endColumn: to, label: label ?? '', word };
    },
  );
  // From the end on, so that what is still to be changed stays in its place.
  for (const [index, token] of [...tokens.entries()].toReversed()) {
    if (token.word !== 'import') continue;
    const [before, next, after] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
    if (token.label === 'import' && next?.word === '(') replace(lines, token, token, IMPORT);
    const isMember = before?.word === '.' || before?.word === '?.';
    if (!isMember && next?.word === '.' && after?.word === 'meta' && after.line === token.line)
      replace(lines, token, after, META);
  }
  return lines.join('\n');
}

function replace(lines: string[], from: Token, to: Token, by: string): void {
  const line = lines[from.line] ?? '';
  lines[from.line] = line.slice(0, from.column) + by + line.slice(to.endColumn);
}
