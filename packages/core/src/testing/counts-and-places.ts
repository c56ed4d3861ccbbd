import type { SearchEngine } from '../search/engines/search-engine.js';

/**
 * What an engine tells of files: `PATH counted` (matches), `PATH shown` (lines and columns, as `2:1 3:`) and `PATH failed` (why).
 * The engine is closed. Whatever it throws is thrown.
 */
export async function countsAndPlaces(
  engine: SearchEngine,
  files: readonly string[],
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const told: Record<string, unknown> = {};
  const failed = (path: string | undefined, reason: string): void => void (told[`${path} failed`] = reason);
  try {
    const counted = (path: string, matches: number): void => void (told[`${path} counted`] = matches);
    await engine.countAnything({ folders: [], files }, { counted, failed, odd: (path) => failed(path, 'odd') }, signal);
    const request = { files: files.map((path) => ({ path, maxMatches: 1_000 })), before: 0, after: 0 };
    const found = (path: string, shown: { lines: readonly { line: number; column?: number }[] }): void =>
      void (told[`${path} shown`] = shown.lines.map(({ line, column }) => `${line}:${column ?? ''}`).join(' '));
    await engine.lines(request, { found, failed }, signal);
    return told;
  } finally {
    await engine.close();
  }
}
