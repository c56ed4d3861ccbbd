import type { CommandOutcome, CommandRequest, OutputFilter } from './command-types.js';
import { OutputAnnouncer } from './output-announcer.js';
import { OutputCollector, type NewOutput } from './output-collector.js';
import { OutputSpool } from './output-spool.js';
import type { TakeOutput } from './started-command.js';

/** After so much silence what a filter holds back is told. */
const PAUSE_MS = 20;

/** What a command's output listener is told: the bytes, valid until it returns. */
export type OutputListener = (chunk: Buffer) => void;

/** Collector, spool and announcements of one command's output. */
export class CommandOutput {
  readonly #collector: OutputCollector;
  readonly #spool: OutputSpool | undefined;
  readonly #announcer: OutputAnnouncer | undefined;
  readonly #listeners = new Set<OutputListener>();
  readonly #filter: OutputFilter | undefined;
  #pause: NodeJS.Timeout | undefined;
  #keepsAll = false;
  #pending: Promise<void> | undefined;
  #lastAt = performance.now();
  #isClosed = false;

  constructor({ keepBytes, spoolFile, onOutput, outputFilter }: CommandRequest) {
    this.#filter = outputFilter?.();
    const collector = new OutputCollector(keepBytes);
    this.#collector = collector;
    this.#spool = spoolFile === undefined ? undefined : new OutputSpool(spoolFile);
    this.#announcer =
      onOutput === undefined ? undefined : new OutputAnnouncer(onOutput, (limit) => collector.newest(limit));
  }

  readonly take: TakeOutput = (chunk) => {
    this.#lastAt = performance.now();
    if (this.#filter === undefined) return this.#takeIn(chunk);
    this.#pause ??= setTimeout(() => void this.#tellHeld(), PAUSE_MS);
    const told = this.#filter.push(chunk);
    return told.length === 0 ? this.#pending : this.#takeIn(told);
  };

  /** Output stands still: what the filter holds back need not wait for more. */
  async #tellHeld(): Promise<void> {
    this.#pause = undefined;
    const pending = this.#pending;
    await pending;
    if (this.#filter === undefined || this.#isClosed) return;
    const silentMs = performance.now() - this.#lastAt;
    // The file takes one piece after the other, and somebody may have begun with one.
    if (pending !== this.#pending || silentMs < PAUSE_MS / 2) {
      this.#pause ??= setTimeout(() => void this.#tellHeld(), PAUSE_MS);
      return;
    }
    const told = this.#filter.pause();
    if (told.length > 0) void this.#takeIn(told);
  }

  #takeIn(chunk: Buffer): Promise<void> | undefined {
    for (const listener of this.#listeners) listener(chunk);
    const spooling = this.#spool !== undefined && !this.#spool.closed;
    if (spooling && !this.#keepsAll && this.#collector.wouldOverflow(chunk.length)) {
      this.#pending = this.#spool?.write(Buffer.concat([this.#collector.everything(), chunk]));
    } else if (spooling && (this.#keepsAll || this.#collector.overflowed)) {
      this.#pending = this.#spool?.write(chunk);
    } else {
      this.#pending = undefined;
    }
    this.#collector.add(chunk);
    this.#announcer?.changed();
    return this.#pending;
  }

  /** When the last byte came, as `performance.now()` says; at first when the command began. */
  get lastAt(): number {
    return this.#lastAt;
  }

  get totalBytes(): number {
    return this.#collector.totalBytes;
  }

  /** From now on the file holds everything up to `limit` bytes, also what would fit into memory. */
  keepAll(limit: number): void {
    if (this.#keepsAll || this.#spool === undefined || this.#spool.closed) return;
    this.#spool.limitTo(limit);
    if (!this.#collector.overflowed) void this.#spool.write(this.#collector.everything());
    this.#keepsAll = true;
  }

  /** The file is as long as the output, when it is written at all. */
  async flush(): Promise<void> {
    await this.#pending;
    await this.#spool?.flush();
  }

  newest(limit: number): string {
    return this.#collector.newest(limit);
  }

  since(offset: number, isWhole: boolean): NewOutput {
    return this.#collector.since(offset, isWhole);
  }

  /** Until the returned function is called. */
  listen(listener: OutputListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Nothing is announced any more; the output is still taken. */
  mute(): void {
    this.#announcer?.stop();
  }

  /** Resolves when the last chunk is in the spool. */
  async settled(): Promise<void> {
    await this.#pending;
  }

  /** Where the file is and how much of the output it holds; nothing when none was written. */
  spooled(): Pick<CommandOutcome, 'spoolFile' | 'spooledBytes'> {
    const spool = this.#spool;
    return spool === undefined || spool.writtenBytes === 0
      ? {}
      : { spoolFile: spool.path, spooledBytes: spool.writtenBytes };
  }

  collected(): Pick<CommandOutcome, 'head' | 'tail' | 'totalBytes' | 'omittedBytes' | 'spoolFile' | 'spooledBytes'> {
    return { ...this.#collector.collected(), ...this.spooled() };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    await this.#pending;
    const rest = this.#filter?.end();
    if (rest !== undefined && rest.length > 0) await this.#takeIn(rest);
    this.#announcer?.stop();
    await this.#spool?.close();
  }
}
