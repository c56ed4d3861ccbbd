import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { ContentStore } from './content-store.js';
import type { OnStep } from './durable-file.js';
import { PendingIntents } from './intent.js';
import type { JournalEntry } from './journal-entry.js';
import { JournalLog } from './journal-log.js';
import type { CommittedTransaction, Journal, TransactionRequest } from './journal.js';
import { locksFolderOf } from './locks-folder.js';
import { PathLocks } from './path-locks.js';
import { recoverJournal } from './recover.js';
import type { TransactionServices } from './transaction-services.js';
import { commitTransaction } from './transaction.js';

/** Below, a copy costs little, and nobody who has the old file open still can write to it. */
const ADOPT_FROM_BYTES = 1024 * 1024;

export interface FileJournalOptions {
  readonly gate: WorkspaceGate;
  /** Absolute; made when it is first needed. */
  readonly folder: string;
  /** Absolute; the same for all journals whose projects may overlap. */
  readonly locksFolder?: string;
  /** Old files of this size and more are taken over, not copied. */
  readonly adoptFromBytes?: number;
  /** Told of each step that leaves a trace on the disk, for tests that stop there. */
  readonly onStep?: OnStep;
}

/** The journal of one project, in files of the user's data folder. */
export class FileJournal implements Journal {
  readonly #services: TransactionServices;
  #lastTime = 0;
  #count = 0;
  #isFirst = true;
  #recovery: Promise<readonly string[]> | undefined;

  constructor({
    gate,
    folder,
    locksFolder = locksFolderOf(folder),
    adoptFromBytes = ADOPT_FROM_BYTES,
    onStep = () => undefined,
  }: FileJournalOptions) {
    this.#services = {
      gate,
      onStep,
      adoptFromBytes,
      contents: new ContentStore(join(folder, 'blobs'), onStep),
      log: new JournalLog(join(folder, 'entries')),
      pending: new PendingIntents(join(folder, 'pending')),
      locks: new PathLocks(locksFolder),
    };
  }

  async entries(): Promise<{ readonly entries: readonly JournalEntry[]; readonly problems: readonly string[] }> {
    const told = await this.recover();
    const { entries, problems } = await this.#services.log.read();
    return { entries, problems: [...told, ...problems] };
  }

  /** Those whose ids sort after this one, in the order of the log; as far as they can be read. */
  async entriesAfter(id: string): Promise<readonly JournalEntry[]> {
    return (await this.#services.log.read(id)).entries;
  }

  content(hash: string): Promise<Buffer | undefined> {
    return this.#services.contents.read(hash);
  }

  keep(bytes: Uint8Array, durable: boolean): Promise<string> {
    return this.#services.contents.keep(bytes, durable);
  }

  record(entry: JournalEntry): Promise<void> {
    return this.#services.log.append(entry);
  }

  newId(): string {
    // Sorts by time even when the clock was set back: what was changed last must be taken back first.
    const clock = Date.now();
    if (this.#isFirst || clock < this.#lastTime) this.#goAfter(this.#services.log.newestId());
    this.#isFirst = false;
    const time = Math.max(clock, this.#lastTime);
    this.#count = time === this.#lastTime ? this.#count + 1 : 0;
    this.#lastTime = time;
    const parts = [time.toString(36).padStart(9, '0'), this.#count.toString(36).padStart(4, '0')];
    return `${parts.join('-')}-${randomBytes(4).toString('hex')}`;
  }

  #goAfter(newest: string | undefined): void {
    const [, time = '', count = ''] = /^([0-9a-z]{9})-([0-9a-z]{4,})-/.exec(newest ?? '') ?? [];
    const [lastTime, lastCount] = [Number.parseInt(time, 36), Number.parseInt(count, 36)];
    // Also where it is no number.
    if (!(lastTime >= this.#lastTime)) return;
    this.#count = lastTime === this.#lastTime ? Math.max(this.#count, lastCount) : lastCount;
    this.#lastTime = lastTime;
  }

  async commit(request: TransactionRequest): Promise<CommittedTransaction> {
    await this.recover();
    return commitTransaction(this.#services, request, this.newId());
  }

  /** Deals with what processes left undone that ended in the middle, once; sentences for people, oldest first. */
  recover(): Promise<readonly string[]> {
    this.#recovery ??= recoverJournal(this.#services).catch((thrown: unknown) => {
      this.#recovery = undefined;
      throw thrown;
    });
    return this.#recovery;
  }
}
