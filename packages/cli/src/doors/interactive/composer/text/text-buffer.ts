/** A place in a text: between two units of a line. Both count from 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What was changed, so that it can be taken back. */
export interface Edit {
  readonly at: Position;
  readonly removed: string;
  readonly inserted: string;
}

/** So many lines at once are put together in one go; a call takes no more arguments. */
const MANY_LINES = 1_000;

export function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

/** Where a text ends that begins at a place. Pure. */
export function endOf(at: Position, text: string): Position {
  const last = text.lastIndexOf('\n');
  if (last === -1) return { line: at.line, column: at.column + text.length };
  let lines = 1;
  for (let feed = text.indexOf('\n'); feed < last; feed = text.indexOf('\n', feed + 1)) lines += 1;
  return { line: at.line + lines, column: text.length - last - 1 };
}

/** A text as lines, so that a change costs as much as its line, however long the text is. */
export class TextBuffer {
  #lines: string[] = [''];
  #changes = 0;

  /** At least one. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** How often it was changed. */
  get changes(): number {
    return this.#changes;
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  get isEmpty(): boolean {
    return this.#lines.length === 1 && this.#lines[0] === '';
  }

  get end(): Position {
    return { line: this.#lines.length - 1, column: this.#lines.at(-1)?.length ?? 0 };
  }

  line(index: number): string {
    return this.#lines[index] ?? '';
  }

  slice(from: Position, to: Position): string {
    if (from.line === to.line) return this.line(from.line).slice(from.column, to.column);
    const between = this.#lines.slice(from.line + 1, to.line);
    return [this.line(from.line).slice(from.column), ...between, this.line(to.line).slice(0, to.column)].join('\n');
  }

  /** Puts a text, with `\n` between its lines, in place of what stands between two places. */
  replace(from: Position, to: Position, text: string): Edit {
    this.#changes += 1;
    const removed = this.slice(from, to);
    const head = this.line(from.line).slice(0, from.column);
    const tail = this.line(to.line).slice(to.column);
    if (from.line === to.line && !text.includes('\n')) this.#lines[from.line] = head + text + tail;
    else this.#putLines(from.line, to.line, (head + text + tail).split('\n'));
    return { at: from, removed, inserted: text };
  }

  #putLines(first: number, last: number, fresh: readonly string[]): void {
    if (fresh.length < MANY_LINES) this.#lines.splice(first, last - first + 1, ...fresh);
    else this.#lines = this.#lines.slice(0, first).concat(fresh, this.#lines.slice(last + 1));
  }
}
