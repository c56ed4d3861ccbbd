import { isUnnamable } from '../../../files/escaped-bytes.js';
import { folderOf } from '../../paths.js';
import { shownLines } from '../javascript/task-sinks.js';
import type { LinesRequest, LinesSink } from '../search-engine.js';
import type { ThreadSearch } from './count-in-threads.js';
import { withLease } from './lease-guard.js';
import type { SearchThread } from './search-thread.js';
import type { ThreadLines } from './thread-messages.js';
import { withSeparator } from '../../../util/paths-below.js';

/** What one thread is asked at once: a few milliseconds of work. */
const FILES_AT_ONCE = 16;

type WantedFiles = LinesRequest['files'];

/**
 * The lines of small files as `SearchEngine.lines`, by the threads of the lease. What it returns is left to another engine, also all
 * with which anything is wrong; nothing of that was told.
 * @throws the signal's reason, once no thread works for it any more
 */
export async function linesInThread(wanted: LinesRequest, sink: LinesSink, search: ThreadSearch): Promise<WantedFiles> {
  const { lease, folder, wanted: pattern } = search;
  return withLease(search, async (guard) => {
    const left: WantedFiles[number][] = [];
    let at = 0;
    const lane = async (thread: SearchThread): Promise<void> => {
      thread.begin({ job: lease.job, wanted: pattern, base: withSeparator(folder) });
      while (at < wanted.files.length) {
        const files = wanted.files.slice(at, (at += FILES_AT_ONCE));
        const answer = guard.isGivenUp ? undefined : await thread.lines(messageOf(wanted, files));
        for (const [place, file] of files.entries()) {
          const shown = answer?.[place];
          if (shown === undefined) left.push(file);
          else if (shown.matches > 0) sink.found(file.path, { matches: shown.matches, lines: shownLines(shown.lines) });
        }
      }
    };
    await Promise.all(lease.threads.map(lane));
    return left;
  });
}

function messageOf({ before, after }: LinesRequest, files: WantedFiles): ThreadLines {
  return {
    files: files.map(({ path, ...limits }) => {
      const folder = folderOf(path);
      return { folder, name: path.slice(folder === '' ? 0 : folder.length + 1), ...limits };
    }),
    before,
    after,
    hasEscapes: files.some(({ path }) => isUnnamable(path)),
  };
}
