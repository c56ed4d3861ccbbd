const LINE_FEED = 10;

export interface LinePieces {
  /** A part of the present line, perhaps empty, without its end. */
  readonly add: (piece: Buffer) => void;
  readonly endLine: () => void;
}

/** Cuts a part of a stream at its line feeds. */
export function cutAtLineFeeds(chunk: Buffer, { add, endLine }: LinePieces): void {
  let from = 0;
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
    add(chunk.subarray(from, at));
    endLine();
    from = at + 1;
  }
  add(chunk.subarray(from));
}
