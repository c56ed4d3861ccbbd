import type { CountSink, TellingSink } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { countReader, pathReader } from './count-reader.js';
import { complaintFailure } from './pattern-refusal.js';
import { baseFlags, expressionOf, ODD_BYTES } from './ripgrep-arguments.js';
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
  const [{ odd, failed }] = await together([
    findOdd(targets, { pattern, runs, sink }),
    count(targets, { pattern, runs, sink: apart }),
  ]);
  for (const [path, matches] of counts) if (!odd.has(path) && !failed.has(path)) sink.counted(path, matches);
  for (const [path, reason] of failures) {
    // What is odd may be more than PCRE2 takes; it is looked at by other means.
    if (path === undefined || (!failed.has(path) && !odd.has(path))) sink.failed(path, reason);
  }
}

/** Both to their end, even when one fails. */
async function together<A, B>(parts: readonly [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}

async function count(targets: readonly string[], { pattern, runs, sink }: Counting<CountSink>): Promise<void> {
  const expression = expressionOf(pattern);
  const counting = pattern.multiline ? '--count-matches' : '--count';
  const flags = [...baseFlags(pattern), '--engine=auto', counting, '--null', '-e', expression];
  const read = countReader((path, matches) => sink.counted(path, matches));
  const complaint = await runs.run({ flags, targets, read, failed: (path, reason) => sink.failed(path, reason) });
  if (complaint !== undefined) throw complaintFailure(complaint, expression);
}

interface OddFound {
  readonly odd: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** Odd files and those that cannot be read are told at once. */
async function findOdd(targets: readonly string[], { pattern, runs, sink }: Counting<TellingSink>): Promise<OddFound> {
  const [odd, failed] = [new Set<string>(), new Set<string>()];
  const flags = [...baseFlags({ ...pattern, multiline: false }), '--files-with-matches', '--null', '-e', ODD_BYTES];
  const complaint = await runs.run({
    flags,
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
  if (complaint !== undefined) throw complaintFailure(complaint, ODD_BYTES);
  return { odd, failed };
}
