import { toJavaScriptPattern } from '../javascript/javascript-pattern.js';
import type { TargetFolder, TellingSink } from '../search-engine.js';
import { countInThreads } from './count-in-threads.js';
import type { SearchThreads } from './search-threads.js';

/** After so many, V8 has compiled what it is worth to compile. */
export const REHEARSED_FILES = 2_000;

const NOTHING = {
  pattern: 'nothing that anybody looks for',
  caseSensitive: false,
  fixedStrings: true,
  multiline: false,
};

const NOBODY: TellingSink = {
  counted: () => undefined,
  countedIn: () => undefined,
  odd: () => undefined,
  failed: () => undefined,
};

/** Starts the threads and has them count once, in some thousand files, so that the first search finds them warm. */
export async function rehearse(
  threads: Pick<SearchThreads, 'lease'>,
  { folder, folders, signal }: { folder: string; folders: readonly TargetFolder[]; signal: AbortSignal },
): Promise<void> {
  const lease = await threads.lease();
  if (lease === undefined) return;
  const count = { lease, pattern: toJavaScriptPattern(NOTHING), folder, greedy: undefined, sink: NOBODY, signal };
  await countInThreads({ folders, files: [] }, count);
}
