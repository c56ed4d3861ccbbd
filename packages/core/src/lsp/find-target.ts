import type { Position } from 'vscode-languageserver-protocol';
import { Failure } from '../util/failure.js';
import { describePlaces, placesText } from './describe-places.js';
import type { LanguageServer } from './language-server.js';
import { comparePositions, type LinedText, wordColumns } from './places.js';
import type { QueryContext } from './query-context.js';
import { distinct, foundSymbolsOf, kindWord, shortName, type FoundSymbol, type SymbolNode } from './shapes.js';

/** What a call says of where it points; line and character count from 1. */
export interface Pointer {
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly symbol?: string | undefined;
}

export interface Target {
  readonly path: string;
  readonly position: Position;
  /** What was guessed. */
  readonly note: string;
}

/** Lines away from the named one that are looked at, for a model that counted wrongly. */
const NEAR_LINES = 3;

/** Where in a file a call points. @throws Failure `lsp_symbol_not_found`, `lsp_ambiguous_symbol`, `invalid_tool_params` */
export async function targetInFile(
  server: LanguageServer,
  path: string,
  pointer: Pointer,
  context: QueryContext,
): Promise<Target> {
  const text = await context.text(path);
  if (text === undefined) throw new Failure('file_not_found', `No text file: ${context.shown(path)}`);
  const { line, character, symbol } = pointer;
  if (line !== undefined && line > text.lineCount)
    throw new Failure('invalid_tool_params', `${context.shown(path)} has ${text.lineCount} lines, not ${line}.`);
  if (symbol !== undefined) {
    return line === undefined
      ? symbolInFile(server, path, symbol, text, context)
      : symbolOnLine({ path, symbol, line: line - 1, character }, text, context);
  }
  if (line === undefined) throw new Failure('invalid_tool_params', 'Give symbol, or line with symbol or character.');
  if (character !== undefined) return { path, position: { line: line - 1, character: character - 1 }, note: '' };
  const declared = flat(await context.symbols(server, path)).filter(
    ({ selection }) => selection.start.line === line - 1,
  );
  const [only, second] = declared;
  if (only === undefined || second !== undefined)
    throw new Failure('invalid_tool_params', `Give the symbol on line ${line}, by name (symbol) or by character.`);
  return { path, position: nameAt(text, only), note: `Taken: ${shortName(only.name)}.` };
}

function symbolOnLine(
  wanted: {
    readonly path: string;
    readonly symbol: string;
    readonly line: number;
    readonly character: number | undefined;
  },
  text: LinedText,
  context: QueryContext,
): Target {
  const { path, symbol, line, character } = wanted;
  const name = lastName(symbol);
  const columns = wordColumns(text.line(line), name);
  const near = (column: number): number => Math.abs(column - ((character ?? 1) - 1));
  const [best] = columns.toSorted((a, b) => near(a) - near(b));
  if (best !== undefined) return { path, position: { line, character: best }, note: '' };
  for (let away = 1; away <= NEAR_LINES; away += 1) {
    const found = [line - away, line + away].flatMap((at) =>
      wordColumns(text.line(at), name).map((column) => ({ line: at, character: column })),
    );
    const [position, other] = found;
    if (position !== undefined && other?.line !== position.line && other !== undefined) break;
    if (position !== undefined)
      return { path, position, note: `Line ${line + 1} has no ${name}; taken on line ${position.line + 1}.` };
  }
  const places = occurrences(text, name).slice(0, 5);
  const where = places.length === 0 ? '' : ` It occurs on lines ${places.map((at) => at.line + 1).join(', ')}.`;
  throw new Failure(
    'lsp_symbol_not_found',
    `Line ${line + 1} of ${context.shown(path)} has no symbol ${name}: ${text.line(line).trim().slice(0, 120)}${where === '' ? '' : `.${where}`}`,
  );
}

async function symbolInFile(
  server: LanguageServer,
  path: string,
  symbol: string,
  text: LinedText,
  context: QueryContext,
): Promise<Target> {
  const found = named(await context.symbols(server, path), symbol.split(/[.#]|::/));
  const places = distinct(
    found.map((node) => ({ node, position: nameAt(text, node) })),
    ({ position }) => `${position.line}:${position.character}`,
  );
  const [only, second] = places;
  if (only !== undefined && second === undefined) return { path, position: only.position, note: '' };
  if (second !== undefined) {
    const mentions = places.map(({ node, position }) => ({ path, position, note: kindWord(node.kind) }));
    throw await ambiguous(server, symbol, mentions, context);
  }
  const [first] = occurrences(text, lastName(symbol));
  if (first === undefined) throw new Failure('lsp_symbol_not_found', `${context.shown(path)} has no symbol ${symbol}.`);
  return {
    path,
    position: first,
    note: `${symbol} is not declared there; taken where it occurs on line ${first.line + 1}.`,
  };
}

/** A symbol anywhere in the workspace, by its name. */
export async function targetInWorkspace(
  server: LanguageServer,
  symbol: string,
  context: QueryContext,
): Promise<Target> {
  const lack = server.lacks('workspace/symbol');
  if (lack !== undefined) throw new Failure('lsp_unsupported', `${lack}. Give filePath with symbol.`);
  const name = lastName(symbol);
  const answer = await server.request('workspace/symbol', { query: name }, context.signal);
  const exact = foundSymbolsOf(answer).filter((one) => isNamed(one, symbol) && !context.isHidden(one.path));
  const inside = exact.filter(({ path }) => context.isInside(path));
  const candidates = inside.length > 0 ? inside : exact;
  const places = await Promise.all(
    candidates.map(async (one) => {
      const text = await context.text(one.path);
      const position = text === undefined ? one.range.start : nameFrom(text, one.range.start, name);
      return { path: one.path, position, note: kindWord(one.kind) };
    }),
  );
  const [only, second] = distinct(places, ({ path, position }) => `${path}\0${position.line}:${position.character}`);
  if (only === undefined)
    throw new Failure('lsp_symbol_not_found', `${server.spec.name} knows no symbol ${symbol} in the workspace.`);
  if (second !== undefined) throw await ambiguous(server, symbol, places, context);
  return { path: only.path, position: only.position, note: '' };
}

async function ambiguous(
  server: LanguageServer,
  symbol: string,
  mentions: readonly { readonly path: string; readonly position: Position; readonly note: string }[],
  context: QueryContext,
): Promise<Failure> {
  const described = await describePlaces(server, mentions, context);
  return new Failure(
    'lsp_ambiguous_symbol',
    `${symbol} is the name of several symbols. Give filePath and line of one:\n${placesText(described)}`,
  );
}

function isNamed({ name, container }: FoundSymbol, symbol: string): boolean {
  const parts = symbol.split(/[.#]|::/);
  const own = shortName(name);
  if (own !== parts.at(-1) && own !== symbol) return false;
  const outer = parts.at(-2);
  return outer === undefined || own === symbol || container === '' || container.split(/[.#]|::/).at(-1) === outer;
}

/** Symbols whose own name and those around it end so. */
function named(symbols: readonly SymbolNode[], parts: readonly string[], around: readonly string[] = []): SymbolNode[] {
  return symbols.flatMap((node) => {
    const path = [...around, shortName(node.name)];
    const isOne = parts.every((part, index) => path[path.length - parts.length + index] === part);
    return [...(isOne ? [node] : []), ...named(node.children, parts, path)];
  });
}

function flat(symbols: readonly SymbolNode[]): readonly SymbolNode[] {
  return symbols.flatMap((node) => [node, ...flat(node.children)]);
}

/** Some servers give the range of a whole declaration where its name is asked for. */
function nameAt(text: LinedText, { name, selection }: SymbolNode): Position {
  return nameFrom(text, selection.start, shortName(name));
}

export function nameFrom(text: LinedText, start: Position, name: string): Position {
  for (let line = start.line; line <= start.line + 2; line += 1) {
    const from = line === start.line ? start.character : 0;
    const column = wordColumns(text.line(line), name).find((at) => at >= from);
    if (column !== undefined) return { line, character: column };
  }
  return start;
}

function occurrences(text: LinedText, name: string): readonly Position[] {
  const found: Position[] = [];
  for (let line = 0; line < text.lineCount; line += 1)
    for (const character of wordColumns(text.line(line), name)) found.push({ line, character });
  return found.sort(comparePositions);
}

function lastName(symbol: string): string {
  return symbol.split(/[.#]|::/).at(-1) ?? symbol;
}
