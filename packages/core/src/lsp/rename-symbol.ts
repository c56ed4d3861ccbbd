import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import { Failure } from '../util/failure.js';
import type { LanguageServer } from './language-server.js';
import { uriOf } from './places.js';
import { refuseUnsupported, targetOf, type Query } from './queries.js';
import type { QueryContext } from './query-context.js';

export interface RenameEdit {
  readonly edits: readonly WorkspaceEdit[];
  /** The word that stands where the rename was asked for. */
  readonly oldName: string;
}

/** The edits that rename a symbol wherever it is used. @throws Failure `lsp_cannot_rename`, `lsp_unsupported` */
export async function renameSymbol(
  server: LanguageServer,
  query: Query,
  newName: string,
  context: QueryContext,
): Promise<RenameEdit> {
  refuseUnsupported(server, 'textDocument/rename', 'rename');
  const { path, position } = await targetOf(server, query, context);
  const line = (await context.text(path))?.line(position.line) ?? '';
  const oldName = wordAt(line, position.character);
  const params = { textDocument: { uri: uriOf(path) }, position, newName };
  const answer = await server.request('textDocument/rename', params, context.signal);
  const place = `${context.shown(path)}:${position.line + 1}:${position.character + 1}`;
  if (typeof answer !== 'object' || answer === null)
    throw new Failure('lsp_cannot_rename', `${server.spec.name} cannot rename what stands at ${place}.`);
  return { edits: [answer], oldName };
}

/** The word that a column lies in or at the end of; empty where there is none. */
export function wordAt(line: string, column: number): string {
  const before = /[\p{L}\p{N}_$]*$/u.exec(line.slice(0, column))?.[0] ?? '';
  const after = /^[\p{L}\p{N}_$]*/u.exec(line.slice(column))?.[0] ?? '';
  return before + after;
}
