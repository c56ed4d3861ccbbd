import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../util/failure.js';
import type { SearchEngine, SearchSink } from './engine.js';
import { isLargeBinary } from './large-binary.js';
import type { MatchCollector } from './match-collector.js';
import { walkFolders, type WalkCounts } from './walk.js';

/** Files handed to an engine at once. */
const BATCH = 4_000;

/** Makes an engine for a held folder. The next of a list is tried when one cannot be started. */
export type EngineFactory = (folder: SearchedFolder) => SearchEngine;

export interface SearchedFolder {
  /** Canonical. */
  readonly path: string;
  readonly workingDirectory: string;
}

export interface SearchRequest {
  readonly folder: SearchedFolder;
  readonly engines: readonly EngineFactory[];
  readonly collector: MatchCollector;
  readonly signal: AbortSignal;
}

export interface SearchFolderRequest extends SearchRequest {
  readonly roots: readonly string[];
  /** Judges a path relative to the folder. */
  readonly wants: (relativePath: string) => boolean;
  readonly counts: WalkCounts;
}

/**
 * Searches every file below a folder that no ignore rule hides. The walk runs ahead while the engine works.
 * @throws the signal's reason, with what was found until then in the collector; Failure `invalid_pattern`
 */
export async function searchFolder(request: SearchFolderRequest): Promise<SearchEngine['name']> {
  return withEngine(request, async (search) => {
    let batch: string[] = [];
    let running: Promise<void> = Promise.resolve();
    const flush = async (): Promise<void> => {
      await running;
      if (batch.length > 0) running = search(batch);
      // Its failure is met at the next await; until then it is not an unhandled one.
      running.catch(() => undefined);
      batch = [];
    };
    try {
      for await (const files of walkFolders(request)) {
        for (const { relativePath } of files.filter(({ relativePath: path }) => request.wants(path))) {
          if (isLargeBinary(`${request.folder.workingDirectory}/${relativePath}`)) request.collector.binarySkipped++;
          else batch.push(relativePath);
        }
        if (batch.length >= BATCH) await flush();
      }
      await flush();
      await running;
    } catch (thrown) {
      // Nothing may go on reading once the folder is let go.
      await Promise.allSettled([running]);
      throw thrown;
    }
  });
}

/** Searches one file, whatever the ignore files say: it was named. */
export async function searchFile(request: SearchRequest, name: string): Promise<SearchEngine['name']> {
  return withEngine(request, async (search) => search([name]));
}

type Search = (files: readonly string[]) => Promise<void>;

async function withEngine(
  request: SearchRequest,
  use: (search: Search) => Promise<void>,
): Promise<SearchEngine['name']> {
  const { folder, collector, signal } = request;
  const factories = [...request.engines];
  const sink = sinkFor(folder, collector);
  let engine = nextEngine(factories, folder);
  let searchedSomething = false;
  const attempt = async (action: (current: SearchEngine) => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await action(engine);
      } catch (thrown) {
        if (!(thrown instanceof Failure) || thrown.code !== 'engine_unavailable' || factories.length === 0)
          throw thrown;
        await engine.close();
        engine = nextEngine(factories, folder);
      }
    }
  };
  try {
    await use(async (files) => {
      searchedSomething = true;
      await attempt(async (current) => current.search(files, sink, signal));
      collector.searched += files.length;
    });
    // A bad pattern is an error even where there was nothing to search.
    if (!searchedSomething) await attempt(async (current) => current.checkPattern(signal));
    return engine.name;
  } finally {
    await engine.close();
  }
}

function nextEngine(factories: EngineFactory[], folder: SearchedFolder): SearchEngine {
  const factory = factories.shift();
  if (factory === undefined) throw new Failure('grep_execution_error', 'There is no engine to search with.');
  return factory(folder);
}

function sinkFor(folder: SearchedFolder, collector: MatchCollector): SearchSink {
  return collector.sink({
    toPath: (relativePath) => join(folder.path, relativePath),
    mtimeMs: (relativePath) => {
      try {
        return statSync(join(folder.workingDirectory, relativePath), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      } catch {
        return 0;
      }
    },
  });
}
