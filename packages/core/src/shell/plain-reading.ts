/** The commands of a line as lists of words, or why the line is more than plain. */
export type PlainReading = { readonly commands: readonly (readonly string[])[] } | { readonly refused: string };

interface PlainWord {
  readonly value: string;
  /** The unquoted characters only; quoted ones stand as a NUL, so that patterns cannot see them. */
  readonly bare: string;
  readonly end: number;
}

/**
 * Reads the small part of the shell's language in which nothing is expanded: words, quotes,
 * backslashes, `| || && ; &`, newlines and the harmless redirections. It shares no code with the
 * grammar, so that a line is called plain only when two independent readers agree on every word.
 */
export function readPlainly(text: string): PlainReading {
  const commands: string[][] = [];
  let words: string[] = [];
  let at = 0;
  const endCommand = (): void => {
    if (words.length > 0) commands.push(words);
    words = [];
  };
  while (at < text.length) {
    const blank = /^(?:[ \t]|\\\n)+/.exec(text.slice(at, at + 4096))?.[0];
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const operator = /^(?:&&|\|\||[|;&\n])/.exec(text.slice(at, at + 2))?.[0];
    if (operator !== undefined) {
      if (text.startsWith('&>', at) || text.startsWith('|&', at)) return { refused: 'an unusual operator' };
      endCommand();
      at += operator.length;
      continue;
    }
    const redirect = /^(?:2>&1|[12]?>[ \t]*\/dev\/null|<[ \t]*\/dev\/null)(?=$|[ \t\n;|&])/.exec(
      text.slice(at, at + 4096),
    )?.[0];
    if (redirect !== undefined) {
      at += redirect.length;
      continue;
    }
    const word = readWord(text, at);
    if (typeof word === 'string') return { refused: word };
    const problem = problemOfWord(word, words.length === 0);
    if (problem !== null) return { refused: problem };
    words.push(word.value);
    at = word.end;
  }
  endCommand();
  return { commands };
}

/** One word from `start`, or why it is not plain. */
function readWord(text: string, start: number): PlainWord | string {
  let value = '';
  let bare = '';
  let at = start;
  while (at < text.length) {
    const char = text.charAt(at);
    if (' \t\n|&;'.includes(char)) break;
    if (char === "'") {
      const close = text.indexOf("'", at + 1);
      if (close === -1) return 'an open quote';
      value += text.slice(at + 1, close);
      bare += '\0';
      at = close + 1;
    } else if (char === '"') {
      const quoted = readDoubleQuoted(text, at + 1);
      if (typeof quoted === 'string') return quoted;
      value += quoted.value;
      bare += '\0';
      at = quoted.end;
    } else if (char === '\\') {
      if (at + 1 >= text.length) return 'a backslash at the end';
      // A backslash and a newline are nothing at all.
      if (text.charAt(at + 1) !== '\n') {
        value += text.charAt(at + 1);
        bare += '\0';
      }
      at += 2;
    } else if ('$`()<>'.includes(char)) {
      return `an unquoted \`${char}\``;
    } else {
      value += char;
      bare += char;
      at += 1;
    }
  }
  return { value, bare, end: at };
}

function readDoubleQuoted(text: string, start: number): { value: string; end: number } | string {
  let value = '';
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') return { value, end: at + 1 };
    if (char === '$' || char === '`') return `a \`${char}\` within double quotes`;
    if (char !== '\\') {
      value += char;
      continue;
    }
    const next = text.charAt(at + 1);
    if (next !== '\n') value += '$`"\\'.includes(next) ? next : `\\${next}`;
    at += 1;
  }
  return 'an open quote';
}

function problemOfWord({ bare }: PlainWord, isProgram: boolean): string | null {
  if (bare.startsWith('#')) return 'a comment';
  if (/(?:^|[=:])~/.test(bare)) return 'a `~` that stands for a folder';
  if (bare.includes('{') && /,|\.\./.test(bare)) return 'a brace expansion';
  if (/[?*+@!]\(/.test(bare)) return 'an extended pattern';
  if (isProgram && /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(bare)) return 'an assignment';
  return null;
}
