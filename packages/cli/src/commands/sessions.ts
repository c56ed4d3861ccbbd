import { createPainter, listSessions } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { usage } from '../changed-calls.js';
import { ExitCode } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { sessionLines } from '../ui/session-lines.js';
import { workspaceRoots } from '../workspace-roots.js';

/** `tenon sessions [--json]`: the sessions of this project, the one last used first. */
export async function sessionsCommand(
  surroundings: Surroundings,
  words: readonly string[],
  options: Options,
): Promise<ExitCode> {
  if (words.length > 0) throw usage('"tenon sessions" takes no further words.');
  const { out, tenonHome } = surroundings;
  const [root] = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  const sessions = await listSessions({ root, tenonHome });
  if (options.json) await out.writeData(jsonText(sessions));
  else await out.write(sessionLines(sessions, createPainter(out.colors)));
  return ExitCode.OK;
}
