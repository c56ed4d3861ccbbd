import type { CountSink, TellingSink } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { countReader, pathReader } from './count-reader.js';
import type { Pass } from './line-passes.js';
import { ODD_BYTES } from './odd-bytes.js';
import { baseFlags } from './ripgrep-arguments.js';
import type { TargetRuns } from './target-runs.js';

export type PassesOver = (targets: readonly string[], runs: TargetRuns) => Promise<readonly Pass[]>;

interface Counting<Sink extends CountSink> {
  readonly pattern: SearchPattern;
  readonly runs: TargetRuns;
  readonly passesOver: PassesOver;
  readonly sink: Sink;
}

/**
 * Counts in files of any kind: one ripgrep counts while another one looks for odd bytes. In one pass both would cost a
 * third less, but ripgrep counts otherwise when it is given two expressions.
 */
export async function countAnythingIn(
  targets: readonly string[],
  { sink, ...rest }: Counting<TellingSink>,
): Promise<void> {
  const { runs } = rest;
  const counts = new Map<string, number>();
  const failures: [path: string | undefined, reason: string][] = [];
  const apart: CountSink = {
    counted: (path, matches) => void counts.set(path, matches),
    failed: (path, reason) => void failures.push([path, reason]),
  };
  const there = runs.thoseThere(targets, (path, reason) => sink.failed(path, reason));
  const [{ odd, failed }] = await together([findOdd(there, { ...rest, sink }), count(there, { ...rest, sink: apart })]);
  for (const [path, matches] of counts) if (!odd.has(path) && !failed.has(path)) sink.counted(path, matches);
  for (const [path, reason] of failures) {
    // What is odd may be more than PCRE2 takes; it is looked at by other means.
    if (path === undefined || (!failed.has(path) && !odd.has(path))) sink.failed(path, reason);
  }
}

/** Counts in files that are surely text. */
export async function countTextIn(targets: readonly string[], counting: Counting<CountSink>): Promise<void> {
  const { runs, sink } = counting;
  const there = runs.thoseThere(targets, (path, reason) => sink.failed(path, reason));
  await count(there, counting);
}

/** Both to their end, even when one fails. */
async function together<A, B>(parts: readonly [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}

async function count(targets: readonly string[], counting: Counting<CountSink>): Promise<void> {
  const { runs, sink } = counting;
  const parts = new CountsInParts();
  for (const pass of await counting.passesOver(targets, runs)) {
    const { isPart, skipped } = pass;
    const failed: CountSink['failed'] = (path, reason) => {
      if (path !== undefined && isPart) parts.failures.set(path, reason);
      else if (path === undefined || !skipped.has(path)) sink.failed(path, reason);
    };
    const read = countReader((path, number) => {
      if (isPart) parts.add(path, number);
      else if (!skipped.has(path)) sink.counted(path, number);
    });
    const there = pass.targets === targets ? targets : runs.thoseThere(pass.targets, failed);
    await countIn({ ...pass, targets: there }, { ...counting, read, failed });
  }
  parts.tell(sink);
}

/** Lines that match, of files that are searched twice: a last line without an end may be found both times. */
class CountsInParts {
  readonly failures = new Map<string, string>();
  readonly #lines = new Map<string, Set<number>>();

  add(path: string, line: number): void {
    const lines = this.#lines.get(path);
    if (lines === undefined) this.#lines.set(path, new Set([line]));
    else lines.add(line);
  }

  tell(sink: CountSink): void {
    for (const [path, reason] of this.failures) sink.failed(path, reason);
    for (const [path, lines] of this.#lines) if (!this.failures.has(path)) sink.counted(path, lines.size);
  }
}

interface PassReaders {
  readonly read: (chunk: Buffer) => void;
  readonly failed: CountSink['failed'];
}

async function countIn(
  { targets, lineEnd, expression, written, isPart }: Pass,
  { pattern, runs, read, failed }: Pick<Counting<CountSink>, 'pattern' | 'runs'> & PassReaders,
): Promise<void> {
  // Next to nothing of the lines themselves is told.
  const lineNumbers = ['--no-heading', '--line-number', '--max-columns=1'];
  const wanted = isPart ? lineNumbers : [pattern.multiline ? '--count-matches' : '--count'];
  await runs.run({
    flags: [...baseFlags(pattern, lineEnd), ...wanted, '--null'],
    expression,
    written,
    targets,
    read,
    failed,
  });
}

interface OddFound {
  readonly odd: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** Odd files and those that cannot be read are told at once. */
async function findOdd(targets: readonly string[], { pattern, runs, sink }: Counting<TellingSink>): Promise<OddFound> {
  const [odd, failed] = [new Set<string>(), new Set<string>()];
  await runs.run({
    // With `--crlf`, no class of ripgrep 13 holds a carriage return: what is odd behind one would not be found.
    flags: [...baseFlags({ ...pattern, multiline: false }), '--no-crlf', '--files-with-matches', '--null'],
    expression: ODD_BYTES,
    targets,
    read: pathReader((path) => {
      odd.add(path);
      sink.odd(path);
    }),
    failed: (path, reason) => {
      if (path !== undefined) failed.add(path);
      sink.failed(path, reason);
    },
  });
  return { odd, failed };
}
