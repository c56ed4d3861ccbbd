import type {
  CreateFile,
  DeleteFile,
  RenameFile,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { Failure } from '../util/failure.js';
import { LinedText, pathOf } from './places.js';
import { applyTextEdits } from './text-edits.js';

/** One file of a workspace edit, before and after; null: there is none. */
export interface EditedFile {
  /** Absolute. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Where its text came from, for a file that was moved. */
  readonly movedFrom?: string;
}

export interface EditSources {
  /** Null: there is no file. @throws Failure for what may not be read, or is no text */
  readonly read: (path: string) => Promise<string | null>;
  /** The version of the text that the server was told; undefined for a file that it does not hold open. */
  readonly versionOf: (path: string) => number | undefined;
  /** Told each text that is replaced, with its file. @throws Failure for what cannot be meant */
  readonly seeReplaced?: (replaced: string, path: string) => void;
}

interface FileState {
  readonly path: string;
  readonly before: string | null;
  now: string | null;
  movedFrom: string | undefined;
}

type Change = TextDocumentEdit | CreateFile | RenameFile | DeleteFile;

/** What edits would make of files, without changing any. @throws Failure `lsp_bad_edit`, `file_changed`, and those of `read` */
export async function planWorkspaceEdit(
  edits: readonly WorkspaceEdit[],
  sources: EditSources,
): Promise<readonly EditedFile[]> {
  const files = new Map<string, FileState>();
  const stateOf = async (uri: string): Promise<FileState> => {
    const path = pathOf(uri);
    if (path === undefined) throw bad(`it is about ${uri}, which is no file`);
    let state = files.get(path);
    if (state === undefined) {
      const before = await sources.read(path);
      state = { path, before, now: before, movedFrom: undefined };
      files.set(path, state);
    }
    return state;
  };
  for (const edit of edits) {
    for (const change of changesIn(edit)) {
      if ('textDocument' in change) {
        const { uri, version } = change.textDocument;
        const state = await stateOf(uri);
        const current = sources.versionOf(state.path);
        if (typeof version === 'number' && current !== undefined && version !== current)
          throw new Failure('file_changed', `The edit is for an older text of ${state.path}. Try the call again.`);
        if (state.now === null) throw bad(`it changes ${state.path}, which does not exist`);
        const plain = change.edits.map(plainEdit);
        if (sources.seeReplaced !== undefined) {
          const lined = new LinedText(state.now);
          for (const { range } of plain) {
            const replaced = lined.text.slice(lined.offsetAt(range.start), lined.offsetAt(range.end));
            sources.seeReplaced(replaced, state.path);
          }
        }
        state.now = applyTextEdits(state.now, plain);
      } else await changeFile(change, stateOf);
    }
  }
  return [...files]
    .filter(([, { before, now }]) => before !== now)
    .map(([path, { before, now, movedFrom }]) => ({
      path,
      before,
      after: now,
      ...(movedFrom !== undefined && before === null && { movedFrom }),
    }));
}

async function changeFile(
  change: CreateFile | RenameFile | DeleteFile,
  stateOf: (uri: string) => Promise<FileState>,
): Promise<void> {
  if (change.kind === 'create') {
    const file = await stateOf(change.uri);
    const { overwrite = false, ignoreIfExists = false } = change.options ?? {};
    if (file.now === null || overwrite) file.now = '';
    else if (!ignoreIfExists) throw bad(`it makes ${file.path}, which exists already`);
    return;
  }
  if (change.kind === 'delete') {
    const file = await stateOf(change.uri);
    if (file.now === null && change.options?.ignoreIfNotExists !== true)
      throw bad(`it deletes ${file.path}, which does not exist`);
    file.now = null;
    return;
  }
  const from = await stateOf(change.oldUri);
  const to = await stateOf(change.newUri);
  const { overwrite = false, ignoreIfExists = false } = change.options ?? {};
  if (from.now === null) throw bad(`it moves ${from.path}, which does not exist`);
  if (to.now !== null && !overwrite) {
    if (ignoreIfExists) return;
    throw bad(`it moves a file to ${to.path}, which exists already`);
  }
  to.now = from.now;
  to.movedFrom = from.movedFrom ?? from.path;
  from.now = null;
}

/** `documentChanges` where there are any: they are the same, and more. */
function changesIn({ documentChanges, changes }: WorkspaceEdit): readonly Change[] {
  if (documentChanges !== undefined) return documentChanges;
  return Object.entries(changes ?? {}).map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }));
}

function plainEdit(edit: TextDocumentEdit['edits'][number]): TextEdit {
  if ('snippet' in edit) throw bad('it holds a snippet, which leaves places to be filled in');
  return edit;
}

function bad(why: string): Failure {
  return new Failure('lsp_bad_edit', `The server's edit cannot be made: ${why}.`);
}
