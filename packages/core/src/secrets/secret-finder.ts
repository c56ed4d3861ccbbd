import { BARE_KEY_PATTERN, KEY_PATTERNS, PRIVATE_KEY_PATTERN, type SecretPattern } from '../memory/secret-patterns.js';
import { encodedForms } from './encoded-forms.js';
import { GRAM, GramScan } from './gram-scan.js';
import type { FoundSecret, KnownSecret } from './known-secret.js';
import { MarkScan } from './mark-scan.js';
import { isSecretValue, isWrittenPassword, looksMade, SHORTEST_VALUE, tells } from './secret-value.js';
import { visibleText } from './visible-text.js';

interface Form {
  readonly text: string;
  readonly secret: KnownSecret;
  /** Parts of it are hidden as well. */
  readonly isTelling: boolean;
  /** How many of its first characters anybody knows. */
  readonly known: number;
}

interface Place {
  readonly form: Form;
  readonly offset: number;
}

/** How every key of a kind begins. */
const COMMON_START =
  /^(?:sk-(?:[a-z]+-)*(?:api\d\d-)?|[rs]k_(?:live|test)_|github_pat_|gh[pousr]_|gl[a-z]+-|xox[a-z]-|npm_|pypi-|whsec_|eyJ[\w-]*\.|[A-Za-z]{2,12}[_-])/;
/** A line of a key, behind the name of a file, a number, the mark of a diff and a quote. */
const ARMOR_LINE =
  /^(?:\S{0,512}:)?[ \t]*(?:\d{1,12}[ \t:|→-]{1,4})?[ \t]*[+-]?[ \t"'`]{0,64}(?<body>[A-Za-z0-9+/=]{8,})/;
/** Like `ARMOR_LINE`, but with nothing else on the line. A header or a word of a text is then no key. */
const BARE_LINE =
  /^(?:\S{0,512}[:=])?[ \t]*(?:\d{1,12}[ \t:|→-]{1,4})?[ \t]*[+-]?[ \t"'`]{0,64}(?<body>[A-Za-z0-9+/]{2,20000}={0,2})["'`,;+ \t]{0,8}$/;
const KEY_FOOTER = /-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----/g;
/** The longest text on the first line before a key begins. */
const LONGEST_PREFIX = 600;
/** A line of a text, or the escape for its end. */
const LINE_END = /\r?\n|\\r\\n|\\n/g;
const KEY_END = '-----END';
const LONGEST_KEY = 40_000;
const BEGINNING = 4;
const LONGEST_OPEN = 4096;
/** No key is longer. */
const LONGEST_WORD = 16 * 1024;
/** Codes of characters that no key holds. */
const ENDS_WORD: ReadonlySet<number> = new Set(Array.from(' \t\n\v\f\r\xa0"\'`,;', (char) => char.charCodeAt(0)));
/** Denser than this the middle of a long form is not needed. */
const DENSE = 128;

/** Finds in a text what known secrets, and keys of known kinds, left in it. What it knows never changes. */
export class SecretFinder {
  readonly #forms = new Map<string, Place[]>();
  readonly #grams: GramScan;
  readonly #marks: MarkScan;
  readonly #patterns: readonly SecretPattern[];
  /** By their first characters. */
  readonly #beginnings = new Map<string, Form[]>();
  #longest = 0;
  readonly #ignored: ReadonlySet<string>;

  /** `ignored`: values that are none, whatever they look like. */
  constructor(secrets: readonly KnownSecret[], ignored: ReadonlySet<string> = new Set()) {
    for (const secret of secrets) for (const form of formsOf(secret)) this.#add(form);
    this.#grams = new GramScan(this.#forms.keys());
    this.#patterns = KEY_PATTERNS;
    this.#marks = new MarkScan([...KEY_PATTERNS, PRIVATE_KEY_PATTERN, BARE_KEY_PATTERN]);
    this.#ignored = ignored;
  }

  #add(form: Form): void {
    const { length } = form.text;
    this.#longest = Math.max(this.#longest, Math.min(length, LONGEST_OPEN));
    const beginning = form.text.slice(0, BEGINNING);
    this.#beginnings.set(beginning, [...(this.#beginnings.get(beginning) ?? []), form]);
    const step = form.text !== form.secret.value ? GRAM : length <= DENSE ? 1 : 4;
    for (let offset = 0; offset + GRAM <= length; offset += step) this.#put(form, offset);
    if ((length - GRAM) % step !== 0) this.#put(form, length - GRAM);
  }

  /**
   * Where the end of a text begins that may be the first part of a secret: what goes on there decides. The length of the text
   * where there is no such end.
   */
  openEnd(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest); at + BEGINNING <= text.length; at += 1) {
      const rest = text.length - at;
      const forms = this.#beginnings.get(text.slice(at, at + BEGINNING)) ?? [];
      if (forms.some((form) => form.text.length > rest && text.endsWith(form.text.slice(0, rest)))) return at;
    }
    return this.openKey(text, text.length);
  }

  /**
   * Where a word begins that is not at its end, goes over `at` and may be a key: some kinds are known only by what comes late
   * in them. `at` where there is none.
   */
  openKey(text: string, at: number): number {
    const least = Math.max(0, at - LONGEST_WORD);
    let start = at;
    while (start > least && !ENDS_WORD.has(text.charCodeAt(start - 1))) start -= 1;
    if (start === at || start + LONGEST_WORD < text.length) return at;
    const word = text.slice(start);
    for (let index = at - start; index < word.length; index += 1) if (ENDS_WORD.has(word.charCodeAt(index))) return at;
    return this.#patterns.some(({ marks }) => marks.some((mark) => word.includes(mark))) ? start : at;
  }

  #put(form: Form, offset: number): void {
    const gram = narrow(form.text.slice(offset, offset + GRAM));
    const places = this.#forms.get(gram) ?? [];
    places.push({ form, offset });
    this.#forms.set(gram, places);
  }

  /**
   * False for sure where nothing is to be found. `bytes`: of each character the lower eight bits; of what a terminal would show,
   * since codes for colours may stand within a secret.
   */
  maySecrets(bytes: Buffer): boolean {
    return this.#grams.next(bytes, 0) !== -1 || this.#marks.isIn(bytes);
  }

  /** Finds secrets in order, without overlaps. `inKey`: the text begins within a private key; `bare`: within one without its header. */
  find(text: string, inKey: boolean | 'bare' = false): readonly FoundSecret[] {
    if (text.length < SHORTEST_VALUE) return [];
    const visible = visibleText(text);
    const shown = Buffer.from(visible.text, 'latin1');
    if (inKey === false && !this.maySecrets(shown)) return [];
    const known = this.#known(visible.text, shown);
    const found = [...known.found, ...this.#patterned(visible.text), ...privateKeys(visible.text, inKey === true)];
    found.push(...bareKeys(visible.text, inKey === 'bare'));
    if (known.isNear) found.push(...this.#broken(visible.text));
    return merged(
      found.map(({ begin, ...one }) => ({
        ...one,
        start: visible.at(one.start),
        end: visible.at(one.end - 1) + 1,
        ...(begin !== undefined && { begin: visible.at(begin) }),
      })),
    );
  }

  /** `isNear`: there is a piece of one, at least. */
  #known(text: string, bytes: Buffer): { readonly found: FoundSecret[]; readonly isNear: boolean } {
    const found: FoundSecret[] = [];
    let isNear = false;
    for (let at = this.#grams.next(bytes, 0); at !== -1;) {
      isNear = true;
      const run = this.#longestRun(text, at);
      if (run !== undefined) found.push(run);
      at = this.#grams.next(bytes, run === undefined ? at + 1 : Math.max(at + 1, run.end - GRAM + 1));
    }
    return { found, isNear };
  }

  #longestRun(text: string, at: number): FoundSecret | undefined {
    let longest: FoundSecret | undefined;
    for (const { form, offset } of this.#forms.get(narrow(text.slice(at, at + GRAM))) ?? []) {
      const run = runOf(form, offset, text, at);
      if (run !== undefined && run.end - run.start > (longest === undefined ? 0 : longest.end - longest.start))
        longest = run;
    }
    return longest;
  }

  #patterned(text: string): FoundSecret[] {
    return this.#patterns.flatMap(({ id, pattern, marks }) => {
      if (!marks.some((mark) => text.includes(mark))) return [];
      return Array.from(text.matchAll(pattern), (match) => ({
        start: match.index,
        end: match.index + match[0].length,
        name: id,
      })).filter(({ start, end }) => this.#isKey(id, text.slice(start, end)));
    });
  }

  #isKey(id: string, value: string): boolean {
    if (value.includes('__secret:') || this.#ignored.has(value)) return false;
    if (id === 'url-password') return isSecretValue(value.padEnd(SHORTEST_VALUE, '~'));
    if (id === 'netrc-password') return isSecretValue(value.padEnd(SHORTEST_VALUE, '~'));
    if (id === 'yaml-password') return isWrittenPassword(value);
    if (id === 'docker-auth')
      return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'));
    if (id === 'api-key') return /\d/.test(value) && /[A-Z]|\d.*[a-z].*\d/.test(value);
    return true;
  }

  /** Whole forms with line breaks in them: what wrapped lines made of them. */
  #broken(text: string): FoundSecret[] {
    if (!text.includes('\n')) return [];
    const joined = joinedLines(text);
    const bytes = Buffer.from(joined.text, 'latin1');
    return this.#known(joined.text, bytes).found.flatMap((run) => joined.pieces(run));
  }
}

function formsOf(secret: KnownSecret): Form[] {
  const isMade = looksMade(secret.value);
  const known = COMMON_START.exec(secret.value)?.[0].length ?? 0;
  const own = { text: secret.value, secret, isTelling: isMade, known };
  const others = encodedForms(secret.value).map((text) => ({ text, secret, isTelling: isMade, known: 0 }));
  return [own, ...others];
}

/** The lower bytes of eight characters. */
function narrow(text: string): string {
  for (let index = 0; index < text.length; index += 1)
    if (text.charCodeAt(index) > 0xff) return Buffer.from(text, 'latin1').toString('latin1');
  return text;
}

function runOf(
  { text: form, secret, isTelling, known }: Form,
  offset: number,
  text: string,
  at: number,
): FoundSecret | undefined {
  let before = 0;
  while (before < offset && at > before && form[offset - before - 1] === text[at - before - 1]) before += 1;
  let behind = 0;
  while (offset + behind < form.length && form[offset + behind] === text[at + behind]) behind += 1;
  if (behind < GRAM) return undefined;
  const first = offset - before;
  const bare = secret.isOther === true ? {} : { value: secret.value };
  const run = { start: at - before, end: at + behind, name: secret.name, ...bare };
  if (before + behind === form.length) return run;
  const telling = form.slice(Math.max(first, known), offset + behind);
  return isTelling && tells(telling) ? run : undefined;
}

/** The lines of private keys, also where line numbers or marks of a diff stand before them. */
function privateKeys(text: string, inKey: boolean): FoundSecret[] {
  const headers = Array.from(text.matchAll(PRIVATE_KEY_PATTERN.pattern), ({ index, 0: header }) => ({
    index,
    start: index + header.length,
  }));
  let ending = -1;
  return (inKey ? [{ index: 0, start: 0 }, ...headers] : headers).flatMap(({ start }, which, all) => {
    // One that ends is looked for once: a text may hold any number of beginnings.
    if (ending < start && ending !== text.length) ending = text.indexOf(KEY_END, start);
    if (ending === -1) ending = text.length;
    const next = all[which + 1]?.index ?? text.length;
    const body = text.slice(start, Math.min(ending, next, start + LONGEST_KEY));
    return linesOf(body).flatMap((line): FoundSecret[] => {
      const match = ARMOR_LINE.exec(line.text);
      const content = match?.groups?.['body'];
      if (content === undefined || match === null) return [];
      const at = start + line.start + match[0].length - content.length;
      return [{ start: at, end: at + content.length, name: PRIVATE_KEY_PATTERN.id }];
    });
  });
}

/** Returns true if a private key without its header continues after a text; `wasOpen`: one continued before it. */
export function hasOpenKey(text: string, wasOpen: boolean): boolean {
  // A cut may leave the prefix of a line that has not arrived yet.
  const complete = text.replace(/\s*[+-]?\s*$/, '');
  if (complete === '') return wasOpen;
  const lines = linesOf(complete);
  const other = lines.findLastIndex((line) => !BARE_LINE.test(line.text));
  if (other === -1 && wasOpen) return true;
  return lines.slice(other + 1).some((line) => line.text.search(BARE_KEY_PATTERN.pattern) !== -1);
}

/**
 * Finds the lines of private keys without a header, by how they begin or by the footer after them. A key is whole lines of such characters,
 * up to the first other one.
 */
function bareKeys(text: string, isOpen: boolean): FoundSecret[] {
  const { pattern, id } = BARE_KEY_PATTERN;
  const found = isOpen ? takeWhile(linesOf(text), 0) : [];
  let end = 0;
  for (const { index } of text.matchAll(pattern)) {
    if (index < end) continue;
    const before = text.slice(Math.max(0, index - LONGEST_PREFIX), index);
    const start = index - before.length + (/[^]*(?:\n|\\n)/.exec(before)?.[0].length ?? 0);
    const lines = takeWhile(linesOf(text.slice(start, start + LONGEST_KEY)), start);
    found.push(...lines);
    end = lines.at(-1)?.end ?? index;
  }
  for (const { index } of text.matchAll(KEY_FOOTER)) {
    const start = Math.max(0, index - LONGEST_KEY);
    // Text before the footer on its own line, such as a line number, is no line of the key.
    const lines = linesOf(text.slice(start, index)).slice(0, -1).reverse();
    found.push(...takeWhile(lines, start));
  }
  return found.map((one) => ({ ...one, name: id }));
}

function takeWhile(lines: readonly { readonly start: number; readonly text: string }[], from: number): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { start, text } of lines) {
    const match = BARE_LINE.exec(text);
    const body = match?.groups?.['body'];
    if (match === null || body === undefined) break;
    const at = from + start + match.index + match[0].lastIndexOf(body);
    found.push({ start: at, end: at + body.length, name: '' });
  }
  return found;
}

function linesOf(text: string): { readonly start: number; readonly text: string }[] {
  let start = 0;
  const lines = Array.from(text.matchAll(LINE_END), (match) => {
    const line = { start, text: text.slice(start, match.index) };
    start = match.index + match[0].length;
    return line;
  });
  return [...lines, { start, text: text.slice(start) }];
}

/** The text without its line breaks, and what a stretch of it was before. */
function joinedLines(text: string): {
  readonly text: string;
  readonly pieces: (run: FoundSecret) => FoundSecret[];
} {
  const lines = text.split(/(?:=?\r?\n)[ \t]*/);
  const starts: { readonly joined: number; readonly own: number; readonly length: number }[] = [];
  let [joined, own] = [0, 0];
  for (const line of lines) {
    own = text.indexOf(line, own);
    starts.push({ joined, own, length: line.length });
    joined += line.length;
    own += line.length;
  }
  return {
    text: lines.join(''),
    pieces: (run) => {
      const within = linesWithin(starts, run);
      if (within.length < 2) return [];
      const pieces = within.map(({ joined: from, own: at, length }) => {
        const [start, end] = [Math.max(run.start, from) - from, Math.min(run.end, from + length) - from];
        return { ...run, start: at + start, end: at + end };
      });
      return pieces.map((piece) => ({ ...piece, begin: pieces[0]?.start ?? piece.start }));
    },
  };
}

function linesWithin<T extends { readonly joined: number; readonly length: number }>(
  lines: readonly T[],
  { start, end }: FoundSecret,
): readonly T[] {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const line = lines[middle];
    if (line !== undefined && line.joined + line.length <= start) low = middle + 1;
    else high = middle;
  }
  const within: T[] = [];
  for (let index = low; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined || line.joined >= end) break;
    if (line.length > 0) within.push(line);
  }
  return within;
}

/** Those that touch become one, which has the name of the longest. */
function merged(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const sorted = found.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const all: FoundSecret[] = [];
  for (const one of sorted) {
    const last = all.at(-1);
    if (last === undefined || one.start >= last.end) {
      all.push(one);
      continue;
    }
    if (one.end <= last.end) {
      // Known by its value is known better.
      if (one.value !== undefined && last.value === undefined && one.end - one.start === last.end - last.start)
        all[all.length - 1] = one;
      continue;
    }
    const longer = one.end - one.start > last.end - last.start ? one : last;
    all[all.length - 1] = { ...longer, start: last.start, end: one.end };
  }
  return all;
}
