import { errorMessage } from '../util/failure.js';
import type { Intent } from './intent.js';
import { restore } from './swap-file.js';
import { atTarget } from './target-state.js';
import type { TransactionServices } from './transaction-services.js';

/**
 * Brings the touched targets back to what they were and clears all else of the transaction away. What cannot be brought
 * back stays as it is: a sentence for each. The intent stays when trying again later may help.
 */
export async function takeBack(
  services: TransactionServices,
  intent: Intent,
  touched: ReadonlySet<number>,
): Promise<readonly string[]> {
  const { gate, contents, pending, onStep } = services;
  const { entry, plan } = intent;
  const left: string[] = [];
  let mayHelpLater = false;
  if (touched.size > 0) {
    // Whoever finds it half taken back must not finish it.
    await pending.write({ ...intent, failed: true }, true).catch(() => undefined);
  }
  for (const [index, change] of [...entry.changes.entries()].reverse()) {
    const planned = plan[index];
    if (planned === undefined) continue;
    try {
      await atTarget(gate, change.path, async (handle) => {
        onStep('before back');
        if (touched.has(index) && !(await restore(handle, { change, plan: planned, contents })))
          left.push(`${change.path} was changed by somebody else meanwhile and was left as it is.`);
        handle.steps.discard(planned.staged);
        handle.steps.discard(planned.aside);
        onStep('after back');
      });
    } catch (thrown) {
      mayHelpLater = true;
      left.push(`${change.path} could not be brought back: ${errorMessage(thrown)}`);
    }
  }
  for (const folder of [...entry.madeFolders].reverse())
    await gate.removeEmptyFolder(folder, { expected: folder }).catch(() => false);
  if (!mayHelpLater) await pending.drop(entry.id).catch(() => undefined);
  return left;
}
