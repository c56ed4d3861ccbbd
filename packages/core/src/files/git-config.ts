/** One value of a git configuration: names in lower case, but for the subsection. */
export interface GitSetting {
  /** Empty before the first one begins. */
  readonly section: string;
  readonly subsection?: string;
  readonly key: string;
  /** Undefined for a key without `=`, which means true. */
  readonly value: string | undefined;
}

/**
 * The settings of a git configuration file, in their order, as git reads them. Undefined for text that git would not
 * read, or that this reader is not sure of.
 */
export function parseGitConfig(text: string): readonly GitSetting[] | undefined {
  const reader = new Reader(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  return reader.read();
}

const SECTION = /\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const KEY = /([A-Za-z][A-Za-z0-9-]*)[ \t]*/y;
const SPACE = /(?:[ \t\n]|[#;][^\n]*)*/y;
/** What stands in a value: a quoted part, an escape or a continued line, blanks, anything else. */
const VALUE_PART = /"((?:[^"\\\n]|\\[ntb"\\]|\\\n)*)"|\\(\n|[ntb"\\])|([ \t]+)|([^ \t"\\\n#;]+)/y;
const REST_OF_LINE = /(?:[#;][^\n]*)?(?:\n|$)/y;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): readonly GitSetting[] | undefined {
    if (/[\0\r]/.test(this.#text)) return undefined;
    const settings: GitSetting[] = [];
    let head: Pick<GitSetting, 'section' | 'subsection'> = { section: '' };
    for (;;) {
      this.#take(SPACE);
      if (this.#at === this.#text.length) return settings;
      const section = this.#take(SECTION);
      if (section !== undefined) {
        const [, name = '', quoted] = section;
        head = {
          section: name.toLowerCase(),
          ...(quoted !== undefined && { subsection: quoted.replaceAll(/\\(.)/gs, '$1') }),
        };
        continue;
      }
      const key = this.#take(KEY)?.[1];
      if (key === undefined) return undefined;
      const value = this.#value();
      if (value === null) return undefined;
      settings.push({ ...head, key: key.toLowerCase(), value });
    }
  }

  /** Null for a value that git would not read. */
  #value(): string | undefined | null {
    if (this.#text[this.#at] !== '=') return this.#take(REST_OF_LINE) === undefined ? null : undefined;
    this.#at += 1;
    let value = '';
    let blanks = '';
    for (;;) {
      const part = this.#take(VALUE_PART);
      if (part === undefined) break;
      const [, quoted, escaped, blank, plain = ''] = part;
      const text = quoted === undefined ? (escaped === undefined ? plain : unescaped(escaped)) : unescapedAll(quoted);
      // At the beginning and the end they count only in quotes.
      if (blank !== undefined && value !== '') blanks += blank;
      if (text === '') continue;
      value += blanks + text;
      blanks = '';
    }
    return this.#take(REST_OF_LINE) === undefined ? null : value;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }
}

function unescapedAll(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, (_, character: string) => unescaped(character));
}

function unescaped(character: string): string {
  if (character === '\n') return '';
  return { n: '\n', t: '\t', b: '\b' }[character] ?? character;
}
