import { createPainter } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { countOf, openChanges, usage } from '../changed-calls.js';
import { ExitCode } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { logLines } from '../ui/changes-view.js';
import { jsonText } from '../ui/json-line.js';
import { warn } from '../ui/say.js';

const CALLS_SHOWN = 20;

/** `tenon log [N] [--json]`: what was changed here, the last first. */
export async function logCommand(
  surroundings: Surroundings,
  [word]: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const { out, err } = surroundings;
  const limit = countOf(word);
  if (word !== undefined && limit === undefined)
    throw usage(`"tenon log" takes how many calls to list, not "${word}".`);
  const changes = await openChanges(surroundings, options);
  const log = await changes.log({ limit: limit ?? CALLS_SHOWN });
  await warn(err, log.problems);
  if (options.json) await out.writeData(jsonText(log));
  else await out.write(logLines(log, createPainter(out.colors)));
  return ExitCode.OK;
}
