import { realpathSync } from 'node:fs';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import type { Undo } from '../journal/undo.js';
import { openMemoryGate } from '../memory/open-memory-gate.js';
import { Failure } from '../util/failure.js';
import { projectFolders } from './project-folders.js';

export interface OpenUndoOptions {
  /** Existing folders, absolute; the first is the one whose log it is. */
  readonly roots: readonly string[];
  /** Tenon's own folder. */
  readonly tenonHome: string;
}

/**
 * Undo and redo of what was changed in a project, by whatever session: they need neither settings nor a model.
 * @throws Failure `home_unusable`, `no_workspace`
 */
export function openUndo({ roots, tenonHome }: OpenUndoOptions): Undo {
  const [first] = roots;
  if (first === undefined) throw new Failure('no_workspace', 'An undo needs at least one workspace folder.');
  const folders = projectFolders(tenonHome, realpathSync.native(first));
  const canonical = roots.map((root) => realpathSync.native(root));
  const ignore = new IgnoreRules(QWEN_IGNORE, canonical);
  // Facts that were saved for all projects are taken back as well.
  const gate = openMemoryGate({ roots, tempDir: folders.temp, ignore, home: tenonHome });
  let opened: Promise<Undo> | undefined;
  const open = (): Promise<Undo> => (opened ??= loadUndo(gate, folders.journal));
  return {
    log: async (options) => (await open()).log(options),
    diff: async (selection) => (await open()).diff(selection),
    undo: async (selection, options) => (await open()).undo(selection, options),
    changes: async () => (await open()).changes(),
    filesWithin: async (wanted) => (await open()).filesWithin(wanted),
    redo: async (options) => (await open()).redo(options),
  };
}

/** Who takes nothing back need not load what it takes. */
async function loadUndo(gate: WorkspaceGate, folder: string): Promise<Undo> {
  const [{ createUndo }, { FileJournal }] = await Promise.all([
    import('../journal/undo.js'),
    import('../journal/file-journal.js'),
  ]);
  return createUndo({ gate, journal: new FileJournal({ gate, folder }) });
}
