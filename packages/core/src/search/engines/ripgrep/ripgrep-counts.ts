import type { CountSink, TellingSink } from '../search-engine.js';
import { expressionOf, type SearchPattern } from '../search-pattern.js';
import { countReader, pathReader } from './count-reader.js';
import { ODD_BYTES } from './odd-bytes.js';
import { baseFlags } from './ripgrep-arguments.js';
import type { TargetRuns } from './target-runs.js';

interface Counting<Sink extends CountSink> {
  readonly pattern: SearchPattern;
  readonly runs: TargetRuns;
  readonly sink: Sink;
}

/**
 * Counts in files of any kind: one ripgrep counts while another one looks for odd bytes. In one pass both would cost a
 * third less, but ripgrep counts otherwise when it is given two expressions.
 */
export async function countAnythingIn(
  targets: readonly string[],
  { pattern, runs, sink }: Counting<TellingSink>,
): Promise<void> {
  const counts = new Map<string, number>();
  const failures: [path: string | undefined, reason: string][] = [];
  const apart: CountSink = {
    counted: (path, matches) => void counts.set(path, matches),
    failed: (path, reason) => void failures.push([path, reason]),
  };
  const there = runs.thoseThere(targets, (path, reason) => sink.failed(path, reason));
  const [{ odd, failed }] = await together([
    findOdd(there, { pattern, runs, sink }),
    count(there, { pattern, runs, sink: apart }),
  ]);
  for (const [path, matches] of counts) if (!odd.has(path) && !failed.has(path)) sink.counted(path, matches);
  for (const [path, reason] of failures) {
    // What is odd may be more than PCRE2 takes; it is looked at by other means.
    if (path === undefined || (!failed.has(path) && !odd.has(path))) sink.failed(path, reason);
  }
}

/** Counts in files that are surely text. */
export async function countTextIn(
  targets: readonly string[],
  { pattern, runs, sink }: Counting<CountSink>,
): Promise<void> {
  const there = runs.thoseThere(targets, (path, reason) => sink.failed(path, reason));
  await count(there, { pattern, runs, sink });
}

/** Both to their end, even when one fails. */
async function together<A, B>(parts: readonly [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}

async function count(targets: readonly string[], { pattern, runs, sink }: Counting<CountSink>): Promise<void> {
  await runs.run({
    flags: [...baseFlags(pattern), pattern.multiline ? '--count-matches' : '--count', '--null'],
    expression: expressionOf(pattern),
    targets,
    read: countReader((path, matches) => sink.counted(path, matches)),
    failed: (path, reason) => sink.failed(path, reason),
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
