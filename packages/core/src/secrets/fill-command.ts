import { placeholdersIn, replacePlaceholders } from './placeholder.js';

/** A command that reads its secrets from variables, in place of placeholders. */
export interface FilledCommand {
  readonly command: string;
  readonly variables: Readonly<Record<string, string>>;
}

export interface UnfillableCommand {
  /** Why a value cannot be put there, and what to write; a sentence. */
  readonly problem: string;
}

const VARIABLE = 'TENON_SECRET_';
const START = /^__secret:[A-Za-z0-9](?:_?[A-Za-z0-9.-])*__/;

type Place = 'plain' | 'single' | 'double' | 'dollar-single' | 'backtick' | 'arithmetic' | 'comment';

/**
 * A command for bash in which each placeholder that `values` knows is a variable, quoted as the place asks for it: the value is
 * neither in the text of the command nor among the words of the shell.
 */
export function fillCommand(command: string, values: ReadonlyMap<string, string>): FilledCommand | UnfillableCommand {
  const known = placeholdersIn(command).filter((each) => values.has(each));
  if (known.length === 0) return { command, variables: {} };
  const names = new Map(known.map((each, index) => [each, `${VARIABLE}${index + 1}`]));
  const walk = new CommandWalk(command, names);
  const filled = walk.filled();
  if (filled === undefined) return { problem: walk.problem };
  const variables = known.map((each) => [names.get(each) ?? '', values.get(each) ?? ''] as const);
  return { command: filled, variables: Object.fromEntries(variables) };
}

interface Heredoc {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
}

/** Goes through a script once and knows which quotes it stands in. */
class CommandWalk {
  problem = '';
  readonly #text: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly #places: Place[] = ['plain'];
  /** For each `$(`, how many parentheses were opened in it. */
  readonly #depths: number[] = [0];
  #heredocs: Heredoc[] = [];
  #at = 0;
  #out = '';

  constructor(text: string, names: ReadonlyMap<string, string>) {
    this.#text = text;
    this.#names = names;
  }

  filled(): string | undefined {
    while (this.#at < this.#text.length && this.problem === '') this.#step();
    return this.problem === '' ? this.#out : undefined;
  }

  get #place(): Place {
    return this.#places.at(-1) ?? 'plain';
  }

  #take(count: number): void {
    this.#out += this.#text.slice(this.#at, this.#at + count);
    this.#at += count;
  }

  #step(): void {
    const variable = this.#variableHere();
    if (variable !== undefined) return this.#put(variable);
    const char = this.#text[this.#at] ?? '';
    switch (this.#place) {
      case 'single':
        if (char === "'") this.#places.pop();
        return this.#take(1);
      case 'comment':
        if (char !== '\n') return this.#take(1);
        this.#places.pop();
        return this.#newLine();
      case 'dollar-single':
        if (char === '\\') return this.#take(2);
        if (char === "'") this.#places.pop();
        return this.#take(1);
      case 'arithmetic':
        if (this.#text.startsWith('))', this.#at)) {
          this.#places.pop();
          return this.#take(2);
        }
        return this.#take(1);
      case 'double':
      case 'plain':
      case 'backtick':
        return this.#stepInWords(char);
      default:
        return this.#place satisfies never;
    }
  }

  #stepInWords(char: string): void {
    const place = this.#place;
    if (char === '\\') return this.#take(2);
    if (char === '`') {
      if (place === 'backtick') this.#places.pop();
      else this.#places.push('backtick');
      return this.#take(1);
    }
    if (char === '"') {
      if (place === 'double') this.#places.pop();
      else this.#places.push('double');
      return this.#take(1);
    }
    if (this.#text.startsWith('$((', this.#at)) return this.#enter('arithmetic', 3);
    if (this.#text.startsWith('$(', this.#at)) {
      this.#depths.push(0);
      return this.#enter('plain', 2);
    }
    if (place === 'double') return this.#take(1);
    if (this.#text.startsWith("$'", this.#at)) return this.#enter('dollar-single', 2);
    if (char === "'") return this.#enter('single', 1);
    return this.#stepInPlain(char);
  }

  #enter(place: Place, count: number): void {
    this.#places.push(place);
    this.#take(count);
  }

  #stepInPlain(char: string): void {
    const before = this.#text[this.#at - 1];
    if (char === '#' && (before === undefined || /[\s;&|()]/.test(before))) return this.#enter('comment', 1);
    if (char === '\n') return this.#newLine();
    const heredoc = /^<<(?!<)(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.+-]+))/.exec(
      this.#text.slice(this.#at, this.#at + 256),
    );
    if (heredoc !== null && before !== '<') {
      const [whole, dash, single, double, bare = ''] = heredoc;
      const delimiter = single ?? double ?? bare;
      const isQuoted = single !== undefined || double !== undefined || whole.includes('\\');
      this.#heredocs.push({ delimiter, isQuoted, stripsTabs: dash === '-' });
      return this.#take(whole.length);
    }
    if (char === '(') this.#depths.push((this.#depths.pop() ?? 0) + 1);
    if (char === ')') this.#close();
    return this.#take(1);
  }

  #close(): void {
    const depth = this.#depths.pop() ?? 0;
    if (depth > 0 || this.#depths.length === 0) {
      this.#depths.push(Math.max(0, depth - 1));
      return;
    }
    if (this.#places.length > 1) this.#places.pop();
  }

  #newLine(): void {
    this.#take(1);
    const heredocs = this.#heredocs;
    this.#heredocs = [];
    for (const heredoc of heredocs) this.#body(heredoc);
  }

  #body({ delimiter, isQuoted, stripsTabs }: Heredoc): void {
    while (this.#at < this.#text.length && this.problem === '') {
      const end = this.#text.indexOf('\n', this.#at);
      const line = this.#text.slice(this.#at, end === -1 ? this.#text.length : end);
      const isEnd = (stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter;
      if (isQuoted && placeholdersIn(line).some((each) => this.#names.has(each))) {
        this.problem = `A here-document with a quoted delimiter takes no variables, so that a secret cannot be put into it. Write <<${delimiter} without quotes, or put the text into a file with a tool.`;
        return;
      }
      this.#out += isEnd ? line : replacePlaceholders(line, (each) => this.#bare(each));
      this.#at += line.length;
      if (end !== -1) this.#take(1);
      if (isEnd) return;
    }
  }

  #bare(placeholder: string): string | undefined {
    const name = this.#names.get(placeholder);
    return name === undefined ? undefined : `\${${name}}`;
  }

  #variableHere(): { readonly name: string; readonly length: number } | undefined {
    if (this.#text[this.#at] !== '_') return undefined;
    const [whole] = START.exec(this.#text.slice(this.#at, this.#at + 200)) ?? [];
    const name = whole === undefined ? undefined : this.#names.get(whole);
    return whole === undefined || name === undefined ? undefined : { name, length: whole.length };
  }

  #put({ name, length }: { readonly name: string; readonly length: number }): void {
    const quoted = this.#quoted(name);
    if (quoted === undefined) {
      this.problem =
        'A secret cannot be put between backticks or into arithmetic. Write $(…) in place of backticks, or put the command into a plain line.';
      return;
    }
    this.#out += quoted;
    this.#at += length;
  }

  #quoted(name: string): string | undefined {
    switch (this.#place) {
      case 'plain':
        return `"\${${name}}"`;
      case 'double':
        return `\${${name}}`;
      case 'single':
        return `'"\${${name}}"'`;
      case 'dollar-single':
        return `'"\${${name}}"$'`;
      case 'comment':
        return name;
      case 'backtick':
      case 'arithmetic':
        return undefined;
      default:
        return this.#place satisfies never;
    }
  }
}
