import { AsyncLocalStorage } from 'node:async_hooks';
import { isWithin } from '../util/paths-below.js';
import { EnvFiles, readSmall } from './env-files.js';
import { gatherSecrets, type SecretChoice } from './gather-secrets.js';
import { mapTexts, textsIn } from './hide-deep.js';
import { hideText } from './hide-text.js';
import type { KnownSecret } from './known-secret.js';
import { OutputHider } from './output-hider.js';
import { nameOfPlaceholder, placeholderOf, placeholdersIn, replacePlaceholders } from './placeholder.js';
import { SecretFinder } from './secret-finder.js';

export interface SecretsOptions extends SecretChoice {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whose environment files are read, absolute. */
  readonly roots: readonly string[];
  /** Makes the hashes in placeholders; the same for all sessions of a project. Asked for when it is first needed. */
  readonly key: () => Buffer;
  /** Those of Tenon and its servers. */
  readonly known?: readonly KnownSecret[];
  /** More of them, got while it runs; the very same list until there is another. */
  readonly later?: () => readonly KnownSecret[];
}

/** What a placeholder stands for by now. */
export interface HeldSecret {
  readonly name: string;
  readonly text: string;
}

/** The secrets that the commands of one call get. */
export interface LentSecrets {
  /** The values of the placeholders in the command. */
  readonly placeholders: ReadonlyMap<string, string>;
  /** False if the command gets no environment variables that hold secrets. */
  readonly hasEnvironment: boolean;
}

const MOST_REMEMBERED = 5000;
/** The most files of a command that are searched. */
const MOST_LOOKED_AT = 100;
/** Texts in which there is nothing are remembered, so many of such a length: for shorter ones it does not pay. */
const MOST_CLEAN = 8;
const [SHORTEST_CLEAN, LONGEST_CLEAN] = [512, 256 * 1024];
/** Bytes at the beginning of a content, among which a zero says that it is no text. */
const LOOKED_AT = 8192;

/** The secrets of a session: hides them in whatever is told or written, and knows what placeholders stand for. */
export class Secrets {
  readonly #options: SecretsOptions;
  readonly #files: EnvFiles;
  readonly #given = new AsyncLocalStorage<LentSecrets>();
  /** What was hidden in this session, by its placeholder. */
  readonly #seen = new Map<string, HeldSecret>();
  #fileValues: ReturnType<EnvFiles['values']> | undefined;
  #known: readonly KnownSecret[] = [];
  #later: readonly KnownSecret[] | undefined;
  #finder: SecretFinder | undefined;
  /** Texts in which the finder found nothing, of late: one result is looked at on its way to the model, to the person and to the log. */
  readonly #clean = new Set<string>();
  #key: Buffer | undefined;
  #version = 0;

  constructor(options: SecretsOptions) {
    this.#options = options;
    this.#files = new EnvFiles(options.roots);
  }

  /** Grows when more is known: what was hidden before may hold something that is a secret now. */
  get version(): number {
    this.refresh();
    return this.#version;
  }

  /** All that is known by its value. */
  list(): readonly KnownSecret[] {
    this.refresh();
    return this.#known;
  }

  /** Looks whether environment files changed. Costs a few looks at the disk. */
  refresh(): void {
    const values = this.#files.values();
    if (this.#finder !== undefined && values === this.#fileValues && !this.#hasMore()) return;
    this.#fileValues = values;
    this.#later = this.#options.later?.();
    const known = [...(this.#options.known ?? []), ...(this.#later ?? [])];
    this.#known = gatherSecrets({ ...this.#options, known, files: values });
    this.#finder = new SecretFinder(this.#known);
    this.#clean.clear();
    this.#version += 1;
  }

  /**
   * Files that a call that begins reads or changes: an environment file among them is one to know the values of. Resolves when those
   * are known that lie anywhere below the roots. Never rejects.
   */
  async noteFiles(files: readonly string[]): Promise<void> {
    for (const file of files) this.#files.name(file);
    await this.#files.searched();
  }

  /** Looks for environment files in all folders, where that was not done a moment ago. While the model answers nobody waits for it. */
  readonly lookAround = (): Promise<void> => this.#files.search();

  /** The text with placeholders in place of secrets; the very same where there are none. */
  readonly hide = (text: string): string => {
    return hideText(text, this.#finderNow(), this.#keyNow(), (placeholder, secret, { name }) =>
      this.#remember(placeholder, { name, text: secret }),
    );
  };

  /** Bytes of a text, whatever its encoding; what is no text stays as it is. */
  hideBytes(bytes: Buffer): Buffer {
    if (bytes.subarray(0, LOOKED_AT).includes(0)) return bytes;
    const text = bytes.toString('latin1');
    const hidden = this.hide(text);
    return hidden === text ? bytes : Buffer.from(hidden, 'latin1');
  }

  /** Plain data with its texts hidden. */
  readonly hideIn = <T>(value: T): T => (this.#mayHold(value) ? mapTexts(value, this.hide) : value);

  /** False for sure where no text of it holds a secret: looking through all at once is far quicker than through each. */
  #mayHold(value: unknown): boolean {
    const texts = textsIn(value);
    if (texts === undefined) return true;
    const finder = this.#finderNow();
    const clean = this.#clean;
    const unknown = texts.filter((text) => !clean.has(text));
    // What stands between the texts is part of no secret and of no word of one; codes for terminals might go over it.
    const joined = unknown.join('\0\n');
    if (joined.includes('\u001b') || finder.maySecrets(Buffer.from(joined, 'latin1'))) return true;
    for (const text of unknown) if (isWorthKeeping(text)) clean.add(text);
    for (const text of clean) if (clean.size > MOST_CLEAN) clean.delete(text);
    return false;
  }

  /** For the output of one command. */
  readonly outputFilter = (): OutputHider => {
    this.refresh();
    return new OutputHider({ finder: () => this.#finderNow(), key: this.#keyNow() });
  };

  /** What placeholders stand for in a text in which they were hidden. */
  within(text: string): ReadonlyMap<string, HeldSecret> {
    this.refresh();
    const held = new Map<string, HeldSecret>();
    // A placeholder that stands there as it is means itself.
    const literal = new Set(placeholdersIn(text));
    hideText(text, this.#finderNow(), this.#keyNow(), (placeholder, secret, { name }) => {
      if (!literal.has(placeholder)) held.set(placeholder, { name, text: secret });
    });
    return held;
  }

  /** What a placeholder stands for; undefined where nobody knows (any more). */
  meaning(placeholder: string): HeldSecret | undefined {
    this.refresh();
    const key = this.#keyNow();
    const name = nameOfPlaceholder(placeholder);
    const known = this.#known.find((each) => {
      if (each.name !== name) return false;
      const bare = each.isOther === true ? {} : { value: each.value };
      return placeholderOf({ name, ...bare }, each.value, key) === placeholder;
    });
    return known === undefined ? this.#seen.get(placeholder) : { name, text: known.value };
  }

  /** Gives these secrets to the commands that `work` starts. */
  lend<T>(given: LentSecrets, work: () => T): T {
    return this.#given.run(given, work);
  }

  /** Returns the secrets that were given to the command being started; undefined outside of `lend`. */
  lent(): LentSecrets | undefined {
    return this.#given.getStore();
  }

  /** Returns the variables that the command being started must not get, because nobody approved it. */
  withheldFrom(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    if (this.lent()?.hasEnvironment !== false) return {};
    return Object.fromEntries(Object.entries(environment).filter(([, value]) => this.#isSecret(value)));
  }

  /** Returns the names of the environment variables that hold secrets, sorted. */
  variables(): readonly string[] {
    const all = Object.entries(this.#options.environment);
    return all.flatMap(([name, value = '']) => (this.#isSecret(value) ? [name] : [])).toSorted();
  }

  /**
   * Returns the first of these places, absolute and canonical, that holds a secret. A folder with all below it (`isTree`) stands for the
   * known environment files in it. Searches 100 files of at most 1 MiB.
   */
  fileWithSecrets(places: readonly { readonly path: string; readonly isTree: boolean }[]): string | undefined {
    this.refresh();
    const trees = places.filter(({ isTree }) => isTree);
    const known = new Set(this.#files.values().map(({ file }) => file));
    const below = [...known].filter((file) => trees.some(({ path }) => isWithin(file, path)));
    const named = places.flatMap(({ path, isTree }) => (isTree ? [] : [path]));
    return [...below, ...named].slice(0, MOST_LOOKED_AT).find((file) => this.#isSecret(readSmall(file)));
  }

  #isSecret(value: string): boolean {
    return this.#finderNow().find(value).length > 0;
  }

  #hasMore(): boolean {
    return this.#options.later?.() !== this.#later;
  }

  #finderNow(): SecretFinder {
    if (this.#finder === undefined || this.#hasMore()) this.refresh();
    this.#finder ??= new SecretFinder([]);
    return this.#finder;
  }

  #keyNow(): Buffer {
    this.#key ??= this.#options.key();
    return this.#key;
  }

  #remember(placeholder: string, held: HeldSecret): void {
    if (this.#seen.size >= MOST_REMEMBERED && !this.#seen.has(placeholder)) {
      const [oldest] = this.#seen.keys();
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
    this.#seen.set(placeholder, held);
  }
}

/** Puts back what placeholders stand for; what nobody knows stays. */
export function putBack(text: string, held: ReadonlyMap<string, Pick<HeldSecret, 'text'>>): string {
  return replacePlaceholders(text, (placeholder) => held.get(placeholder)?.text);
}

function isWorthKeeping({ length }: string): boolean {
  return length >= SHORTEST_CLEAN && length <= LONGEST_CLEAN;
}
