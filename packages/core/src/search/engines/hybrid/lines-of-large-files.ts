import { lstatSync } from 'node:fs';
import { systemPath } from '../../../files/escaped-bytes.js';
import type { LinesRequest, LinesSink, SearchEngine } from '../search-engine.js';
import { timeLimit } from '../../../util/abort.js';

/**
 * A line of so many bytes may be one of a million occurrences. ripgrep tells them all, which takes longer than all else;
 * JavaScript looks for one.
 */
const LARGE_BYTES = 4 * 1024 * 1024;
/** A pattern that takes longer in JavaScript runs away, or the file is very large. */
const LIMIT_MS = 2_000;

type WantedFiles = LinesRequest['files'];

export interface LargeFilesWork {
  /** Made for this, and closed. */
  readonly engine: SearchEngine;
  readonly request: LinesRequest;
  readonly sink: LinesSink;
  readonly signal: AbortSignal;
}

export function largeFiles(files: WantedFiles, workingDirectory: string): WantedFiles {
  return files.filter(({ path }) => isLarge(`${workingDirectory}/${path}`));
}

function isLarge(path: string): boolean {
  try {
    return lstatSync(systemPath(path)).size > LARGE_BYTES;
  } catch {
    // What is wrong with it is told by whoever reads it.
    return false;
  }
}

/**
 * @returns files that are left to another engine; nothing of them was told
 * @throws the signal's reason
 */
export async function linesOfLargeFiles({ engine, request, sink, signal }: LargeFilesWork): Promise<WantedFiles> {
  const [found, failed] = [new Set<string>(), new Set<string>()];
  const told: LinesSink = {
    found: (path, lines) => {
      found.add(path);
      sink.found(path, lines);
    },
    failed: (path) => void failed.add(path ?? ''),
  };
  try {
    await engine.lines(request, told, AbortSignal.any([signal, timeLimit(LIMIT_MS)]));
    return request.files.filter(({ path }) => failed.has(path));
  } catch {
    signal.throwIfAborted();
    return request.files.filter(({ path }) => !found.has(path));
  } finally {
    await engine.close();
  }
}
