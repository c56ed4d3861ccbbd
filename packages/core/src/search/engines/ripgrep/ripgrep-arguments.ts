import { availableParallelism } from 'node:os';
import { withPlainSets } from '../plain-sets.js';
import { escapeLiteral } from '../pattern-problem.js';
import type { SearchPattern } from '../search-pattern.js';

/**
 * Matches within every line that holds a NUL byte or is not UTF-8, and in no other (RFC 3629, section 4): a damaged text
 * shows itself within five bytes. `$` stands where a class would have to match a line break, which ripgrep takes out
 * of classes.
 */
export const ODD_BYTES = oddBytes();

function oddBytes(): string {
  const next = '[\\x80-\\xBF]';
  /** Any byte but one that goes on with a character, or the end of the line. */
  const noNext = '(?:[^\\x80-\\xBF]|$)';
  const notIn = (range: string): string => `(?:[^${range}]|$)`;
  const two = `[\\xC2-\\xDF](?:${noNext}|${next}${next})`;
  const three = `[\\xE0-\\xEF](?:${noNext}|${next}(?:${noNext}|${next}${next}))`;
  const four = `[\\xF0-\\xF4](?:${noNext}|${next}(?:${noNext}|${next}(?:${noNext}|${next}${next})))`;
  const wrongSecond = [
    `\\xE0${notIn('\\xA0-\\xBF')}`,
    `\\xED${notIn('\\x80-\\x9F')}`,
    `\\xF0${notIn('\\x90-\\xBF')}`,
    `\\xF4${notIn('\\x80-\\x8F')}`,
  ];
  const never = '[\\x00\\xC0\\xC1\\xF5-\\xFF]';
  const stray = `(?:^|[\\x01-\\x7F])${next}`;
  return `(?s-iu:${[never, two, three, four, ...wrongSecond, stray].join('|')})`;
}

/** The pattern in ripgrep's syntax. */
export function expressionOf({ pattern, fixedStrings }: SearchPattern): string {
  return fixedStrings ? escapeLiteral(pattern) : withPlainSets(pattern);
}

/** How every search reads: nothing ignored, nothing binary, no limit on what the pattern's text does. */
export function baseFlags({ caseSensitive, multiline }: SearchPattern): string[] {
  return [
    '--no-config',
    '--color=never',
    // One file alone is told by its name too.
    '--with-filename',
    caseSensitive ? '--case-sensitive' : '--ignore-case',
    '--crlf',
    '--text',
    '--no-ignore',
    '--hidden',
    '--max-depth=1',
    ...(multiline ? ['--multiline', '--multiline-dotall'] : []),
  ];
}

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
  const environment = Object.entries(env).reduce((sum, [name, value]) => sum + sizeOf(name) + sizeOf(value), 0);
  return Math.max(16 * 1024, (process.platform === 'darwin' ? 500_000 : 1_000_000) - environment);
}

/** What an argument takes: its bytes, the NUL behind them, and the pointer to it. */
function sizeOf(argument: string): number {
  return Buffer.byteLength(argument) + 9;
}

/** One ripgrep for each thread of the machine, within reason. */
export function laneCount(): number {
  return Math.max(1, Math.min(availableParallelism(), 8));
}

/** From here on targets are split over several runs at once. */
const MANY_TARGETS = 512;
/** The first runs are short, so that the first results come at once. */
const FIRST_BATCH = 128;
const LAST_BATCH = 64;
/** No results come from a run before its output is long, or it ends. */
const LARGEST_BATCH = 4096;

/** Whether the targets are split over several ripgreps of one thread each. */
export function needsLanes(targets: number): boolean {
  return targets >= MANY_TARGETS;
}

export interface BatchLimits {
  /** Bytes of one batch. */
  readonly budget: number;
  /** Set when batches are for several runs at once: small ones first, and last, so that all lanes end together. */
  readonly lanes?: number;
}

/** Arguments in batches that fit one command line; each batch has at least one. */
export function* batchesOf(
  targets: readonly string[],
  { budget, lanes }: BatchLimits,
): Generator<readonly string[], void, undefined> {
  let wanted = lanes === undefined ? Infinity : FIRST_BATCH;
  for (let from = 0; from < targets.length;) {
    const left = targets.length - from;
    const share = lanes === undefined ? left : Math.max(LAST_BATCH, Math.ceil(left / (2 * lanes)));
    const last = Math.min(targets.length, from + Math.min(wanted, share));
    let to = from;
    for (let size = 0; to < last; to++) {
      size += sizeOf(targets[to] ?? '');
      if (size > budget && to > from) break;
    }
    yield targets.slice(from, to);
    from = to;
    if (lanes !== undefined) wanted = Math.min(2 * wanted, LARGEST_BATCH);
  }
}
