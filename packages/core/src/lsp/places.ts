import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Position, Range } from 'vscode-languageserver-protocol';

/** The file URI of an absolute path. */
export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

/** Undefined for what is no file (`untitled:`, an archive's `zipfile:`), or no URI at all. */
export function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

/** A text and where its lines begin, as the protocol counts them: `\n`, `\r\n` and `\r` end a line; columns in UTF-16. */
export class LinedText {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) this.#starts.push(at + 1);
    }
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** Without its end; empty for a line that is not there. */
  line(index: number): string {
    const start = this.#starts[index];
    if (start === undefined) return '';
    return this.text.slice(start, this.#starts[index + 1] ?? this.text.length).replace(/[\r\n]+$/, '');
  }

  /** A column past its line is its end, a line past the text is the text's end: so the protocol says. */
  offsetAt({ line, character }: Position): number {
    const start = this.#starts[line];
    if (start === undefined) return this.text.length;
    return start + Math.max(0, Math.min(character, this.line(line).length));
  }

  positionAt(offset: number): Position {
    const at = Math.max(0, Math.min(offset, this.text.length));
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: at - (this.#starts[low] ?? 0) };
  }

  /** All of it. */
  get range(): Range {
    return { start: { line: 0, character: 0 }, end: this.positionAt(this.text.length) };
  }
}

export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

export function holds({ start, end }: Range, position: Position): boolean {
  return comparePositions(start, position) <= 0 && comparePositions(position, end) <= 0;
}

/** Where a word stands by itself in a line: 0-based columns. */
export function wordColumns(line: string, word: string): readonly number[] {
  if (word === '') return [];
  const columns: number[] = [];
  const isPart = (text: string | undefined): boolean => text !== undefined && /[\p{L}\p{N}_$]/u.test(text);
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    const starts = !isPart(word[0]) || !isPart(line[at - 1]);
    const ends = !isPart(word.at(-1)) || !isPart(line[at + word.length]);
    if (starts && ends) columns.push(at);
  }
  return columns;
}
