import type {
  CallHierarchyItem,
  DocumentSymbol,
  Location,
  Position,
  Range,
  SymbolInformation,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { uriOf } from '../places.js';

/** Lines and offsets count from 1 in all of these. */
export interface TsPlace {
  readonly line: number;
  readonly offset: number;
}

export interface TsSpan {
  readonly start: TsPlace;
  readonly end: TsPlace;
}

export interface TsFileSpan extends TsSpan {
  readonly file: string;
}

export interface TsTree {
  readonly text: string;
  readonly kind: string;
  readonly spans: readonly TsSpan[];
  readonly nameSpan?: TsSpan;
  readonly childItems?: readonly TsTree[];
}

export interface TsCallItem {
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly span: TsSpan;
  readonly selectionSpan: TsSpan;
}

export interface TsFound extends TsFileSpan {
  readonly name: string;
  readonly kind: string;
  readonly containerName?: string;
}

export interface TsRenamed {
  readonly info: { readonly canRename: boolean; readonly localizedErrorMessage?: string };
  readonly locs: readonly {
    readonly file: string;
    readonly locs: readonly (TsSpan & { readonly prefixText?: string; readonly suffixText?: string })[];
  }[];
}

export interface TsFileEdit {
  readonly fileName: string;
  readonly textChanges: readonly (TsSpan & { readonly newText: string })[];
}

function positionOf({ line, offset }: TsPlace): Position {
  return { line: line - 1, character: offset - 1 };
}

export function rangeOf({ start, end }: TsSpan): Range {
  return { start: positionOf(start), end: positionOf(end) };
}

export function locationOf(span: TsFileSpan): Location {
  return { uri: uriOf(span.file), range: rangeOf(span) };
}

/** What does not stand here is a variable. */
const KINDS: ReadonlyMap<string, DocumentSymbol['kind']> = new Map<string, DocumentSymbol['kind']>([
  ['script', 1],
  ['module', 2],
  ['class', 5],
  ['local class', 5],
  ['method', 6],
  ['construct signature', 9],
  ['constructor', 9],
  ['property', 7],
  ['getter', 7],
  ['setter', 7],
  ['enum', 10],
  ['enum member', 22],
  ['interface', 11],
  ['type', 11],
  ['function', 12],
  ['local function', 12],
  ['const', 14],
  ['type parameter', 26],
]);

export function kindOf(kind: string): DocumentSymbol['kind'] {
  return KINDS.get(kind) ?? 13;
}

/** The symbols below the file itself; imports are none. */
export function symbolsOfTree({ childItems = [] }: TsTree): DocumentSymbol[] {
  return childItems
    .filter(({ kind, spans }) => kind !== 'alias' && spans.length > 0)
    .map((item) => {
      const [first] = item.spans;
      const range = first === undefined ? EMPTY : rangeOf(first);
      return {
        name: item.text,
        kind: kindOf(item.kind),
        range,
        selectionRange: item.nameSpan === undefined ? range : rangeOf(item.nameSpan),
        children: symbolsOfTree(item),
      };
    });
}

const EMPTY: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

export function foundSymbol(found: TsFound): SymbolInformation {
  const container = found.containerName ?? '';
  return {
    name: found.name,
    kind: kindOf(found.kind),
    location: locationOf(found),
    ...(container !== '' && { containerName: container }),
  };
}

export function callItem({ name, kind, file, span, selectionSpan }: TsCallItem): CallHierarchyItem {
  return { name, kind: kindOf(kind), uri: uriOf(file), range: rangeOf(span), selectionRange: rangeOf(selectionSpan) };
}

export function renameEdit({ locs }: TsRenamed, newName: string): WorkspaceEdit {
  const changes = locs.map(({ file, locs: spans }): [string, TextEdit[]] => [
    uriOf(file),
    spans.map((span) => ({
      range: rangeOf(span),
      newText: `${span.prefixText ?? ''}${newName}${span.suffixText ?? ''}`,
    })),
  ]);
  return { changes: Object.fromEntries(changes) };
}

export function fileEdits(edits: readonly TsFileEdit[]): WorkspaceEdit {
  const changes = edits.map(({ fileName, textChanges }): [string, TextEdit[]] => [
    uriOf(fileName),
    textChanges.map((change) => ({ range: rangeOf(change), newText: change.newText })),
  ]);
  return { changes: Object.fromEntries(changes) };
}
