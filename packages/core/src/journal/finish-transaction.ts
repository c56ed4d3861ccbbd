import { dirname } from 'node:path';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { syncFolder } from './durable-file.js';
import type { Intent, PlannedChange } from './intent.js';
import type { JournalEntry } from './journal-entry.js';
import { runPool } from './run-pool.js';
import { atTarget } from './target-state.js';
import type { TransactionServices } from './transaction-services.js';

const FOLDERS_AT_ONCE = 4;

/** All targets are as they are to be: puts that on the disk, clears up, and makes the intent the entry. */
export async function finishTransaction(
  services: TransactionServices,
  { entry, plan, emptyFolders }: Intent,
): Promise<void> {
  const { gate, log, pending, onStep } = services;
  // First, because a folder with an old file in it is not empty.
  await clearBeside(services, entry, plan);
  for (const folder of emptyFolders) await gate.removeEmptyFolder(folder, { expected: folder }).catch(() => false);
  onStep('before sync');
  const folders = new Set(
    [...entry.changes.map(({ path }) => path), ...entry.madeFolders, ...emptyFolders].map(dirname),
  );
  await runPool([...folders], FOLDERS_AT_ONCE, (folder) => syncFolderInside(gate, folder));
  onStep('after sync');
  await log.make();
  onStep('before done');
  await pending.promote(entry.id, log.pathOf(entry.id));
  onStep('after done');
}

/** Nothing of the transaction but the targets stays beside them. */
export async function clearBeside(
  { gate, contents, onStep }: TransactionServices,
  { changes }: JournalEntry,
  plan: readonly PlannedChange[],
): Promise<void> {
  for (const [index, { path, before }] of changes.entries()) {
    const names = plan[index];
    if (names === undefined) continue;
    await atTarget(gate, path, async ({ steps }) => {
      onStep('before clear');
      steps.discard(names.staged);
      if (names.adopt && before.kind === 'file')
        await contents.adopt(before.hash, (to) => steps.moveOut(names.aside, to));
      steps.discard(names.aside);
      onStep('after clear');
    });
  }
}

/** So that names survive a power cut. Not every file system can, and a folder that is gone need not. */
async function syncFolderInside(gate: WorkspaceGate, path: string): Promise<void> {
  try {
    await gate.withFolder(path, ({ workingDirectory }) => syncFolder(`${workingDirectory}/.`));
  } catch {
    // See above.
  }
}
