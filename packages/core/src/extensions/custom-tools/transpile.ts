import { errorMessage, Failure } from '../../util/failure.js';

/** What stands in a compiled module for `import.meta` and `import(…)`, which only Node's own modules have. */
export const META = '__tenonMeta';
export const IMPORT = '__tenonImport';
/** For a `require` that a module makes itself: that of the loader stays. */
const OWN_REQUIRE = '__tenonOwnRequire';

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
    const isSpecial = /\bimport\s*[.(]|\b(?:const|let|var)\s+require\b/.test(source);
    const tokens = (): string => getFormattedTokens(source, { transforms: [...language], filePath: file });
    const { code } = transform(isSpecial ? withoutOwnSyntax(source, tokens()) : source, {
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
  /** It is part of a type, and so goes. */
  readonly isType: boolean;
  /** As what a name stands there; empty for keys and members. */
  readonly role: string;
}

const DECLARES: ReadonlySet<string> = new Set(['const', 'let', 'var']);
/** `{ require }`, in expressions and in patterns. */
const SHORTHANDS: ReadonlySet<string> = new Set(['5', '6', '7', '8']);

function tokensOf(source: string, table: string): readonly Token[] {
  const lines = source.split('\n');
  const [head = ''] = table.split('\n', 1);
  // Columns are as wide in each row. What a token of several lines is, nobody asks.
  const cell = (row: string, name: string): string => row.slice(head.indexOf(name)).split(' ', 1)[0] ?? '';
  return Array.from(
    table.matchAll(/^(\d+):(\d+)-(\d+):(\d+) +(\S+) .*$/gm),
    ([row, line, column, endLine, end, label]): Token => {
      const [at, from, to] = [Number(line) - 1, Number(column) - 1, Number(end) - 1];
      const word = line === endLine ? (lines[at] ?? '').slice(from, to) : '';
      const [isType, role] = [cell(row, 'isType') !== '', cell(row, 'identifierRole')];
      return { line: at, column: from, endColumn: to, label: label ?? '', word, isType, role };
    },
  );
}

/** `import.meta`, `import(…)` and a `require` of its own under other names; in texts, comments and types they stay. */
function withoutOwnSyntax(source: string, table: string): string {
  const lines = source.split('\n');
  const tokens = tokensOf(source, table);
  const makesRequire = tokens.some(
    ({ word, role }, index) => word === 'require' && role !== '' && DECLARES.has(tokens[index - 1]?.word ?? ''),
  );
  // From the end on, so that what is still to be changed stays in its place.
  for (const [index, token] of [...tokens.entries()].toReversed()) {
    if (makesRequire && token.word === 'require' && token.role !== '' && !token.isType)
      replace(lines, token, token, SHORTHANDS.has(token.role) ? `require: ${OWN_REQUIRE}` : OWN_REQUIRE);
    if (token.word !== 'import') continue;
    const [before, next, after] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
    if (token.label === 'import' && next?.word === '(' && !token.isType) replace(lines, token, token, IMPORT);
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
