import { numberWord, openWord, type ShellWord } from './shell-word.js';

/** More words than these, and more characters in all, are left open. */
const MOST_FIELDS = 2_000;
const MOST_CHARACTERS = 20_000;

interface Field {
  start: string;
  pattern: string;
  isOpen: boolean;
  isNumber: boolean;
  wildcardAt: number | undefined;
  splits: boolean;
  /** Something stands in it, be it an empty pair of quotes: without that, nothing becomes of it. */
  isThere: boolean;
}

/** Builds the fields that one word of a command expands to, piece by piece. */
export class FieldBuilder {
  readonly #source: string;
  readonly #fields: Field[] = [];
  #last: Field | undefined;
  #characters = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Text that is taken as it is. */
  quoted(text: string): void {
    this.#add(text, text.replaceAll(/[*?[\]\\!^-]/g, '\\$&'));
  }

  /** The characters of a wildcard. */
  wildcard(text: string): void {
    const field = this.#current();
    if (!field.isOpen) field.wildcardAt ??= field.start.length;
    this.#add(text, text);
  }

  /** A value without quotes around it: blanks part it, wildcards in it count. */
  split(value: string): void {
    // A backslash may take the meaning off a wildcard, and sets may go on behind the value.
    if (/[\\[]/.test(value)) {
      this.open(true);
      return;
    }
    for (const piece of value.split(/([ \t\n]+|[*?])/)) {
      if (piece === '' || this.#isFull()) continue;
      if (/^[ \t\n]/.test(piece)) this.#last = undefined;
      else if (/^[*?]$/.test(piece)) this.wildcard(piece);
      else this.quoted(piece);
    }
  }

  /** Several words at once, as `"$@"` stands for them; what comes before and behind belongs to the first and the last. */
  words(words: readonly ShellWord[]): void {
    for (const [index, word] of words.entries()) {
      if (this.#isFull()) return;
      if (index > 0) this.#last = undefined;
      if (word.text === undefined || word.wildcardAt !== undefined) {
        this.quoted(word.wildcardAt === undefined ? word.start : '');
        this.open(word.splits);
      } else this.quoted(word.text);
    }
  }

  /** What is not known. `splits`: it may be several words, or none. */
  open(splits: boolean): void {
    const field = this.#current();
    field.isThere ||= !splits;
    field.isOpen = true;
    field.isNumber = false;
    field.splits ||= splits;
  }

  /** An integer that is not known. */
  number(): void {
    const field = this.#current();
    field.isNumber = field.start === '' && !field.isOpen;
    field.isThere = true;
    field.isOpen = true;
  }

  fields(): ShellWord[] {
    if (this.#isFull()) return [openWord(this.#source, { splits: true })];
    return this.#fields
      .filter(({ isThere, isOpen }) => isThere || isOpen)
      .map(({ start, pattern, isOpen, isNumber, wildcardAt, splits }) =>
        isNumber
          ? numberWord(this.#source)
          : {
              source: this.#source,
              text: isOpen ? undefined : start,
              start,
              wildcardAt,
              ...(wildcardAt !== undefined && !isOpen && { pattern }),
              splits,
            },
      );
  }

  #isFull(): boolean {
    return this.#fields.length > MOST_FIELDS || this.#characters > MOST_CHARACTERS;
  }

  #add(text: string, pattern: string): void {
    const field = this.#current();
    field.isThere = true;
    if (text !== '') field.isNumber = false;
    if (field.isOpen || this.#isFull()) return;
    this.#characters += text.length;
    field.start += text;
    field.pattern += pattern;
  }

  #current(): Field {
    if (this.#last === undefined) {
      this.#last = {
        start: '',
        pattern: '',
        isOpen: false,
        isNumber: false,
        wildcardAt: undefined,
        splits: false,
        isThere: false,
      };
      this.#fields.push(this.#last);
    }
    return this.#last;
  }
}
