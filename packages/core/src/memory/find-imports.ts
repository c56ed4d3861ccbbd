/** A file that a context file names with `@`. */
export interface NamedImport {
  /** As it stands there, without the `@`. */
  readonly path: string;
  /** It can mean nothing but a file, so that it is missed where there is none. */
  readonly isClear: boolean;
}

const MOST = 200;
const IMPORT = /(?<=^|[\s([])@(?:"([^"\n]+)"|((?:\\.|[^\s\\"`])+))/gm;
/** Behind a path, the end of a sentence or of what it stands in. */
const AFTER_PATH = /[.,;:!?)\]}*_]+$/;

/**
 * The imports of a context file (S140), each once, in order: `@docs/style.md`, `@./a.md`, `@"with blanks.md"` at the start of
 * a word. What stands in blocks of code, in inline code and in comments is none. Pure.
 */
export function findImports(text: string): NamedImport[] {
  const found = new Map<string, NamedImport>();
  for (const match of withoutCode(text).matchAll(IMPORT)) {
    const [, quoted, bare = ''] = match;
    const path = quoted ?? bare.replace(AFTER_PATH, '').replaceAll(/\\(.)/g, '$1');
    if (path === '' || path.startsWith('@') || path.includes('\0') || found.has(path)) continue;
    found.set(path, { path, isClear: isClear(path) });
    if (found.size === MOST) break;
  }
  return [...found.values()];
}

/**
 * The line with backticks around all that could be an import, so that it is none wherever the line stands: also what is code
 * by itself, for an odd backtick in a line before would make words of it. Pure.
 */
export function quoteImports(line: string): string {
  return line.replaceAll(IMPORT, (written, quoted?: string) => {
    const after = quoted === undefined ? (AFTER_PATH.exec(written)?.[0] ?? '') : '';
    const named = written.slice(0, written.length - after.length);
    return named === '@' ? written : `\`${named}\`${after}`;
  });
}

function isClear(path: string): boolean {
  return /^(?:\.{1,2}\/|~\/)/.test(path) || /\.(?:md|mdx|markdown|txt|rst|adoc)$/i.test(path);
}

/** The text with blanks in place of code and comments; lines stay what they are. */
function withoutCode(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(?:> ?)*\s*(`{3,}|~{3,})(.*)$/.exec(line);
    const [, run = '', rest = ''] = mark ?? [];
    if (fence !== undefined) {
      const ends = run.startsWith(fence) && rest.trim() === '';
      if (ends) fence = undefined;
      lines.push('');
    } else if (run !== '' && !(run.startsWith('`') && rest.includes('`'))) {
      fence = run;
      lines.push('');
    } else lines.push(line);
  }
  return blankInline(lines.join('\n').replaceAll(/<!--[\s\S]*?(?:-->|$(?![\s\S]))/g, blank));
}

/** Spans between two runs of backticks of the same length, within a paragraph. */
function blankInline(text: string): string {
  const runs = [...text.matchAll(/`+|\n[ \t]*\n/g)];
  const spans: [start: number, end: number][] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const [open = ''] = runs[index] ?? [];
    if (!open.startsWith('`')) continue;
    let close = index + 1;
    while (close < runs.length && runs[close]?.[0].startsWith('`') === true && runs[close]?.[0] !== open) close += 1;
    const end = runs[close];
    if (end?.[0] !== open) continue;
    spans.push([runs[index]?.index ?? 0, end.index + open.length]);
    index = close;
  }
  let result = '';
  let at = 0;
  for (const [start, end] of spans) {
    result += text.slice(at, start) + blank(text.slice(start, end));
    at = end;
  }
  return result + text.slice(at);
}

/** Something that is no blank stays at its edges, so that no word begins behind it. */
function blank(code: string): string {
  return code.replaceAll(/[^\n]/g, '`');
}
