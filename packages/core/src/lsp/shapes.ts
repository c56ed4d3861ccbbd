import type {
  CallHierarchyItem,
  DocumentSymbol,
  Hover,
  Location,
  LocationLink,
  Position,
  Range,
  SymbolInformation,
  WorkspaceSymbol,
} from 'vscode-languageserver-protocol';
import { comparePositions, holds, pathOf } from './places.js';

/** A place in a file: absolute path, position as the protocol counts. */
export interface Place {
  readonly path: string;
  readonly range: Range;
}

/** `Location`, `LocationLink`, a list of either, or nothing; duplicates and what is no file left out. */
export function placesOf(answer: unknown): readonly Place[] {
  const list: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const places = list.flatMap((one): Place[] => {
    if (typeof one !== 'object' || one === null) return [];
    const link = one as Partial<LocationLink & Location>;
    const path = pathOf(link.targetUri ?? link.uri ?? '');
    const range = link.targetSelectionRange ?? link.targetRange ?? link.range;
    return path === undefined || !isRange(range) ? [] : [{ path, range }];
  });
  return distinct(places, placeKey);
}

export function placeKey({ path, range: { start } }: Place): string {
  return `${path}\0${start.line}\0${start.character}`;
}

export function distinct<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [keyOf(item), item] as const).reverse()).values()].reverse();
}

/** A symbol of a file, whichever of the two forms the server gave. */
export interface SymbolNode {
  readonly name: string;
  readonly kind: number;
  readonly detail: string;
  /** All of it. */
  readonly range: Range;
  /** Where its name is, or near it. */
  readonly selection: Range;
  readonly children: readonly SymbolNode[];
}

/** In the order of the file; flat lists are nested by their ranges. */
export function symbolsOf(answer: unknown): readonly SymbolNode[] {
  if (!Array.isArray(answer)) return [];
  const isFlat = answer.some((one: unknown) => typeof one === 'object' && one !== null && 'location' in one);
  if (isFlat) return nested((answer as SymbolInformation[]).filter(({ location }) => isRange(location.range)));
  return sorted((answer as DocumentSymbol[]).filter(({ range }) => isRange(range)).map(nodeOf));
}

function nodeOf({ name, kind, detail = '', range, selectionRange, children = [] }: DocumentSymbol): SymbolNode {
  const selection = isRange(selectionRange) ? selectionRange : range;
  return { name, kind, detail, range, selection, children: sorted(children.map(nodeOf)) };
}

function sorted(nodes: readonly SymbolNode[]): readonly SymbolNode[] {
  return nodes.toSorted((a, b) => comparePositions(a.selection.start, b.selection.start));
}

function nested(flat: readonly SymbolInformation[]): readonly SymbolNode[] {
  interface Open extends SymbolNode {
    readonly children: Open[];
  }
  const ordered = flat.toSorted(
    (a, b) =>
      comparePositions(a.location.range.start, b.location.range.start) ||
      comparePositions(b.location.range.end, a.location.range.end),
  );
  const roots: Open[] = [];
  const path: Open[] = [];
  for (const { name, kind, location } of ordered) {
    const { range } = location;
    const node: Open = { name, kind, detail: '', range, selection: range, children: [] };
    while (path.length > 0 && !contains(path.at(-1)?.range, range)) path.pop();
    (path.at(-1)?.children ?? roots).push(node);
    path.push(node);
  }
  return roots;
}

function contains(outer: Range | undefined, inner: Range): boolean {
  return outer !== undefined && holds(outer, inner.start) && holds(outer, inner.end);
}

/** The names of the symbols around a place, from the outermost on; not the one whose name stands there. */
export function enclosing(symbols: readonly SymbolNode[], position: Position): readonly string[] {
  for (const symbol of symbols) {
    if (!holds(symbol.range, position)) continue;
    const inner = enclosing(symbol.children, position);
    if (inner.length > 0) return [shortName(symbol.name), ...inner];
    if (holds(symbol.selection, position) && comparePositions(symbol.selection.start, position) === 0) return [];
    return [shortName(symbol.name)];
  }
  return [];
}

/** Some servers put parameters into a name. */
export function shortName(name: string): string {
  return name.replace(/\(.*$/s, '').trim() || name;
}

/** A symbol that was found in the workspace. */
export interface FoundSymbol extends Place {
  readonly name: string;
  readonly kind: number;
  readonly container: string;
}

export function foundSymbolsOf(answer: unknown): readonly FoundSymbol[] {
  if (!Array.isArray(answer)) return [];
  const found = (answer as (WorkspaceSymbol | SymbolInformation)[]).flatMap((one): FoundSymbol[] => {
    const path = pathOf(one.location.uri);
    const range = 'range' in one.location && isRange(one.location.range) ? one.location.range : START;
    const container = one.containerName ?? '';
    return path === undefined ? [] : [{ path, range, name: one.name, kind: one.kind, container }];
  });
  return distinct(found, (one) => `${placeKey(one)}\0${one.name}`);
}

const START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** A call, and the places that it is made from. */
export interface CallTie extends Place {
  readonly name: string;
  readonly kind: number;
  /** In the caller's file. */
  readonly calls: readonly Range[];
}

/** Of `callHierarchy/incomingCalls` and `outgoingCalls`; those that are alike are one. */
export function callTiesOf(answer: unknown): readonly CallTie[] {
  if (!Array.isArray(answer)) return [];
  const ties = new Map<string, CallTie>();
  for (const one of answer as { from?: CallHierarchyItem; to?: CallHierarchyItem; fromRanges?: Range[] }[]) {
    const item = one.from ?? one.to;
    const path = item === undefined ? undefined : pathOf(item.uri);
    if (item === undefined || path === undefined) continue;
    const tie = { path, range: item.selectionRange, name: item.name, kind: item.kind };
    const key = `${placeKey(tie)}\0${tie.name}`;
    const calls = [...(ties.get(key)?.calls ?? []), ...(one.fromRanges ?? []).filter(isRange)];
    ties.set(key, { ...tie, calls: distinct(calls, ({ start }) => `${start.line}:${start.character}`) });
  }
  return [...ties.values()];
}

/** What a hover says, as text; empty where it says nothing. */
export function hoverText(answer: unknown): string {
  const contents = typeof answer === 'object' && answer !== null ? (answer as Partial<Hover>).contents : undefined;
  const parts: readonly unknown[] = Array.isArray(contents) ? contents : [contents];
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (typeof part !== 'object' || part === null || !('value' in part) || typeof part.value !== 'string') return '';
      return 'language' in part && typeof part.language === 'string'
        ? `\`\`\`${part.language}\n${part.value}\n\`\`\``
        : part.value;
    })
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}

const KINDS = [
  'symbol',
  'file',
  'module',
  'namespace',
  'package',
  'class',
  'method',
  'property',
  'field',
  'constructor',
  'enum',
  'interface',
  'function',
  'variable',
  'constant',
  'string',
  'number',
  'boolean',
  'array',
  'object',
  'key',
  'null',
  'enum member',
  'struct',
  'event',
  'operator',
  'type parameter',
] as const;

export function kindWord(kind: number): string {
  return KINDS[kind] ?? 'symbol';
}

function isRange(value: unknown): value is Range {
  if (typeof value !== 'object' || value === null || !('start' in value) || !('end' in value)) return false;
  const isPosition = (one: unknown): boolean =>
    typeof one === 'object' &&
    one !== null &&
    'line' in one &&
    'character' in one &&
    typeof one.line === 'number' &&
    typeof one.character === 'number';
  return isPosition(value.start) && isPosition(value.end);
}
