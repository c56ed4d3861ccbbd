import type { Position } from 'vscode-languageserver-protocol';
import { count } from '../util/count.js';
import type { LanguageServer } from './language-server.js';
import { languageIdOf } from './server-spec.js';
import type { QueryContext } from './query-context.js';
import { distinct, enclosing } from './shapes.js';

/** A place that is to be shown, with what is said of it where that is known already. */
export interface Mention {
  readonly path: string;
  readonly position: Position;
  /** In place of the enclosing symbol. */
  readonly note?: string;
}

/** As it is shown; lines and columns count from 1. */
export interface DescribedPlace {
  /** Relative to the workspace, absolute outside. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** The line's text, without the white space around it; empty for a file that is not read. */
  readonly text: string;
  /** The symbols around it, or the note. */
  readonly within: string;
  readonly isExternal: boolean;
}

export interface DescribedPlaces {
  readonly shown: readonly DescribedPlace[];
  /** All that may be told. */
  readonly total: number;
  readonly files: number;
  /** Left out: ignored, or kept back by rules. */
  readonly hidden: number;
}

/** Opening a file costs a server more than telling of it; places in further files come without their symbol. */
const MOST_FILES_ASKED = 20;
const LONGEST_LINE = 200;

/** By file, in the order of lines; what is hidden is counted and not told. */
export async function describePlaces(
  server: LanguageServer,
  mentions: readonly Mention[],
  context: QueryContext,
): Promise<DescribedPlaces> {
  const distinctMentions = distinct(mentions, ({ path, position, note }) =>
    [path, position.line, position.character, note].join('\0'),
  );
  const open = distinctMentions.filter(({ path }) => !context.isInside(path) || !context.isWithheld(path));
  const told = open.filter(({ path }) => !context.isHidden(path));
  // A definition in an installed package is worth more than a number.
  const visible = told.length > 0 ? told : open;
  const byFile = new Map<string, Mention[]>();
  for (const one of visible) byFile.set(one.path, [...(byFile.get(one.path) ?? []), one]);
  const rank = (path: string): number => (context.isInside(path) ? 0 : 1);
  const paths = [...byFile.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const shown: DescribedPlace[] = [];
  let asked = 0;
  for (const path of paths) {
    const places = (byFile.get(path) ?? []).toSorted(
      (a, b) => a.position.line - b.position.line || a.position.character - b.position.character,
    );
    const needsSymbols = places.some(({ note }) => note === undefined);
    const mayAsk = needsSymbols && asked < MOST_FILES_ASKED && context.isInside(path);
    if (mayAsk) asked += 1;
    for (const place of places) {
      if (shown.length === context.limit) break;
      shown.push(await describe(server, place, context, mayAsk));
    }
  }
  const hidden = distinctMentions.length - visible.length;
  return { shown, total: visible.length, files: paths.length, hidden };
}

async function describe(
  server: LanguageServer,
  { path, position, note }: Mention,
  context: QueryContext,
  mayAsk: boolean,
): Promise<DescribedPlace> {
  const isExternal = !context.isInside(path);
  const text = isExternal ? undefined : await context.text(path);
  const asks = mayAsk && note === undefined && text !== undefined && languageIdOf(server.spec, path) !== undefined;
  const symbols = asks ? await context.symbols(server, path).catch(() => []) : [];
  return {
    path: context.shown(path),
    line: position.line + 1,
    column: position.character + 1,
    text: shortened((text?.line(position.line) ?? '').trim()),
    within: note ?? enclosing(symbols, position).join('.'),
    isExternal,
  };
}

function shortened(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

/** `path:line:col  text  [enclosing]`, one line each, and what is not shown. */
export function placesText({ shown, total, hidden }: DescribedPlaces): string {
  const lines = shown.map(({ path, line, column, text, within, isExternal }) => {
    const parts = [
      `${path}:${line}:${column}`,
      text,
      within === '' ? '' : `[${within}]`,
      isExternal ? '(outside the workspace)' : '',
    ];
    return parts.filter((part) => part !== '').join('  ');
  });
  if (total > shown.length) lines.push(`… ${total - shown.length} more (give a higher limit)`);
  if (hidden > 0) lines.push(hiddenText(hidden));
  return lines.join('\n');
}

export function hiddenText(hidden: number): string {
  return `(${count(hidden, 'result')} in files that are ignored or kept back by rules not shown.)`;
}
