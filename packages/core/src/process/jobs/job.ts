import type { CommandOutcome } from '../command-types.js';
import type { LiveCommand } from '../live-command.js';

/** Output of a job, and how much of it was left out between `head` and `tail`. */
export interface JobOutput {
  readonly head: string;
  readonly tail: string;
  readonly omittedBytes: number;
}

/** What a job changed in the workspace since the call that started it returned; absolute canonical paths. */
export interface JobChanges {
  readonly created: readonly string[];
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
  /** One sentence when not all of it is known, or can be undone. */
  readonly uncovered?: string;
}

/** A command in the background. */
export class Job {
  readonly id: string;
  readonly command: string;
  /** Absolute. */
  readonly directory: string;
  readonly live: LiveCommand;
  #seen = 0;
  #why: string | undefined;
  #endSeen = false;
  #waitSeenAt: number | undefined;
  #changes: JobChanges | undefined;
  #following: Promise<unknown> = Promise.resolve();

  constructor(id: string, live: LiveCommand, what: { readonly command: string; readonly directory: string }) {
    this.id = id;
    this.live = live;
    this.command = what.command;
    this.directory = what.directory;
  }

  /** What it changed since its call returned, as far as it was looked at; absent when nobody looks. */
  get changes(): JobChanges | undefined {
    return this.#changes;
  }

  /** True once the model was told how it ended. */
  get endSeen(): boolean {
    return this.#endSeen;
  }

  /** The model is being told how it ended, when it has. */
  noteEndSeen(): void {
    if (this.outcome !== undefined) this.#endSeen = true;
  }

  /** True while the model knows that it waits for input: it printed nothing since that was told. */
  get waitSeen(): boolean {
    return this.#waitSeenAt === this.live.totalBytes;
  }

  noteWaitSeen(): void {
    this.#waitSeenAt = this.live.totalBytes;
  }

  /** Somebody finds out what it changes, until after its end. `changes` must not reject. */
  follow(changes: Promise<JobChanges>): void {
    this.#following = changes.then((found) => (this.#changes = found));
  }

  /** Resolves once it has ended and what it changed is known. */
  async settled(): Promise<void> {
    await this.live.ended;
    await this.#following;
  }

  /** Undefined while it runs. */
  get outcome(): CommandOutcome | undefined {
    return this.live.outcome;
  }

  /** Why it was ended by us, where nobody asked for it. */
  get endedBecause(): string | undefined {
    return this.#why;
  }

  /** How many bytes of its output were shown already. */
  get seenBytes(): number {
    return this.#seen;
  }

  /** What it printed since the last look. It counts as seen from now on. */
  async look(): Promise<JobOutput> {
    await this.live.flush();
    const { head, tail, omittedBytes, next } = this.live.since(this.#seen);
    this.#seen = next;
    return { head, tail, omittedBytes };
  }

  /** Ends it for a reason of our own. */
  async endBecause(why: string): Promise<void> {
    if (this.outcome !== undefined) return;
    this.#why = why;
    await this.live.stop('stopped');
  }
}
