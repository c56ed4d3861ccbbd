import { pathBelow, prefixOf } from '../paths.js';
import type { Pause } from '../tree/pause.js';
import { NO_SLOT, type ContentStore } from './content-store.js';
import type { FingerprintQuery } from './fingerprint.js';
import { countFiles, type FolderFiles } from './folder-files.js';
import { FileKind, STAMP_NUMBERS } from './learn-worker.js';
import type { StatPiece, StatUnit } from './stat-unit.js';

/** What is to be done with a file. */
const UNKNOWN = 1;
/** It was text when it was last looked at, and may match. */
const MAY_MATCH = 2;
/** Nothing is ruled out, or said to be no text, without a look at it. */
const ASKED = 3;
/** As `MAY_MATCH`, to be looked at: it may have become another kind of file. */
const ASKED_TEXT = 4;
/** It is text now, and may match. */
const TEXT = 5;

export interface InquiryOptions {
  readonly store: ContentStore;
  /** Absolute. */
  readonly base: string;
  readonly pieces: readonly FolderFiles[];
  /** What a text must hold to match; undefined: nothing is certain. */
  readonly query: FingerprintQuery | undefined;
  /** Whether it is to be told of so many candidates, with so many bytes together, that they are text. */
  readonly wantsText?: ((files: number, bytes: number) => boolean) | undefined;
}

/** One search's question what is known of files: `look` tells which of them are to be looked at, `judge` what came of it. */
export class Inquiry {
  private readonly options: InquiryOptions;
  /** By the place of a file among all. */
  private readonly verdicts: Uint8Array;
  private readonly slots: Int32Array;
  private readonly asked: StatPiece[] = [];
  private mayMatch = { files: 0, bytes: 0 };

  readonly candidates: FolderFiles[] = [];
  readonly text: FolderFiles[] = [];
  readonly unknown: FolderFiles[] = [];
  readonly odd: string[] = [];
  binary = 0;
  ruledOut = 0;

  constructor(options: InquiryOptions) {
    this.options = options;
    const count = countFiles(options.pieces);
    this.verdicts = new Uint8Array(count);
    this.slots = new Int32Array(count);
  }

  /** @throws the signal's reason, by the pause */
  async look(pause: Pause): Promise<readonly StatPiece[]> {
    await this.each(pause, (piece, start) => this.lookAt(piece, start));
    const { files, bytes } = this.mayMatch;
    if (files > 0 && this.options.wantsText?.(files, bytes) === true)
      for (const [at, verdict] of this.verdicts.entries()) if (verdict === MAY_MATCH) this.verdicts[at] = ASKED_TEXT;
    await this.each(pause, (piece, start) => this.ask(piece, start));
    return this.asked;
  }

  /** `units` hold the stamps of all that was to be looked at. @throws as above */
  async judge(units: readonly StatUnit[], pause: Pause): Promise<void> {
    const stamps = new StampReader(units);
    await this.each(pause, (piece, start) => this.judgePiece(piece, start, stamps));
  }

  /** `start`: the place of the piece's first file among all. */
  private async each(pause: Pause, work: (piece: FolderFiles, start: number) => void): Promise<void> {
    let start = 0;
    for (const piece of this.options.pieces) {
      work(piece, start);
      start += piece.names.length;
      if (pause.isDue()) await pause.take();
    }
  }

  private lookAt(piece: FolderFiles, start: number): void {
    const { store, base, query } = this.options;
    const slots = store.slotsOf(base, piece);
    const end = start + piece.names.length;
    if (slots === undefined) {
      this.verdicts.fill(UNKNOWN, start, end);
      return;
    }
    for (let at = start; at < end; at += 1) {
      const slot = slots[at - start] ?? NO_SLOT;
      this.slots[at] = slot;
      if (slot === NO_SLOT) this.verdicts[at] = UNKNOWN;
      else if (store.slots.kind(slot) === FileKind.text && (query === undefined || store.slots.mayHold(slot, query))) {
        this.verdicts[at] = MAY_MATCH;
        this.mayMatch.files += 1;
        this.mayMatch.bytes += store.slots.sizeOf(slot);
      } else this.verdicts[at] = ASKED;
    }
  }

  private ask(piece: FolderFiles, start: number): void {
    let count = 0;
    for (let at = start; at < start + piece.names.length; at += 1) if (isAsked(this.verdicts[at] ?? 0)) count += 1;
    if (count === 0) return;
    this.asked.push({ folder: prefixOf(piece.folder), names: this.namesOf(piece, start, { which: isAsked, count }) });
  }

  private judgePiece(piece: FolderFiles, start: number, stamps: StampReader): void {
    const { store, base } = this.options;
    let [unknown, candidates, text] = [0, 0, 0];
    for (let place = 0; place < piece.names.length; place += 1) {
      const at = start + place;
      const asked = this.verdicts[at] ?? 0;
      if (isAsked(asked)) {
        const slot = this.slots[at] ?? NO_SLOT;
        stamps.next();
        if (store.slots.isUnchanged(slot, stamps.values, stamps.from)) {
          this.verdicts[at] = asked === ASKED_TEXT ? TEXT : this.tell(store.slots.kind(slot), piece, place);
        } else {
          store.forget(base, piece, place);
          this.verdicts[at] = UNKNOWN;
        }
      }
      if (this.verdicts[at] === UNKNOWN) unknown += 1;
      if (isCandidate(this.verdicts[at] ?? 0)) candidates += 1;
      if (this.verdicts[at] === TEXT) text += 1;
    }
    this.keep(this.unknown, piece, this.namesOf(piece, start, { which: isUnknown, count: unknown }));
    this.keep(this.candidates, piece, this.namesOf(piece, start, { which: isCandidate, count: candidates }));
    this.keep(this.text, piece, this.namesOf(piece, start, { which: isText, count: text }));
  }

  /** @returns the verdict on a file that is what it was */
  private tell(kind: number, piece: FolderFiles, place: number): number {
    if (kind === FileKind.tooLarge) return MAY_MATCH;
    if (kind === FileKind.text) this.ruledOut += 1;
    else if (kind === FileKind.binary) this.binary += 1;
    else this.odd.push(pathBelow(piece.folder, piece.names[place] ?? ''));
    return 0;
  }

  private keep(list: FolderFiles[], piece: FolderFiles, names: readonly string[]): void {
    if (names.length > 0) list.push(names === piece.names ? piece : { folder: piece.folder, names });
  }

  /** Those of a piece with such a verdict; `count` of them. The same list where that are all. */
  private namesOf({ names }: FolderFiles, start: number, { which, count }: Choice): readonly string[] {
    if (count === 0) return [];
    return count === names.length ? names : names.filter((_, place) => which(this.verdicts[start + place] ?? 0));
  }
}

interface Choice {
  readonly which: (verdict: number) => boolean;
  readonly count: number;
}

const isUnknown = (verdict: number): boolean => verdict === UNKNOWN;
const isAsked = (verdict: number): boolean => verdict === ASKED || verdict === ASKED_TEXT;
const isText = (verdict: number): boolean => verdict === TEXT;
const isCandidate = (verdict: number): boolean => verdict === UNKNOWN || verdict === MAY_MATCH;

/** Goes through the stamps of many units, file by file. */
class StampReader {
  values: Float64Array = new Float64Array(0);
  from = 0;
  private unit = -1;

  constructor(private readonly units: readonly StatUnit[]) {}

  next(): void {
    this.from += STAMP_NUMBERS;
    while (this.from >= this.values.length && this.unit < this.units.length) {
      this.unit += 1;
      this.values = this.units[this.unit]?.values ?? new Float64Array(0);
      this.from = 0;
    }
  }
}
