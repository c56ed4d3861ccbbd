import type { PathUse, ProgramFacts } from '../program-facts.js';
import { shownText, type ShellWord } from '../words/shell-word.js';

/** A command that may run. */
export interface CommandUse {
  /** As it was written, white space folded; of one that another command starts, its words. */
  readonly text: string;
  readonly words: readonly ShellWord[];
  /** Set if variables stand in front of it, and none of them changes what a rule for it means. */
  readonly keepsRules?: boolean;
  /** Where it may run; undefined: anywhere. */
  readonly folders: readonly string[] | undefined;
  readonly facts: ProgramFacts;
}

/** A file that the shell itself opens for a command. */
export interface FileUse {
  readonly path: PathUse;
  /** Number of the descriptor that it gets, where that is told; none for names that the shell only lists. */
  readonly descriptor?: number | undefined;
  readonly folders: readonly string[] | undefined;
}

/** What a script may do, in the order in which it was come upon, each thing once. */
export class WalkRecord {
  readonly commands: CommandUse[] = [];
  readonly files: FileUse[] = [];
  readonly unknown = new Set<string>();
  /** Texts of commands that were written down without being followed. */
  readonly listed = new Set<string>();
  readonly #seen = new Set<string>();

  doubt(reason: string): void {
    this.unknown.add(reason);
  }

  command(use: CommandUse): void {
    for (const reason of use.facts.unknown) this.unknown.add(reason);
    // The same words may do more in another place, as with another input.
    const { paths, addresses, isComplete } = use.facts;
    const facts = [isComplete, addresses.map(keyOf), paths.map((path) => [path.kind, path.tree, keyOf(path.word)])];
    if (this.#isNew(['command', use.text, use.words.map(keyOf), facts], use.folders)) this.commands.push(use);
  }

  file(use: FileUse): void {
    if (this.#isNew(['file', use.path.kind, keyOf(use.path.word), use.descriptor], use.folders)) this.files.push(use);
  }

  /** Names that the shell itself reads, to put them in the place of wildcards. */
  wildcards(words: readonly ShellWord[], folders: readonly string[] | undefined): void {
    for (const word of words) if (word.wildcardAt !== undefined) this.file({ path: { kind: 'read', word }, folders });
  }

  /** All that another one holds. */
  include(other: WalkRecord): void {
    for (const reason of other.unknown) this.doubt(reason);
    for (const use of other.commands) this.command(use);
    for (const use of other.files) this.file(use);
  }

  #isNew(parts: readonly unknown[], folders: readonly string[] | undefined): boolean {
    const key = JSON.stringify([parts, folders]);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}

function keyOf(word: ShellWord): string {
  return `${word.text === undefined ? '?' : '='}${shownText(word)}`;
}
