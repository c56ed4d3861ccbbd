import type { Options } from '../arguments/parse-arguments.js';
import { answering, openChanges, selectionOf } from '../changed-calls.js';
import { ExitCode } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { revertLines } from '../ui/changes-view.js';
import { jsonText } from '../ui/json-line.js';
import { warn } from '../ui/say.js';

/** `tenon undo [N|ID] [--turn] [--to ID]` and `tenon redo`, both with `[--dry-run] [--json]`. */
export async function undoCommand(
  surroundings: Surroundings,
  command: 'undo' | 'redo',
  words: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const { out, err } = surroundings;
  const selection = selectionOf(words[0], options);
  const changes = await openChanges(surroundings, options);
  const dryRun = options.dryRun === true;
  const report = await answering(command === 'undo' ? changes.undo(selection, { dryRun }) : changes.redo({ dryRun }));
  await warn(err, report.problems);
  if (options.json) await out.writeData(jsonText(report));
  else await out.write(revertLines(report));
  return report.complete ? ExitCode.OK : ExitCode.NOT_UNDONE;
}
