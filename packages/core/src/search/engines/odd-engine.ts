import { Failure } from '../../util/failure.js';
import { readFailure } from './javascript/read-failure.js';
import { createTextSearcher, type TextSearcher } from './javascript/text-searcher.js';
import { readOddText, type OddFile } from './read-odd-text.js';
import type { CountSink, LinesRequest, LinesSink } from './search-engine.js';
import type { SearchPattern } from './search-pattern.js';

export interface OddSink extends CountSink {
  /** No text at all: not searched. */
  binary(relativePath: string): void;
  /** More than `MAX_ODD_BYTES`: not searched. */
  tooLarge(relativePath: string): void;
}

/** A file that must be decoded as a whole is not searched beyond this. */
export const MAX_ODD_BYTES = 64 * 1024 * 1024;

/** Files are judged in the caller's thread: it is let go so often. */
const MAX_TURN_MS = 10;

/**
 * Searches files that no engine reads as they are: legacy encodings, UTF-16 without a mark, damaged UTF-8. They are
 * judged and decoded exactly as `read_file` does it. A match is what it is for `SearchEngine`.
 */
export interface OddEngine {
  count(files: readonly string[], sink: OddSink, signal: AbortSignal): Promise<void>;
  lines(request: LinesRequest, sink: LinesSink, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface OddEngineRequest {
  readonly pattern: SearchPattern;
  /** A held folder; files are relative to it. */
  readonly folder: { readonly path: string; readonly workingDirectory: string };
}

export function createOddEngine(request: OddEngineRequest): OddEngine {
  const { folder } = request;
  const searcher: TextSearcher = createTextSearcher(request);
  return {
    count: async (files, sink, signal) => {
      const pause = pauses();
      for (const path of files) {
        signal.throwIfAborted();
        const file = await read(folder, path, sink, signal);
        if (file?.kind === 'text') await searcher.count({ path, text: file.text }, sink, signal);
        else if (file?.kind === 'binary') sink.binary(path);
        else if (file?.kind === 'too-large') sink.tooLarge(path);
        await pause();
      }
    },
    lines: async ({ files, before, after }, sink, signal) => {
      const pause = pauses();
      for (const { path, maxMatches } of files) {
        signal.throwIfAborted();
        const file = await read(folder, path, sink, signal);
        if (file?.kind === 'text')
          await searcher.lines({ path, text: file.text, maxMatches, before, after }, sink, signal);
        else if (file !== undefined) sink.failed(path, 'it changed while it was searched');
        await pause();
      }
    },
    close: async () => searcher.close(),
  };
}

/** One file at a time, so that memory does not grow with their number; what cannot be read is told. */
async function read(
  folder: OddEngineRequest['folder'],
  path: string,
  sink: Pick<CountSink, 'failed'>,
  signal: AbortSignal,
): Promise<OddFile | undefined> {
  try {
    return await readOddText({ folder, path, maxBytes: MAX_ODD_BYTES, signal });
  } catch (thrown) {
    signal.throwIfAborted();
    sink.failed(path, thrown instanceof Failure ? thrown.message : readFailure(thrown));
    return undefined;
  }
}

/** Lets other work have its turn when this has had the thread for long enough. */
function pauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MAX_TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}
