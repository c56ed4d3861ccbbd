import { join } from 'node:path';
import type { KeySource } from '../models/key-source.js';
import { commandWords, isPlainCommand } from '../mcp/command-words.js';
import { ModelError } from '../models/model-error.js';
import { abortable } from '../util/abort.js';
import { askForKey, type KeyCommandPlace } from './ask-for-key.js';

/** What runs the command when a key is needed. @throws ModelError `auth` for what is no command */
export function printedKeys(command: string | readonly string[], place: KeyCommandPlace): KeySource {
  const argv = isPlainCommand(command) ? commandWords(command) : undefined;
  if (argv === undefined)
    throw new ModelError('model.apiKeyCommand is no command: a list of words, or a text that needs no shell.', {
      kind: 'auth',
    });
  const [program, ...args] = argv;
  const own = program.startsWith('~/') ? join(place.userHome, program.slice(2)) : program;
  return new PrintedKeys(async () => askForKey([own, ...args], place));
}

/** Asks when a key is needed and keeps what was printed. Requests that need one at once share one run. */
class PrintedKeys implements KeySource {
  readonly #ask: () => Promise<string>;
  #asking: Promise<string> | undefined;
  #newest: string | undefined;
  #held: readonly string[] = [];
  #hasFailed = false;

  constructor(ask: () => Promise<string>) {
    this.#ask = ask;
  }

  async get(signal: AbortSignal): Promise<string> {
    return this.#newest ?? this.#run(signal);
  }

  async insteadOf(refused: string, signal: AbortSignal): Promise<string> {
    const newest = this.#asking === undefined ? this.#newest : undefined;
    return newest !== undefined && newest !== refused ? newest : this.#run(signal);
  }

  held(): readonly string[] {
    return this.#held;
  }

  hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** It is not given up with one of those that wait: its time is limited, and the next request wants the key as well. */
  #run(signal: AbortSignal): Promise<string> {
    this.#asking ??= this.#ask()
      .then(
        (key) => {
          this.#newest = key;
          this.#hasFailed = false;
          if (!this.#held.includes(key)) this.#held = [...this.#held, key];
          return key;
        },
        (thrown: unknown) => {
          this.#hasFailed = true;
          throw thrown;
        },
      )
      .finally(() => (this.#asking = undefined));
    return abortable(this.#asking, signal);
  }
}
