import type { ServerList } from '../mcp-types.js';
import { errorMessage } from '../../util/failure.js';
import { oneLine } from './trouble.js';
import type { WireObject } from './wire-message.js';
import { isObject } from '../../util/is-object.js';

export interface ListedPages extends ServerList {
  /** How long the server says that it stays as it is. */
  readonly ttlMs: number;
}

export interface PageSource {
  /** Of the entries in a page, such as `tools`. */
  readonly key: string;
  readonly mostPages: number;
  readonly mostEntries: number;
  readonly page: (cursor: string | undefined) => Promise<unknown>;
  /** Whether to give up altogether rather than to keep what came. */
  readonly isFatal: (error: unknown) => boolean;
}

const MOST_TTL_MS = 24 * 3_600_000;
const MOST_PROBLEMS = 20;

/**
 * All pages of a list, and what was wrong with them: that costs only itself. Throws only what the first page throws, and
 * what is fatal.
 */
export async function listPages(source: PageSource): Promise<ListedPages> {
  const entries: WireObject[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let ttlMs = MOST_TTL_MS;
  for (let page = 1; ; page++) {
    let result: unknown;
    try {
      result = await source.page(cursor);
    } catch (error) {
      if (page === 1 || source.isFatal(error)) throw error;
      problems.push(`Page ${page} and all after it are missing: ${oneLine(errorMessage(error))}`);
      break;
    }
    const read = readPage(result, source.key, page);
    entries.push(...read.entries);
    problems.push(...read.problems);
    ttlMs = Math.min(ttlMs, read.ttlMs);
    cursor = read.cursor;
    if (cursor === undefined) break;
    const stop = stopReason({ cursor, seen, page, entries: entries.length, source });
    if (stop !== undefined) {
      problems.push(stop);
      break;
    }
    seen.add(cursor);
  }
  const most = entries.slice(0, source.mostEntries);
  const isWhole = problems.length === 0;
  return { entries: most, problems: firstOf(problems), ttlMs: isWhole ? ttlMs : 0 };
}

interface Progressed {
  readonly cursor: string;
  readonly seen: ReadonlySet<string>;
  readonly page: number;
  readonly entries: number;
  readonly source: PageSource;
}

function stopReason({ cursor, seen, page, entries, source }: Progressed): string | undefined {
  if (seen.has(cursor)) return `The list names the same next page again; it was read as far as page ${page}.`;
  if (page >= source.mostPages) return `The list has more than ${source.mostPages} pages; the rest was left out.`;
  if (entries >= source.mostEntries)
    return `The list has more than ${source.mostEntries} entries; the rest was left out.`;
  return undefined;
}

function readPage(result: unknown, key: string, page: number) {
  const problems: string[] = [];
  const object = isObject(result) ? result : {};
  const list: unknown = object[key];
  if (!Array.isArray(list)) problems.push(`Page ${page} has no list \`${key}\`.`);
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  for (const [index, entry] of all.entries()) {
    if (!isObject(entry)) problems.push(`Entry ${index + 1} of page ${page} is no object and was left out.`);
  }
  const { nextCursor, ttlMs } = object;
  return {
    entries: all.filter(isObject),
    problems,
    cursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined,
    ttlMs: typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : 0,
  };
}

function firstOf(problems: readonly string[]): readonly string[] {
  if (problems.length <= MOST_PROBLEMS) return problems;
  return [...problems.slice(0, MOST_PROBLEMS), `… and ${problems.length - MOST_PROBLEMS} more problems.`];
}
