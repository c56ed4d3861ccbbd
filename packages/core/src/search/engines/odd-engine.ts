import { Failure } from '../../util/failure.js';
import { Pause } from '../tree/pause.js';
import { legacyBytes } from './javascript/byte-search.js';
import { FileRoom } from './file-room.js';
import { OddTexts, type OddTextsRequest } from './odd-texts.js';
import { readFailure } from './read-failure.js';
import { readOddText, type OddFile, type OddTextRequest } from './read-odd-text.js';
import type { CountSink, LinesRequest, LinesSink } from './search-engine.js';

export interface OddSink extends CountSink {
  /** No text at all: not searched. */
  binary(relativePath: string): void;
  /** A text in an encoding that cannot be read: not searched. */
  notDecodable(relativePath: string): void;
  /** Too large to be decoded as a whole: not searched. */
  tooLarge(relativePath: string): void;
}

/**
 * Searches files that no engine reads as they are: legacy encodings, UTF-16 without a mark, UTF-32, damaged UTF-8. They are
 * judged and decoded exactly as `read_file` does it. A match is what it is for `SearchEngine`.
 */
export interface OddEngine {
  count(files: readonly string[], sink: OddSink, signal: AbortSignal): Promise<void>;
  lines(request: LinesRequest, sink: LinesSink, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export function createOddEngine(request: OddTextsRequest): OddEngine {
  const { folder, guesses } = request;
  const searcher = new OddTexts(request);
  const needed = legacyBytes(request.pattern);
  const room = new FileRoom();
  return {
    count: async (files, sink, signal) => {
      const pause = new Pause(signal);
      for (const path of files) {
        if (pause.isDue()) await pause.take();
        signal.throwIfAborted();
        const file = await read({ folder, path, room, signal, wanted: needed, guesses }, sink);
        if (file?.kind === 'text') await searcher.count({ path, text: file.text }, sink, signal);
        else if (file?.kind === 'binary') sink.binary(path);
        else if (file?.kind === 'not-decodable') sink.notDecodable(path);
        else if (file?.kind === 'too-large') sink.tooLarge(path);
      }
    },
    lines: async ({ files, before, after }, sink, signal) => {
      const pause = new Pause(signal);
      for (const wanted of files) {
        const { path } = wanted;
        if (pause.isDue()) await pause.take();
        signal.throwIfAborted();
        const file = await read({ folder, path, room, signal, guesses }, sink);
        if (file?.kind === 'text') await searcher.lines({ ...wanted, text: file.text, before, after }, sink, signal);
        else if (file !== undefined) sink.failed(path, 'it changed while it was searched');
      }
    },
    close: async () => searcher.close(),
  };
}

/** One file at a time, so that memory does not grow with their number; what cannot be read is told. */
async function read(request: OddTextRequest, sink: Pick<CountSink, 'failed'>): Promise<OddFile | undefined> {
  try {
    return await readOddText(request);
  } catch (thrown) {
    request.signal.throwIfAborted();
    sink.failed(request.path, thrown instanceof Failure ? thrown.message : readFailure(thrown));
    return undefined;
  }
}
