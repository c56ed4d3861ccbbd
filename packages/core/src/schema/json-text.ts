import { quote } from './describe-value.js';

/** Where and why a text stops being JSON. */
export interface JsonTextError {
  /** UTF-16 offset into the text. */
  readonly offset: number;
  /** What is wrong there, as a clause. */
  readonly reason: string;
  /** True when the text is the beginning of something that was not finished. */
  readonly cutOff: boolean;
}

export interface JsonTextScan {
  readonly error: JsonTextError | null;
  /** Offsets of commas right before a closing bracket: not JSON, but with one reading only. */
  readonly trailingCommas: readonly number[];
}

type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'separator' | 'end';

const REASONS: Readonly<Record<Expected, string>> = {
  value: 'a value must stand here',
  'first value': 'a value or `]` must stand here',
  name: 'a property name in double quotes must stand here',
  'first name': 'a property name in double quotes or `}` must stand here',
  colon: '`:` must stand here',
  separator: '`,` or the closing bracket must stand here',
  end: 'nothing more may stand here',
};

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const UNFINISHED_SCALAR = /^(?:-|-?\d+(?:\.|\.\d+)?(?:[eE][+-]?)?|t(?:r(?:u)?)?|f(?:a(?:l(?:s)?)?)?|n(?:u(?:l)?)?)$/;

/** Reads a text as JSON (RFC 8259) without recursion and without building anything, to say what is wrong with it. */
export function scanJsonText(text: string): JsonTextScan {
  return new JsonScanner(text).scan();
}

class JsonScanner {
  readonly #text: string;
  readonly #closers: ('}' | ']')[] = [];
  readonly #trailingCommas: number[] = [];
  #at = 0;
  #expected: Expected = 'value';
  #lastComma = -1;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): JsonTextScan {
    for (;;) {
      while (' \t\r\n'.includes(this.#text.charAt(this.#at)) && this.#at < this.#text.length) this.#at++;
      const ended = this.#at >= this.#text.length;
      if (ended && this.#expected === 'end') return this.#result(null);
      const error = ended ? this.#fail('the text ends here', true) : this.#step(this.#text.charAt(this.#at));
      if (error !== null) return this.#result(error);
    }
  }

  #step(char: string): JsonTextError | null {
    const expected = this.#expected;
    if (char === '"' && (expected.endsWith('value') || expected.endsWith('name'))) return this.#string();
    if (char === this.#closers.at(-1) && this.#mayClose(expected)) return this.#close();
    if (expected === 'colon' && char === ':') return this.#pass('value');
    if (expected === 'separator' && char === ',') {
      this.#lastComma = this.#at;
      return this.#pass(this.#closers.at(-1) === '}' ? 'name' : 'value');
    }
    if (!expected.endsWith('value')) return this.#fail(REASONS[expected]);
    if (char !== '{' && char !== '[') return this.#scalar();
    this.#closers.push(char === '{' ? '}' : ']');
    this.#lastComma = -1;
    return this.#pass(char === '{' ? 'first name' : 'first value');
  }

  #mayClose(expected: Expected): boolean {
    if (expected === 'separator') return true;
    if (expected === 'first name' || expected === 'first value') return true;
    // After a comma: not JSON, but noted as a comma too many.
    return (expected === 'name' || expected === 'value') && this.#lastComma >= 0;
  }

  #close(): null {
    if (this.#expected === 'name' || this.#expected === 'value') this.#trailingCommas.push(this.#lastComma);
    this.#closers.pop();
    this.#at++;
    return this.#afterValue();
  }

  #string(): JsonTextError | null {
    for (let index = this.#at + 1; index < this.#text.length; index++) {
      const char = this.#text.charAt(index);
      if (char === '"') {
        const wasName = this.#expected.endsWith('name');
        this.#at = index + 1;
        if (!wasName) return this.#afterValue();
        this.#expected = 'colon';
        return null;
      }
      if (char < ' ') {
        this.#at = index;
        return this.#fail('a line break or control character inside a string must be written as an escape such as \\n');
      }
      if (char !== '\\') continue;
      const escape = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(this.#text.slice(index + 1, index + 6))?.[0];
      if (escape === undefined) {
        const cutOff = /^(?:|u[0-9a-fA-F]{0,3})$/.test(this.#text.slice(index + 1));
        this.#at = cutOff ? this.#text.length : index;
        return this.#fail(
          cutOff ? 'the text ends inside a string' : 'a backslash in a string must be written as \\\\',
          cutOff,
        );
      }
      index += escape.length;
    }
    this.#at = this.#text.length;
    return this.#fail('the text ends inside a string', true);
  }

  #scalar(): JsonTextError | null {
    SCALAR.lastIndex = this.#at;
    const word = SCALAR.exec(this.#text)?.[0];
    const rest = this.#text.slice(this.#at, this.#at + 40);
    if (word === undefined || (UNFINISHED_SCALAR.test(rest) && !/^-?\d+(?:\.\d+)?$/.test(rest))) {
      const cutOff = UNFINISHED_SCALAR.test(rest);
      return this.#fail(cutOff ? 'the text ends here' : REASONS[this.#expected], cutOff);
    }
    this.#at += word.length;
    return this.#afterValue();
  }

  #afterValue(): null {
    this.#expected = this.#closers.length === 0 ? 'end' : 'separator';
    return null;
  }

  #pass(next: Expected): null {
    // A colon ends the reach of the comma before the name: `{"a":1,"b":}` is an error, not a comma too many.
    if (next === 'value' && this.#expected === 'colon') this.#lastComma = -1;
    this.#at++;
    this.#expected = next;
    return null;
  }

  #fail(reason: string, cutOff = false): JsonTextError {
    return { offset: this.#at, reason, cutOff };
  }

  #result(error: JsonTextError | null): JsonTextScan {
    return { error, trailingCommas: this.#trailingCommas };
  }
}

/** The sentence for the model about a text that is not JSON. */
export function describeJsonTextError(text: string, error: JsonTextError): string {
  if (error.cutOff) {
    return `The arguments were cut off after ${text.length} characters (${error.reason}): send the call again, shorter or in parts.`;
  }
  const before = text.slice(0, error.offset);
  const line = before.split('\n').length;
  const column = error.offset - before.lastIndexOf('\n');
  const excerpt = text.slice(Math.max(0, error.offset - 30), error.offset + 20);
  const near = excerpt === '' ? '' : `, near ${quote(excerpt)}`;
  return `The arguments are not valid JSON: line ${line}, column ${column}${near}: ${error.reason}. Send the call again with one JSON object.`;
}
