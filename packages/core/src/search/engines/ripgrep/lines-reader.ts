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
    readonly absolute_offset?: number;
    readonly submatches?: readonly Occurrence[];
  };
}

export interface LinesReaderSink {
  readonly found: (relativePath: string, lines: FileLines) => void;
  /** Lines of the file are too long to be held: where it matches, as far as it is wanted, in bytes of its text as UTF-8 without a mark. */
  readonly far: (relativePath: string, places: readonly Occurrence[]) => void;
}

/** Reads ripgrep's `--json` stream; memory is bounded whatever the length of a line. */
export class LinesReader {
  readonly #limits: LinesLimits;
  readonly #sink: LinesReaderSink;
  #pieces: Buffer[] = [];
  #size = 0;
  #long: LongRecord | undefined;
  #file: KeptLines | undefined;
  #path = '';

  constructor(limits: LinesLimits, sink: LinesReaderSink) {
    this.#limits = limits;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    cutAtLineFeeds(chunk, { add: (piece) => this.#add(piece), endLine: () => this.#endRecord() });
  }

  /** All that is wanted of the present file is there. */
  get isComplete(): boolean {
    const { wanted = 0, isComplete = false } = this.#file ?? {};
    return isComplete || (this.#long?.isComplete === true && (this.#limits.multiline || wanted <= 1));
  }

  /** Tells the present file, of which no more will come. */
  finish(): void {
    this.#endLong();
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined || file.places.length === 0) return;
    const lines = file.finish();
    if (lines === undefined) this.#sink.far(this.#path, file.places);
    else this.#sink.found(this.#path, lines);
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#long !== undefined) return this.#long.add(piece);
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size <= (this.#limits.maxRecordBytes ?? MAX_RECORD_BYTES)) return;
    this.#long = new LongRecord(this.#limits.multiline ? Math.max(0, this.#file?.wanted ?? 0) : 1);
    for (const kept of this.#pieces) this.#long.add(kept);
    this.#pieces = [];
  }

  #endRecord(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#size = 0;
    if (this.#long !== undefined) this.#endLong();
    else if (pieces.length > 0 && (!this.isComplete || pieces[0]?.includes(END) === true))
      this.#read(JSON.parse(Buffer.concat(pieces).toString('utf8')) as RipgrepRecord);
  }

  #endLong(): void {
    if (this.#long === undefined) return;
    this.#file?.addFar(this.#long.finish());
    this.#long = undefined;
  }

  #read({ type, data }: RipgrepRecord): void {
    if (type === 'begin') {
      this.#file = new KeptLines(this.#limits);
      this.#path = fromArgument(decodeEscaped(bytesOf(data.path)));
    } else if (type === 'match' || type === 'context') {
      this.#file?.add({
        bytes: bytesOf(data.lines),
        line: data.line_number ?? 0,
        offset: data.absolute_offset ?? 0,
        occurrences: type === 'match' ? (data.submatches ?? []) : undefined,
      });
    } else if (type === 'end') {
      this.finish();
    }
  }
}

function bytesOf(value: RipgrepText | undefined): Buffer {
  if (value?.bytes !== undefined) return Buffer.from(value.bytes, 'base64');
  return Buffer.from(value?.text ?? '', 'utf8');
}
