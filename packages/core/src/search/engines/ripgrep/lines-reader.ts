import { decodeEscaped } from '../../../files/escaped-bytes.js';
import type { FileLines } from '../../report/shown-line.js';
import { KeptLines, type LinesLimits, type Occurrence } from './kept-lines.js';
import { cutAtLineFeeds } from './line-pieces.js';
import { LongRecord, MAX_RECORD_BYTES } from './long-record.js';
import { fromArgument } from './ripgrep-arguments.js';

/** In a record that ends a file; quotes within texts are escaped. */
const END = '{"type":"end"';

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
    readonly submatches?: readonly Occurrence[];
  };
}

/** Reads ripgrep's `--json` stream; memory is bounded whatever the length of a line. */
export class LinesReader {
  readonly #limits: LinesLimits;
  readonly #found: (relativePath: string, lines: FileLines) => void;
  #pieces: Buffer[] = [];
  #size = 0;
  #long: LongRecord | undefined;
  #file: KeptLines | undefined;
  #path = '';

  constructor(limits: LinesLimits, found: (relativePath: string, lines: FileLines) => void) {
    this.#limits = limits;
    this.#found = found;
  }

  push(chunk: Buffer): void {
    cutAtLineFeeds(chunk, { add: (piece) => this.#add(piece), endLine: () => this.#endRecord() });
  }

  /** All that is wanted of the present file is there. */
  get isComplete(): boolean {
    return this.#file?.isComplete ?? false;
  }

  /** Tells the present file, of which no more will come. */
  finish(): void {
    const lines = this.#file?.finish();
    this.#file = undefined;
    if (lines !== undefined && lines.matches > 0) this.#found(this.#path, lines);
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#long !== undefined) return this.#long.add(piece);
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size <= MAX_RECORD_BYTES) return;
    this.#long = new LongRecord();
    for (const kept of this.#pieces) this.#long.add(kept);
    this.#pieces = [];
  }

  #endRecord(): void {
    const [long, pieces] = [this.#long, this.#pieces];
    this.#pieces = [];
    this.#size = 0;
    this.#long = undefined;
    if (long !== undefined) {
      const { isMatch, line } = long.finish();
      this.#file?.addLong(line, isMatch);
    } else if (pieces.length > 0 && (!this.isComplete || pieces[0]?.includes(END) === true)) {
      this.#read(JSON.parse(Buffer.concat(pieces).toString('utf8')) as RipgrepRecord);
    }
  }

  #read({ type, data }: RipgrepRecord): void {
    if (type === 'begin') {
      this.#file = new KeptLines(this.#limits);
      this.#path = fromArgument(decodeEscaped(bytesOf(data.path)));
    } else if (type === 'match' || type === 'context') {
      this.#file?.add(
        bytesOf(data.lines),
        data.line_number ?? 0,
        type === 'match' ? (data.submatches ?? []) : undefined,
      );
    } else if (type === 'end') {
      this.finish();
    }
  }
}

function bytesOf(value: RipgrepText | undefined): Buffer {
  if (value?.bytes !== undefined) return Buffer.from(value.bytes, 'base64');
  return Buffer.from(value?.text ?? '', 'utf8');
}
