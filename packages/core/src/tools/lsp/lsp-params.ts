import { resolve } from 'node:path';
import type { Query } from '../../lsp/queries.js';

export const LSP_OPERATIONS = [
  'goToDefinition',
  'goToTypeDefinition',
  'goToImplementation',
  'findReferences',
  'hover',
  'documentSymbol',
  'workspaceSymbol',
  'prepareCallHierarchy',
  'incomingCalls',
  'outgoingCalls',
  'diagnostics',
  'workspaceDiagnostics',
  'rename',
  'codeActions',
  'organizeImports',
] as const;
export type LspOperation = (typeof LSP_OPERATIONS)[number];

export interface LspToolParams {
  operation: LspOperation;
  filePath?: string;
  /** From 1. */
  line?: number;
  /** From 1, in UTF-16 code units. */
  character?: number;
  symbol?: string;
  query?: string;
  newName?: string;
  /** Of `codeActions`: the number or the title of one. */
  apply?: string;
  includeDeclaration?: boolean;
  limit?: number;
}

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 500;

/** What is asked of files that need not be named. */
const NEEDS_FILE: ReadonlySet<LspOperation> = new Set([
  'documentSymbol',
  'diagnostics',
  'codeActions',
  'organizeImports',
]);
const NEEDS_NOTHING: ReadonlySet<LspOperation> = new Set(['workspaceSymbol', 'workspaceDiagnostics']);

/** Whether a call changes files. */
export function changesFiles({ operation, apply }: LspToolParams): boolean {
  return (
    operation === 'rename' || operation === 'organizeImports' || (operation === 'codeActions' && apply !== undefined)
  );
}

/** Whether an answer can tell of any file of the workspace. */
export function looksAround({ operation, filePath }: LspToolParams): boolean {
  return filePath === undefined || (!NEEDS_FILE.has(operation) && operation !== 'hover');
}

/** What is missing, for the model; null where a call is whole. */
export function misused(params: LspToolParams): string | null {
  const { operation, filePath, line, symbol, character, newName, apply, query } = params;
  if (NEEDS_FILE.has(operation) && filePath === undefined) return `${operation} needs filePath.`;
  if (operation === 'workspaceSymbol' && (query ?? symbol ?? '') === '')
    return 'workspaceSymbol needs query: a part of a name.';
  if (operation === 'rename' && newName === undefined) return 'rename needs newName.';
  if (operation !== 'codeActions' && apply !== undefined) return 'apply goes with codeActions only.';
  if (operation === 'codeActions' && line === undefined && symbol === undefined)
    return 'codeActions needs line or symbol.';
  if (character !== undefined && line === undefined) return 'character needs line.';
  if (line !== undefined && filePath === undefined) return 'line needs filePath.';
  if (NEEDS_FILE.has(operation) || NEEDS_NOTHING.has(operation)) return null;
  if (symbol === undefined && line === undefined)
    return `${operation} needs symbol (a name), with filePath and line where it stands, or line and character.`;
  return null;
}

/** Relative paths are those of the first root. */
export function pathIn({ filePath }: LspToolParams, folder: string): string | undefined {
  return filePath === undefined ? undefined : resolve(folder, filePath);
}

export function queryOf(params: LspToolParams, path: string | undefined): Query {
  const { operation, line, character, symbol, includeDeclaration } = params;
  return { operation, path, line, character, symbol, includeDeclaration };
}
