import { statSync } from 'node:fs';
import { addToHistoryFile, KEPT_ENTRIES, pruneHistoryFile, readHistoryFile } from './history-file.js';

export interface PromptHistoryOptions {
  /** Absolute; undefined: nothing is kept beyond the session. */
  readonly file?: string | undefined;
  readonly now?: () => Date;
  /** What is kept passes through it: it holds no secrets. */
  readonly hide?: (text: string) => string;
  /** Told once, when prompts cannot be read or kept. Unclean text. */
  readonly onProblem?: (problem: string) => void;
}

/** What was prompted in this project, by this session and others: read when it is first asked for, and again when it changed. */
export class PromptHistory {
  readonly #options: PromptHistoryOptions;
  /** Of this session, with what the file does not hold. */
  readonly #own: string[] = [];
  #read: readonly string[] = [];
  #stamp = '';
  #entries: readonly string[] | undefined;
  #isTold = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: PromptHistoryOptions = {}) {
    this.#options = options;
  }

  /** Newest first, each text once. */
  entries(): readonly string[] {
    this.#refresh();
    if (this.#entries === undefined) {
      // What this session prompted is the newest for it, whatever others have added since.
      const all = [...this.#own.toReversed(), ...this.#read.toReversed()];
      this.#entries = [...new Set(all)].slice(0, KEPT_ENTRIES);
    }
    return this.#entries;
  }

  /** Prompts that begin with a blank, empty ones, and the same once more are not kept. */
  add(given: string): void {
    const text = this.#options.hide?.(given) ?? given;
    if (text.trim() === '' || /^\s/.test(text) || this.#own.at(-1) === text) return;
    this.#own.push(text);
    this.#entries = undefined;
    const { file, now = () => new Date() } = this.#options;
    if (file === undefined) return;
    this.#writing = this.#writing.then(async () => this.#tell(await addToHistoryFile(file, text, now())));
  }

  /** Resolves when everything is in the file. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #refresh(): void {
    const { file } = this.#options;
    if (file === undefined) return;
    const info = statSync(file, { throwIfNoEntry: false });
    const stamp = info === undefined ? '' : `${info.ino} ${info.size} ${info.mtimeMs}`;
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    const { texts, problem } = readHistoryFile(file);
    this.#tell(problem === undefined ? undefined : `${file}: ${problem}`);
    this.#read = texts;
    this.#entries = undefined;
    if (texts.length > 2 * KEPT_ENTRIES) this.#writing = this.#writing.then(async () => pruneHistoryFile(file));
  }

  #tell(problem: string | undefined): void {
    if (problem === undefined || this.#isTold) return;
    this.#isTold = true;
    this.#options.onProblem?.(`Earlier prompts cannot be kept: ${problem}`);
  }
}
