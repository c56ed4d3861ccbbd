/** Some whole lines of a text, and the lines below them that a place may reach into. */
export interface TextChunk {
  /** Where it begins in the text. */
  readonly start: number;
  /** Where its own lines end; what stands behind belongs to the next chunk. */
  readonly end: number;
  readonly text: string;
}

/** Characters of a chunk: what is made of it stays small, however large the text. */
const CHUNK_CHARS = 1_000_000;

/** The text in pieces, such that any place with so many line ends stands wholly in the piece that it begins in. */
export function* chunksOf(text: string, lineEnds: number): Generator<TextChunk> {
  for (let start = 0; start < text.length;) {
    const end = start + 2 * CHUNK_CHARS >= text.length ? text.length : lineEndAfter(text, start + CHUNK_CHARS);
    let reach = end;
    for (let line = 0; line <= lineEnds && reach < text.length; line += 1) reach = lineEndAfter(text, reach);
    yield { start, end, text: text.slice(start, reach) };
    start = end;
  }
}

function lineEndAfter(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed === -1 ? text.length : feed + 1;
}

export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
