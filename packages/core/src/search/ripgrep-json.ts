import { KEPT_PER_FILE, type SearchSink } from './engine.js';
import { toTextMatch, type TextMatch } from './text-match.js';

/** A record beyond this is not held whole: it stands for one line of about this many bytes. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;
/** What is kept of the beginning of such a record. */
const HEAD_BYTES = 16 * 1024;
/** What is kept of its end: line number and place of the first occurrence are behind the text. */
const TAIL_BYTES = 512;

/** How every match record begins; of those that are only counted, nothing else is read. */
const MATCH_START = Buffer.from('{"type":"match"');

/** Text as ripgrep writes it: `bytes` is base64, for what is not UTF-8. */
interface RipgrepText {
  readonly text?: string;
  readonly bytes?: string;
}

interface RipgrepRecord {
  readonly type: string;
  readonly data: {
    readonly path?: RipgrepText;
    readonly lines?: RipgrepText;
    readonly line_number?: number;
    readonly binary_offset?: number | null;
    readonly submatches?: readonly { readonly start: number }[];
  };
}

/** Reads ripgrep's `--json` stream; memory is bounded whatever the length of a line. */
export class RipgrepReader {
  readonly #sink: SearchSink;
  #chunks: Buffer[] = [];
  #size = 0;
  #long: LongRecord | undefined;
  #matches: TextMatch[] = [];
  #total = 0;
  /** The file that is being read about. */
  #path: RipgrepText | undefined;

  constructor(sink: SearchSink) {
    this.#sink = sink;
  }

  /** Hands on what was found so far in a file that was not searched to its end. */
  flush(): void {
    this.#endFile(null);
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#add(chunk.subarray(start, end));
      this.#endRecord();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#long !== undefined) return this.#long.add(piece);
    this.#chunks.push(piece);
    this.#size += piece.length;
    if (this.#size <= MAX_RECORD_BYTES) return;
    this.#long = new LongRecord();
    for (const kept of this.#chunks) this.#long.add(kept);
    this.#chunks = [];
  }

  #endRecord(): void {
    const long = this.#long;
    const [only] = this.#chunks;
    const bytes = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    this.#long = undefined;
    if (long !== undefined) this.#keep(long.toMatch());
    else if (this.#total >= KEPT_PER_FILE && bytes.subarray(0, MATCH_START.length).equals(MATCH_START)) this.#total++;
    else if (bytes.length > 0) this.#read(JSON.parse(bytes.toString('utf8')) as RipgrepRecord);
  }

  #read({ type, data }: RipgrepRecord): void {
    if (type === 'begin') {
      this.#matches = [];
      this.#total = 0;
      this.#path = data.path;
    } else if (type === 'match') {
      this.#keep(matchOf(data));
    } else if (type === 'end') {
      this.#endFile(data.binary_offset ?? null);
    }
  }

  #keep(match: TextMatch): void {
    this.#total++;
    if (this.#matches.length < KEPT_PER_FILE) this.#matches.push(match);
  }

  #endFile(binaryOffset: number | null): void {
    const [total, path] = [this.#total, this.#path];
    this.#total = 0;
    this.#path = undefined;
    if (total === 0 || path === undefined) return;
    const relativePath = textOf(path)
      .toString('utf8')
      .replace(/^\.[\\/]/, '');
    if (binaryOffset === null) this.#sink.found({ relativePath, matches: this.#matches, total });
    else this.#sink.binary(relativePath);
  }
}

function textOf(value: RipgrepText | undefined): Buffer {
  if (value?.bytes !== undefined) return Buffer.from(value.bytes, 'base64');
  return Buffer.from(value?.text ?? '', 'utf8');
}

function matchOf(data: RipgrepRecord['data']): TextMatch {
  const bytes = textOf(data.lines);
  const before = bytes.subarray(0, data.submatches?.[0]?.start ?? 0).toString('utf8');
  return toTextMatch(data.line_number ?? 0, before.length + 1, bytes.toString('utf8').replace(/\r?\n$|\r$/, ''));
}

/** A match record too long to hold: its beginning, and the numbers that stand behind the text. */
class LongRecord {
  #head = Buffer.alloc(0);
  #window = Buffer.alloc(0);
  #tail: string | undefined;
  #size = 0;

  add(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#head.length < HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, piece.subarray(0, HEAD_BYTES - this.#head.length)]);
    }
    if (this.#tail !== undefined) return;
    const joined = Buffer.concat([this.#window, piece]);
    // Quotes within the text are escaped, so this cannot be part of it.
    const at = joined.indexOf('},"line_number":');
    if (at !== -1 && joined.length - at >= TAIL_BYTES)
      this.#tail = joined.subarray(at, at + TAIL_BYTES).toString('utf8');
    this.#window = joined.subarray(at === -1 ? Math.max(0, joined.length - 32) : at);
  }

  toMatch(): TextMatch {
    const tail = this.#tail ?? this.#window.toString('utf8');
    const line = Number(/"line_number":(\d+)/.exec(tail)?.[1] ?? 0);
    const column = Number(/"start":(\d+)/.exec(tail)?.[1] ?? 0) + 1;
    const raw = /"lines":\{"text":"((?:[^"\\]|\\.)*)/.exec(this.#head.toString('utf8').replace(/\uFFFD+$/, ''))?.[1];
    const { text: start } = toTextMatch(line, 1, unescapeJson(raw ?? ''));
    return { line, column, text: start, cutBefore: 0, cutAfter: Math.max(0, this.#size - start.length) };
  }
}

/** The text of a JSON string that may be cut within its last escape. */
function unescapeJson(raw: string): string {
  for (let cut = 0; cut <= 6; cut++) {
    try {
      return String(JSON.parse(`"${raw.slice(0, raw.length - cut)}"`));
    } catch {
      // Cut within an escape: one character less.
    }
  }
  return '';
}
