import { knownOptions, strangeOption, wildcardInOptionPlace } from './known-options.js';

/** Without `-f`, whose script nobody has seen, `-l`, which takes a value on some systems only, and without a folder in the suffix of `-i`. */
const OPTIONS = knownOptions(
  '-n -r -s -u -z -E -e= -i= --debug --expression --in-place --null-data --posix --quiet',
  '--regexp-extended --sandbox --separate --silent --unbuffered',
);

/** The part of a `sed` command that can run a program or touch a file that only the script names; undefined when there is none. */
export function strangeInSed(args: readonly string[]): string | undefined {
  const strange = strangeOption(args, OPTIONS) ?? args.find(hasFolderInSuffix) ?? wildcardInOptionPlace(args);
  if (strange !== undefined) return strange;
  const { scripts, operands } = readArguments(args);
  // Where the suffix of `-i` is a word of its own (BSD), an empty first word is that suffix.
  const texts = scripts.length > 0 ? scripts : operands.slice(0, operands[0] === '' ? 2 : 1);
  return isKnownScript(texts.join('\n')) ? undefined : 'with a script that may run, read or write';
}

function hasFolderInSuffix(word: string): boolean {
  return /^(?:-[nrsuzE]*i|--in-place=).*[/*\\]/.test(word);
}

/** Where the operands stand that are files, and what `-i` puts behind their names for a copy; undefined: nothing is written. */
export function operandsOfSed(args: readonly string[]): {
  readonly files: readonly number[];
  readonly suffix: string | undefined;
} {
  const { scripts, places, operands } = readArguments(args);
  const texts = scripts.length > 0 ? 0 : operands[0] === '' ? 2 : 1;
  const inPlace = args.flatMap((word) => /^(?:-[nrsuzE]*i|--in-place=?)([^]*)$/.exec(word)?.[1] ?? []);
  return { files: places.slice(texts), suffix: inPlace.at(-1) };
}

/** The word behind an `-i` that stands alone: there, BSD takes it for the suffix. */
export function bareSuffixOfSed(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => /^-[nrsuzE]*i$/.test(word));
  return at === -1 ? undefined : args[at + 1];
}

function readArguments(args: readonly string[]): { scripts: string[]; operands: string[]; places: number[] } {
  const scripts: string[] = [];
  const operands: string[] = [];
  const places: number[] = [];
  let onlyOperands = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (onlyOperands || !word.startsWith('-') || word === '-') {
      operands.push(word);
      places.push(at);
      continue;
    }
    const attached = /^(?:-[nrsuzE]*e|--expression=)([^]*)$/.exec(word)?.[1];
    if (word === '--') onlyOperands = true;
    else if (word === '--expression' || attached === '') scripts.push(args[(at += 1)] ?? '');
    else if (attached !== undefined) scripts.push(attached);
  }
  return { scripts, operands, places };
}

/** An address: a line number, `$`, a step, a count from the first, or a pattern. */
const ADDRESS = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/;
/** Commands that take no argument but a number. */
const PLAIN_COMMAND = /^(?:[pPdDgGhHnNxzFlLqQ=]\s*\d*|\{|\})/;
/** Text up to the end of the line, or a label. Labels may end at `;`: what follows is then read as a command, which it may be. */
const TEXT_COMMAND = /^(?:[aic](?:[^\n])*|[bt:T][ \t]*[\w.-]*|#[^\n]*)/;
const SUBSTITUTE_FLAGS = /^[gpiImM\d]*/;

/**
 * Whether the script is made of known commands only: no `e`, `w`, `W`, `r`, `R`, no flag `e` or `w`, and
 * nothing that versions of `sed` read in different ways. Where it ends early, the rest is not known.
 */
function isKnownScript(script: string): boolean {
  let rest = script;
  for (;;) {
    rest = rest.replace(/^[\s;]+/, '');
    if (rest === '') return true;
    const after = skipAddresses(rest);
    const next = after === undefined ? undefined : skipCommand(after.replace(/^\s*!?\s*/, ''));
    if (next === undefined) return false;
    rest = next;
  }
}

function skipAddresses(text: string): string | undefined {
  let rest = text;
  for (let count = 0; count < 2; count += 1) {
    const plain = ADDRESS.exec(rest)?.[0];
    if (plain !== undefined) rest = rest.slice(plain.length);
    else if (/^[/\\]/.test(rest)) {
      const after = skipPart(rest.startsWith('\\') ? rest.slice(1) : rest, true);
      if (after === undefined) return undefined;
      rest = after.slice(1).replace(/^[IM]*/, '');
    } else return rest;
    const comma = /^\s*,\s*/.exec(rest)?.[0];
    if (comma === undefined) return rest;
    rest = rest.slice(comma.length);
  }
  return rest;
}

function skipCommand(text: string): string | undefined {
  const isSubstitute = text.startsWith('s');
  if (!isSubstitute && !text.startsWith('y')) {
    const simple = PLAIN_COMMAND.exec(text)?.[0] ?? TEXT_COMMAND.exec(text)?.[0];
    return simple === undefined ? undefined : text.slice(simple.length);
  }
  if (isSubstitute && !isHarmlessToOlder(text)) return undefined;
  const second = skipPart(text.slice(1), isSubstitute);
  const end = second === undefined ? undefined : skipPart(second, false);
  if (end === undefined) return undefined;
  const flags = isSubstitute ? (SUBSTITUTE_FLAGS.exec(end.slice(1))?.[0] ?? '') : '';
  const rest = end.slice(1 + flags.length);
  return /^(?:$|[\s;}])/.test(rest) ? rest : undefined;
}

/** From a delimiter to the next one, which starts what is returned. In a set such as `[^/]` it is itself. */
function skipPart(text: string, isPattern: boolean): string | undefined {
  const delimiter = text.charAt(0);
  if (!/^[^\\\n\w\s;[\]]$/.test(delimiter)) return undefined;
  for (let at = 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === delimiter) return text.slice(at);
    if (isPattern && char === '\n') return undefined;
    if (char === '\\') at += 1;
    else if (isPattern && char === '[') {
      const set = SET.exec(text.slice(at, at + LONGEST_SET))?.[0];
      if (set === undefined || /\\[\]\\]/.test(set) || set.includes(`\\${delimiter}`)) return undefined;
      at += set.length - 1;
    }
  }
  return undefined;
}

const LONGEST_SET = 256;
const SET = /^\[\^?\]?(?:\[:\w+:\]|[^\]\n[])*\]/;

/** What an older `sed`, to which a delimiter in a set ends the pattern, would take for the flags: it must not find `w` or `e` there. */
function isHarmlessToOlder(text: string): boolean {
  const delimiter = text.charAt(1);
  const parts = text.slice(2).replaceAll(/\\[^]/g, '').split(delimiter);
  return !/^[gpiImM\d]*[ew]/.test(parts[2] ?? '');
}
