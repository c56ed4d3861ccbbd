import { splitWords } from '../util/split-words.js';

const REFERENCE = /\$\{[^}]*\}/g;
/** Of the private use area: no command has them. */
const MARK = /\uE000(\d+)\uE001/g;

/**
 * The words of a command that is a text or a list of words, `${…}` as it is written. Undefined for what is no command, or
 * cannot be split without a shell. Pure.
 */
export function commandWords(value: unknown): [string, ...string[]] | undefined {
  if (typeof value === 'string') return splitCommand(value);
  if (!Array.isArray(value)) return undefined;
  const [program, ...args]: readonly unknown[] = value;
  if (!isWord(program) || program === '' || !args.every(isWord)) return undefined;
  return [program, ...args];
}

/** Whether it is a command that needs no shell and nothing put in place of `${…}`. Pure. */
export function isPlainCommand(value: unknown): boolean {
  const isFilled = typeof value === 'string' && value.includes('${');
  return !isFilled && commandWords(value) !== undefined;
}

/** A shell would split and expand what a variable holds; here it stays one word. */
function splitCommand(text: string): [string, ...string[]] | undefined {
  const references: string[] = [];
  const marked = text.replaceAll(REFERENCE, (reference) => `\uE000${references.push(reference) - 1}\uE001`);
  const restored = (word: string): string =>
    word.replaceAll(MARK, (whole, index: string) => references[Number(index)] ?? whole);
  // A path below the home is one everywhere.
  const inHome = marked.startsWith('~/');
  try {
    const [program, ...args] = splitWords(inHome ? marked.slice(2) : marked, {
      keepsBackslashes: process.platform === 'win32',
    });
    return [`${inHome ? '~/' : ''}${restored(program)}`, ...args.map(restored)];
  } catch {
    return undefined;
  }
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
