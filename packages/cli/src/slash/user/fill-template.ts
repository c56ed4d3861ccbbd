import { shellWord } from '@tenon/core';

/** A piece of a template. Of a command's text the blanks are still open. */
export type TemplatePart =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'shell'; readonly command: string };

/** `!{command}` anywhere, with braces in it in pairs, and `` !`command` `` where a word begins. */
const SHELL_TICKS = /(?<=^|\s)!`([^`\n]+)`/m;

/**
 * Takes a template apart before any blank is filled, so that nothing that a person types can become a command. Pure.
 */
export function splitTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let rest = template;
  for (;;) {
    const next = nextShell(rest);
    if (next === undefined) break;
    if (next.from > 0) parts.push({ kind: 'text', text: rest.slice(0, next.from) });
    parts.push({ kind: 'shell', command: next.command });
    rest = rest.slice(next.to);
  }
  if (rest !== '') parts.push({ kind: 'text', text: rest });
  return parts;
}

interface FoundShell {
  readonly from: number;
  readonly to: number;
  readonly command: string;
}

function nextShell(text: string): FoundShell | undefined {
  const ticks = SHELL_TICKS.exec(text);
  const ofTicks: FoundShell[] =
    ticks === null ? [] : [{ from: ticks.index, to: ticks.index + ticks[0].length, command: (ticks[1] ?? '').trim() }];
  const found = [...ofTicks, ...bracedShell(text)].filter(({ command }) => command !== '');
  return found.toSorted((a, b) => a.from - b.from)[0];
}

/** The first whose braces close; what is never closed is text. */
function bracedShell(text: string): FoundShell[] {
  for (let from = text.indexOf('!{'); from !== -1; from = text.indexOf('!{', from + 1)) {
    let depth = 0;
    for (let at = from + 1; at < text.length; at += 1) {
      if (text[at] === '{') depth += 1;
      else if (text[at] === '}') depth -= 1;
      if (depth === 0) return [{ from, to: at + 1, command: text.slice(from + 2, at).trim() }];
    }
  }
  return [];
}

const BLANK = /\$ARGUMENTS\b|\$([1-9])(?!\d)|\{\{args\}\}|@\{([^}\n]+)\}/g;

/** Whether what is typed behind the name has a place of its own. */
export function hasBlanks(template: string): boolean {
  return /\$ARGUMENTS\b|\$[1-9](?!\d)|\{\{args\}\}/.test(template);
}

/** `$ARGUMENTS`, `{{args}}`, `$1` to `$9`, and `@{path}`, which becomes a mention. In one pass: what is typed stays as it is. */
export function fillText(text: string, typed: string): string {
  const words = splitArguments(typed);
  return text.replaceAll(BLANK, (_, digit: string | undefined, path: string | undefined) => {
    if (path !== undefined) return `@"${path.trim()}"`;
    return digit === undefined ? typed : (words[Number(digit) - 1] ?? '');
  });
}

/** The same in a command: what is typed is one word of it, whatever it holds. */
export function fillCommand(command: string, typed: string): string {
  const words = splitArguments(typed);
  return command.replaceAll(BLANK, (found, digit: string | undefined, path: string | undefined) => {
    if (path !== undefined) return found;
    const value = digit === undefined ? typed : (words[Number(digit) - 1] ?? '');
    return value === '' ? '' : shellWord(value);
  });
}

/** Words as a shell has them: blanks part them, quotes of both kinds hold them together. Pure. */
export function splitArguments(typed: string): readonly string[] {
  return [...typed.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\s"']|["'])+/gs)].map(([word]) =>
    word.replaceAll(/"((?:\\.|[^"\\])*)"|'([^']*)'/gs, (_, double: string | undefined, single: string | undefined) =>
      double === undefined ? (single ?? '') : double.replaceAll(/\\(["\\])/g, '$1'),
    ),
  );
}
