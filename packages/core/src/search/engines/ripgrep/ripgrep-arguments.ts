import { namesReturn } from '../named-line-ends.js';
import type { SearchPattern } from '../search-pattern.js';

/** What PCRE2 does not see of a line, for which ripgrep knows one end at a time. Its default engine sees neither with `\r\n`. */
export type LineEnd = '\r\n' | '\n';

/** How every search reads: nothing ignored, nothing binary, no limit on what the pattern's text does. */
export function baseFlags(pattern: SearchPattern, lineEnd: LineEnd = lineEndFor(pattern)): string[] {
  const { caseSensitive, multiline } = pattern;
  return [
    '--no-config',
    '--color=never',
    '--engine=auto',
    // One file alone is told by its name too.
    '--with-filename',
    caseSensitive ? '--case-sensitive' : '--ignore-case',
    lineEnd === '\n' ? '--no-crlf' : '--crlf',
    '--text',
    '--no-ignore',
    '--hidden',
    '--max-depth=1',
    ...(multiline ? ['--multiline', '--multiline-dotall'] : []),
  ];
}

/** Where it does not depend on the file. */
export function lineEndFor(pattern: SearchPattern): LineEnd {
  return namesReturn(pattern) ? '\n' : '\r\n';
}

/** As an argument. No file is meant by it: those begin with `./`. */
export const STANDARD_INPUT = '-';

/** `./` keeps a name such as `-` from meaning something else. */
export function toArgument(relativePath: string): string {
  return `./${relativePath}`;
}

/** The path behind an argument, as ripgrep gave it back. */
export function fromArgument(path: string): string {
  const relative = path.replace(/^\.[\\/]/, '');
  return process.platform === 'win32' ? relative.replaceAll('\\', '/') : relative;
}

/**
 * Bytes that one command line may hold. Windows: 32,767 characters in all; macOS: 1 MiB with the environment; Linux: a
 * quarter of the stack limit, mostly 2 MiB, with the environment.
 */
export function argumentBudget(env: Readonly<Record<string, string>>): number {
  if (process.platform === 'win32') return 24_000;
  const environment = sizeOf(Object.entries(env).flat());
  return Math.max(16 * 1024, (process.platform === 'darwin' ? 500_000 : 1_000_000) - environment);
}

/** What arguments take: of each its bytes, the NUL behind them, and the pointer to it. */
export function sizeOf(args: readonly string[]): number {
  return args.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 9, 0);
}

/** Arguments in batches of at most so many bytes; each batch has at least one. */
export function* batchesWithin(args: readonly string[], budget: number): Generator<readonly string[], void, undefined> {
  let from = 0;
  let size = 0;
  for (const [at, argument] of args.entries()) {
    const more = sizeOf([argument]);
    if (size + more > budget && at > from) {
      yield args.slice(from, at);
      from = at;
      size = 0;
    }
    size += more;
  }
  if (from < args.length) yield args.slice(from);
}
