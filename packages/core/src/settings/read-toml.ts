import { Failure } from '../util/failure.js';

type Table = Record<string, unknown>;

const BARE_KEY = /[A-Za-z0-9_-]+/y;
const DATE =
  /(?:\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?)/y;
const BASED = /0(?:x[0-9A-Fa-f]+(?:_[0-9A-Fa-f]+)*|o[0-7]+(?:_[0-7]+)*|b[01]+(?:_[01]+)*)/y;
const DECIMAL = /[+-]?(?:inf|nan|(?:0|[1-9]\d*(?:_\d+)*)(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+(?:_\d+)*)?)/y;
const WORD = /true|false/y;
const SPACE = /[ \t]*/y;
const COMMENT = /#[^\r\n]*/y;
const LINE_BREAK = /\r?\n/y;
const UNICODE = /u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}/y;
/** A backslash at the end of a line takes the break and what is blank after it. */
const FOLD = /[ \t]*\r?\n[ \t\r\n]*/y;
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', '"': '"', '\\': '\\' };
const CONTROL = /(?![\t\r\n])\p{Cc}/u;
const MOST_DEPTH = 64;

/**
 * A file in TOML 1.0 as plain data; dates and times stay texts. Objects have no prototype: `__proto__` is just a key.
 * @throws Failure `toml`, whose message names the line and holds nothing of the file
 */
export function readToml(text: string): Readonly<Record<string, unknown>> {
  return new TomlReader(text.replace(/^\uFEFF/, '')).read();
}

class TomlReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  readonly #root = emptyTable();
  /** Tables that had their header. */
  readonly #whole = new Set<unknown>();
  /** Tables in braces: nothing is added to them from elsewhere. */
  readonly #closed = new Set<unknown>();
  readonly #lists = new Set<unknown>();

  constructor(text: string) {
    this.#text = text;
  }

  read(): Table {
    let current = this.#root;
    for (;;) {
      this.#blank();
      if (this.#at >= this.#text.length) return this.#root;
      if (this.#text.startsWith('[', this.#at)) current = this.#header();
      else this.#member(current);
      this.#lineEnd();
    }
  }

  #header(): Table {
    const isList = this.#text.startsWith('[[', this.#at);
    this.#at += isList ? 2 : 1;
    const path = this.#key();
    this.#expect(isList ? ']]' : ']', 'the end of the name of the table');
    const name = path.pop() ?? '';
    let table = this.#root;
    for (const step of path) table = this.#below(table, step);
    const held = table[name];
    if (isList) {
      if (held !== undefined && !this.#lists.has(held)) throw this.#refusal('this name is taken already');
      const list = Array.isArray(held) ? held : [];
      this.#lists.add(list);
      table[name] = list;
      const entry = emptyTable();
      list.push(entry);
      return entry;
    }
    if (held !== undefined && (!isTable(held) || this.#whole.has(held) || this.#closed.has(held)))
      throw this.#refusal('this table stands there twice');
    const made = isTable(held) ? held : emptyTable();
    this.#whole.add(made);
    table[name] = made;
    return made;
  }

  /** On the way to a table: of a list of tables the last one. */
  #below(table: Table, step: string): Table {
    const held = (table[step] ??= emptyTable());
    const next: unknown = Array.isArray(held) && this.#lists.has(held) ? held.at(-1) : held;
    if (!isTable(next) || this.#closed.has(next)) throw this.#refusal('a table has a name that is taken already');
    return next;
  }

  #member(table: Table): void {
    const path = this.#key();
    this.#expect('=', '"="');
    const name = path.pop() ?? '';
    let target = table;
    for (const step of path) {
      const held = (target[step] ??= emptyTable());
      if (!isTable(held) || this.#whole.has(held) || this.#closed.has(held))
        throw this.#refusal('this name is taken already');
      target = held;
    }
    if (Object.hasOwn(target, name)) throw this.#refusal('this name stands there twice');
    target[name] = this.#value();
  }

  #key(): string[] {
    const path: string[] = [];
    do {
      this.#take(SPACE);
      const quote = this.#text[this.#at];
      const name = quote === '"' || quote === "'" ? this.#string(quote) : this.#take(BARE_KEY);
      if (name === undefined) throw this.#refusal('a name is expected');
      path.push(name);
      this.#take(SPACE);
    } while (this.#skip('.'));
    return path;
  }

  #value(): unknown {
    this.#take(SPACE);
    const first = this.#text[this.#at];
    if (first === '"' || first === "'") {
      const three = first.repeat(3);
      return this.#text.startsWith(three, this.#at) ? this.#longString(three) : this.#string(first);
    }
    if (first === '[' || first === '{') {
      if (++this.#depth > MOST_DEPTH) throw this.#refusal('this is nested too deeply');
      const value = first === '[' ? this.#list() : this.#inlineTable();
      this.#depth--;
      return value;
    }
    const value = this.#scalar();
    if (value === undefined || !/[\s,\]}#]|$/y.test(this.#text.slice(this.#at, this.#at + 1)))
      throw this.#refusal('the value is none that is understood: a text goes in quotes');
    return value;
  }

  #scalar(): unknown {
    const date = this.#take(DATE);
    if (date !== undefined) return date;
    const based = this.#take(BASED) ?? this.#take(DECIMAL);
    if (based !== undefined) return numberOf(based.replaceAll('_', ''));
    const word = this.#take(WORD);
    return word === undefined ? undefined : word === 'true';
  }

  #list(): unknown[] {
    this.#at++;
    const list: unknown[] = [];
    for (;;) {
      this.#blank();
      if (this.#skip(']')) return list;
      list.push(this.#value());
      this.#blank();
      if (!this.#skip(',') && !this.#text.startsWith(']', this.#at))
        throw this.#refusal('"," or "]" is expected in a list');
    }
  }

  #inlineTable(): Table {
    this.#at++;
    const table = emptyTable();
    this.#take(SPACE);
    if (!this.#skip('}')) {
      do {
        this.#member(table);
        this.#take(SPACE);
      } while (this.#skip(','));
      this.#expect('}', '"," or "}"');
    }
    this.#closed.add(table);
    return table;
  }

  #string(quote: string): string {
    this.#at++;
    let text = '';
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined || next === '\n' || next === '\r') throw this.#refusal('a text has no end');
      if (CONTROL.test(next)) throw this.#refusal('a text holds a control character');
      this.#at++;
      if (next === quote) return text;
      text += next === '\\' && quote === '"' ? this.#escape() : next;
    }
  }

  #longString(quotes: string): string {
    this.#at += 3;
    this.#take(LINE_BREAK);
    const start = this.#at;
    let text = '';
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined) {
        this.#at = start;
        throw this.#refusal('a text that begins here has no end');
      }
      if (this.#skip(quotes)) {
        // One or two more belong to the text.
        for (let more = 0; more < 2 && this.#skip(quotes.charAt(0)); more++) text += quotes.charAt(0);
        return text;
      }
      if (CONTROL.test(next)) throw this.#refusal('a text holds a control character');
      this.#at++;
      if (next !== '\\' || quotes !== '"""') text += next;
      else if (this.#take(FOLD) === undefined) text += this.#escape();
    }
  }

  #escape(): string {
    const code = this.#take(UNICODE);
    if (code !== undefined) {
      const point = Number.parseInt(code.slice(1), 16);
      if (point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)) return String.fromCodePoint(point);
    }
    const letter = this.#text[this.#at++] ?? '';
    const escaped = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (code === undefined && escaped !== undefined) return escaped;
    throw this.#refusal('a text has a backslash before something that it does not go with');
  }

  #blank(): void {
    for (;;) {
      const from = this.#at;
      this.#take(SPACE);
      this.#take(COMMENT);
      this.#take(LINE_BREAK);
      if (this.#at === from) return;
    }
  }

  #lineEnd(): void {
    this.#take(SPACE);
    this.#take(COMMENT);
    if (this.#at < this.#text.length && this.#take(LINE_BREAK) === undefined)
      throw this.#refusal('more stands there than a name and its value');
  }

  #expect(text: string, what: string): void {
    this.#take(SPACE);
    if (!this.#skip(text)) throw this.#refusal(`${what} is expected`);
  }

  #skip(text: string): boolean {
    const is = this.#text.startsWith(text, this.#at);
    if (is) this.#at += text.length;
    return is;
  }

  /** What the sticky pattern matches here; undefined where that is nothing at all. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found === '' ? undefined : found;
  }

  #refusal(what: string): Failure {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new Failure('toml', `line ${line}: ${what}`);
  }
}

function emptyTable(): Table {
  return Object.create(null) as Table;
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberOf(text: string): number {
  if (text.endsWith('inf')) return text.startsWith('-') ? -Infinity : Infinity;
  return text.endsWith('nan') ? Number.NaN : Number(text);
}
