import { decodeEscaped } from '../../../files/escaped-bytes.js';
import { readFailureInWords } from '../read-failure.js';
import { cutAtLineFeeds } from './line-pieces.js';
import { fromArgument } from './ripgrep-arguments.js';

/** What is kept of complaints that are not about a file: an error in the longest pattern shows that, and its place below it. */
const KEPT_OTHERS = 256 * 1024;
/** A complaint about one file is a path and a reason; the rest of a longer one is dropped. */
const KEPT_COMPLAINT = 16 * 1024;

export interface Complaints {
  /** How many were about a file. */
  readonly files: number;
  /** The others, as they stand; empty when there were none. */
  readonly others: string;
}

/** How a complaint begins; before version 14 without the program's name. */
const BEGINNING = /^(?:rg: |\.[\\/]|<stdin>: )/;

/** Reads ripgrep's stderr, in bounded memory: a complaint may go on over lines. */
export class ComplaintReader {
  readonly #failed: (relativePath: string | undefined, reason: string) => void;
  #line: Buffer[] = [];
  #lineSize = 0;
  #complaint: string[] = [];
  #complaintSize = 0;
  #files = 0;
  #others: string[] = [];
  #othersSize = 0;

  constructor(failed: (relativePath: string | undefined, reason: string) => void) {
    this.#failed = failed;
  }

  push(chunk: Buffer): void {
    cutAtLineFeeds(chunk, { add: (piece) => this.#add(piece), endLine: () => this.#endLine() });
  }

  finish(): Complaints {
    if (this.#lineSize > 0) this.#endLine();
    this.#endComplaint();
    return { files: this.#files, others: this.#others.join('\n').trim() };
  }

  #add(piece: Buffer): void {
    if (piece.length === 0 || this.#lineSize > KEPT_OTHERS) return;
    this.#line.push(piece);
    this.#lineSize += piece.length;
  }

  #endLine(): void {
    const line = decodeEscaped(Buffer.concat(this.#line)).replace(/\r$/, '');
    this.#line = [];
    this.#lineSize = 0;
    if (BEGINNING.test(line)) this.#endComplaint();
    if (this.#complaintSize > KEPT_OTHERS) return;
    this.#complaint.push(line);
    this.#complaintSize += line.length + 1;
  }

  #endComplaint(): void {
    const complaint = this.#complaint.join('\n');
    this.#complaint = [];
    this.#complaintSize = 0;
    if (complaint === '') return;
    const about = aboutFile(complaint.slice(0, KEPT_COMPLAINT));
    if (about !== undefined) {
      this.#files++;
      this.#failed(about.path, about.reason);
    } else if (this.#othersSize <= KEPT_OTHERS) {
      this.#others.push(complaint);
      this.#othersSize += complaint.length + 1;
    }
  }
}

/** Names may hold `: ` and line breaks; what the system says ends in its own way, so it is looked for first. */
function aboutFile(complaint: string): { path: string; reason: string } | undefined {
  const match =
    /^(?:rg: )?(\.[\\/].*): ((?:(?!: ).)+ \(os error \d+\))$/s.exec(complaint) ??
    /^(?:rg: )?(\.[\\/].*?|<stdin>): (.*)$/s.exec(complaint);
  if (match === null) return undefined;
  const [, path = '', reason = ''] = match;
  // Some versions say the path twice.
  const named = path.replace(/: IO error for operation on .*$/s, '');
  return { path: fromArgument(named), reason: readFailureInWords(reason.replace(/ \(os error \d+\)$/, '')) };
}
