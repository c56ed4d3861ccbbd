import { StringDecoder } from 'node:string_decoder';

/** Escape sequences that colour text (SGR) or move within what the command itself printed, as ECMA-48 has them. */
const HARMLESS = /^(?:\x1b\[|\x9b)[\d;:]*[mKABCDEFGJ]$/;
/** One whole sequence: a string (OSC, DCS, SOS, PM, APC) to its end, a CSI, another escape. */
const SEQUENCE =
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x18\x1a\n\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|[\x9c\x18\x1a]|(?=[\x1b\n\x90\x98\x9d-\x9f]))|(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|(?=[^ -~]))|\x1b[ -/]*(?:[0-~]|(?=[^ -~]))/g;
/** A sequence that has begun and is not whole yet. */
const BEGUN =
  /(?:(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x18\x1a\n\x90\x98\x9c-\x9f]*\x1b?|(?:\x1b\[|\x9b)[0-?]*[ -/]*|\x1b[ -/]*)$/;
/** Controls that do something to a terminal but a line feed, a tab, a return and a step back. */
const CONTROLS = /[\0-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[)/g;
const NEEDS_WORK = /[\0-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/;
/** What has begun and is longer is no sequence that anything makes. In characters. */
const LONGEST_BEGUN = 4_096;

/**
 * Bytes of a command as they may reach the terminal of an editor: text, colours and moves. Titles, links, clipboards, questions
 * to the terminal and everything else that a printed file could do to it are left out, and so is every byte of 0.
 */
export class TerminalText {
  readonly #decoder = new StringDecoder('utf8');
  #begun = '';

  /** What may be shown of it now; what is not whole yet comes with the next piece. */
  next(chunk: Uint8Array): string {
    const text = this.#begun + this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.#begun = '';
    if (!NEEDS_WORK.test(text)) return text;
    const begun = BEGUN.exec(text.slice(-LONGEST_BEGUN))?.[0] ?? '';
    this.#begun = begun;
    return harmless(begun === '' ? text : text.slice(0, -begun.length));
  }
}

function harmless(text: string): string {
  return text
    .replace(SEQUENCE, (sequence) => (HARMLESS.test(sequence) ? sequence.replace('\x9b', '\x1b[') : ''))
    .replace(CONTROLS, '');
}
