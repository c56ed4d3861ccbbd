/**
 * One word of a command as far as it is certain before the shell runs. A word that is not certain is *open*: it
 * holds what a variable, a command or a wildcard puts in its place.
 */
export interface ShellWord {
  /** As it was written. */
  readonly source: string;
  /** After quoting and constant variables; wildcards stand in it as they are. Undefined where the word is open. */
  readonly text: string | undefined;
  /** What the word certainly begins with; all of it where it is not open. */
  readonly start: string;
  /** Place in `start` of the first wildcard that was not quoted: from there on it stands for names of files. */
  readonly wildcardAt: number | undefined;
  /** With wildcards: the same text with a backslash before each character that stands for itself. */
  readonly pattern?: string;
  /** It may become several words, or none. */
  readonly splits: boolean;
  /** Open, but certainly an integer in plain digits. */
  readonly isNumber?: true;
  /** With a wildcard at its beginning: each name that it stands for now is plain, so that no program takes it for an option. */
  readonly isNoOption?: true;
  /** It stands for any path below `text`, at any depth (`{}` of `find -exec`). */
  readonly isAnyBelow?: true;
}

/** A word that is exactly this text. */
export function constantWord(text: string, source = text): ShellWord {
  return { source, text, start: text, wildcardAt: undefined, splits: false };
}

/** A word of which only the beginning is certain. */
export function openWord(source: string, { start = '', splits = false } = {}): ShellWord {
  return { source, text: undefined, start, wildcardAt: undefined, splits };
}

/** Some integer, nobody knows which. */
export function numberWord(source: string): ShellWord {
  return { ...openWord(source), isNumber: true };
}

/** Certainly an integer in plain digits, so that arithmetic reads it as nothing else. */
export function isInteger({ text, isNumber, wildcardAt }: ShellWord): boolean {
  return isNumber === true || (wildcardAt === undefined && text !== undefined && /^-?(?:0|[1-9]\d{0,17})$/.test(text));
}

/** The text of a word that is certain and holds no wildcard. */
export function exactText({ text, wildcardAt, isAnyBelow }: ShellWord): string | undefined {
  return wildcardAt === undefined && isAnyBelow !== true ? text : undefined;
}

/** What to show and to compare rules with: the text where there is one, else the word as it was written. */
export function shownText({ text, source, isAnyBelow }: ShellWord): string {
  return isAnyBelow === true ? source : (text ?? source);
}

/** May the program take it for an option? */
export function mayBeOption({ start, text, wildcardAt, splits, isNoOption }: ShellWord): boolean {
  if (isNoOption === true) return false;
  if (splits || start.startsWith('-')) return start !== '-' || text === undefined;
  // A name in the folder may begin with a dash, and so may what a variable holds.
  return wildcardAt === 0 || (start === '' && text === undefined);
}

/** The same as far as anything is known of them. */
export function isSameWord(a: ShellWord, b: ShellWord): boolean {
  return (
    a.text === b.text &&
    a.start === b.start &&
    a.wildcardAt === b.wildcardAt &&
    a.pattern === b.pattern &&
    a.splits === b.splits &&
    a.isNumber === b.isNumber &&
    a.isAnyBelow === b.isAnyBelow &&
    a.isNoOption === b.isNoOption
  );
}
