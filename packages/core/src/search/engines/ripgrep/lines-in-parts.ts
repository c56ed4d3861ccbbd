import type { FileLines, ShownLine } from '../../report/shown-line.js';
import type { LinesSink } from '../search-engine.js';
import type { PageLimits } from './page-lines.js';

interface PartLimits extends PageLimits {
  readonly maxMatches: number;
}

/** Puts together what searches for different lines of the same files found. */
export class LinesInParts implements LinesSink {
  readonly #limits: PartLimits;
  readonly #sink: LinesSink;
  readonly #parts = new Map<string, FileLines>();
  readonly #failures = new Map<string, string>();

  constructor(limits: PartLimits, sink: LinesSink) {
    this.#limits = limits;
    this.#sink = sink;
  }

  found(path: string, lines: FileLines): void {
    const before = this.#parts.get(path);
    this.#parts.set(path, before === undefined ? lines : joined(before, lines, this.#limits));
  }

  failed(path: string | undefined, reason: string): void {
    if (path === undefined) this.#sink.failed(path, reason);
    else this.#failures.set(path, reason);
  }

  finish(): void {
    for (const [path, reason] of this.#failures) this.#sink.failed(path, reason);
    for (const [path, lines] of this.#parts)
      if (!this.#failures.has(path)) this.#sink.found(path, withoutFormer(lines, this.#limits));
  }
}

/** The first matches of both. No line matches in both, but one that matches may stand around a match of the other. */
function joined(one: FileLines, other: FileLines, { maxMatches, after }: PartLimits): FileLines {
  const byNumber = new Map<number, ShownLine>();
  for (const line of [...one.lines, ...other.lines])
    if (line.column !== undefined || !byNumber.has(line.line)) byNumber.set(line.line, line);
  const all = [...byNumber.values()].toSorted((a, b) => a.line - b.line);
  const matches = all.filter((line) => line.column !== undefined).slice(0, maxMatches);
  const last = matches.at(-1)?.line ?? 0;
  const kept = all.filter(({ line }) => line <= last + after);
  return { lines: kept.map((line) => (line.line > last ? around(line) : line)), matches: matches.length };
}

/** The part of all lines that stands behind the matches that are skipped. */
function withoutFormer({ lines, matches }: FileLines, { skip, before }: PageLimits): FileLines {
  const matching = lines.filter(({ column }) => column !== undefined);
  const [former = 0, first = Infinity] = [matching[skip - 1]?.line, matching[skip]?.line];
  return { lines: lines.filter(({ line }) => line > former && line >= first - before), matches };
}

function around({ line, text, cutBefore, cutAfter }: ShownLine): ShownLine {
  return { line, text, cutBefore, cutAfter };
}
