import { errorMessage } from '../util/failure.js';
import { clearBeside, finishTransaction } from './finish-transaction.js';
import type { Intent } from './intent.js';
import { isAlive } from './process-mark.js';
import { complete, progressOf, type SwapProgress } from './swap-file.js';
import { takeBack } from './take-back.js';
import { atTarget } from './target-state.js';
import type { TransactionServices } from './transaction-services.js';

/**
 * Deals with the transactions of processes that ended before they were done: finishes those that had touched a file,
 * clears the others away. A file that somebody else changed since is left alone. Gives a sentence for each thing that a
 * person should know. Costs one look into a folder when there is nothing to do.
 */
export async function recoverJournal(services: TransactionServices): Promise<readonly string[]> {
  const { intents, problems } = await services.pending.read();
  const told = [...problems];
  for (const intent of intents) {
    if (isAlive(intent.owner) === true) continue;
    try {
      const names = [...intent.entry.changes.map(({ path }) => path), ...intent.emptyFolders];
      await services.locks.holding(names, async () => {
        // Whoever held the locks until now may have dealt with it.
        const current = (await services.pending.read()).intents.find(({ entry }) => entry.id === intent.entry.id);
        if (current !== undefined) told.push(...(await recoverIntent(services, current)));
      });
    } catch (thrown) {
      told.push(`An interrupted change (${titleOf(intent)}) could not be repaired: ${errorMessage(thrown)}`);
    }
  }
  return told;
}

function titleOf({ entry }: Intent): string {
  return entry.call?.title ?? entry.id;
}

async function recoverIntent(services: TransactionServices, intent: Intent): Promise<readonly string[]> {
  const every = new Set(intent.entry.changes.keys());
  if (!intent.ready) return takeBack(services, intent, new Set());
  if (intent.failed) return takeBack(services, intent, every);
  const progress = await lookAtAll(services, intent);
  if (!progress.some((one) => one === 'done' || one === 'begun')) {
    if (intent.entry.changes.length > 0) return takeBack(services, intent, new Set());
  }
  const missing = await completeAll(services, intent, progress);
  if (missing) return takeBack(services, intent, every);
  return settle(services, intent, progress);
}

async function lookAtAll({ gate, contents }: TransactionServices, { entry, plan }: Intent): Promise<SwapProgress[]> {
  const progress: SwapProgress[] = [];
  for (const [index, change] of entry.changes.entries()) {
    const planned = plan[index];
    if (planned === undefined) continue;
    progress.push(
      await atTarget(gate, change.path, (handle) => progressOf(handle, { change, plan: planned, contents })),
    );
  }
  return progress;
}

/** True when something that is needed is not there any more. */
async function completeAll(
  { gate, contents, onStep }: TransactionServices,
  { entry, plan }: Intent,
  progress: readonly SwapProgress[],
): Promise<boolean> {
  for (const [index, change] of entry.changes.entries()) {
    const planned = plan[index];
    if (planned === undefined || (progress[index] !== 'untouched' && progress[index] !== 'begun')) continue;
    onStep('before completing');
    if (!(await atTarget(gate, change.path, (handle) => complete(handle, { change, plan: planned, contents }))))
      return true;
    onStep('after completing');
  }
  return false;
}

/** The entry tells of what was made; what others changed meanwhile is theirs. */
async function settle(
  services: TransactionServices,
  intent: Intent,
  progress: readonly SwapProgress[],
): Promise<readonly string[]> {
  const foreign = new Set([...progress.keys()].filter((index) => progress[index] === 'foreign'));
  if (foreign.size === 0) {
    await finishTransaction(services, intent);
    return [];
  }
  await clearBeside(services, intent.entry, intent.plan);
  const isOurs = (_: unknown, index: number): boolean => !foreign.has(index);
  const entry = { ...intent.entry, changes: intent.entry.changes.filter(isOurs) };
  const partial = { ...intent, entry, plan: intent.plan.filter(isOurs) };
  await services.pending.write(partial, true);
  await finishTransaction(services, partial);
  return [...foreign].map((index) => {
    const path = intent.entry.changes[index]?.path ?? '';
    return `An interrupted change (${titleOf(intent)}) was finished, except in ${path}, which somebody else changed meanwhile.`;
  });
}
