import { createPainter } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { answering, openChanges, selectionOf } from '../changed-calls.js';
import { ExitCode } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { diffLines, diffNotes } from '../ui/changes-view.js';
import { jsonText } from '../ui/json-line.js';
import { sayLines, warn } from '../ui/say.js';

/** `tenon diff [N|ID] [--turn] [--to ID] [--json]`: what calls changed. A pipe gets a diff that `patch` understands. */
export async function diffCommand(
  surroundings: Surroundings,
  words: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const { out, err } = surroundings;
  const selection = selectionOf(words[0], options);
  const changes = await openChanges(surroundings, options);
  const found = await answering(changes.diff(selection));
  await warn(err, found.problems);
  if (options.json) await out.writeData(jsonText(found));
  else if (out.isTerminal) {
    await out.write(diffLines(found, { paint: createPainter(out.colors), colour: out.colors, columns: out.columns() }));
  } else {
    for (const { diff } of found.files) if (diff !== undefined) await out.writeData(diff);
    await sayLines(err, diffNotes(found));
  }
  return ExitCode.OK;
}
