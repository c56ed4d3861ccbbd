import { openToolPins, type PendingChange } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock } from '../ui/safe-lines.js';
import { warn } from '../ui/say.js';
import { workspaceRoots } from '../workspace-roots.js';
import { writeLines } from './mcp-servers.js';

type Pins = ReturnType<typeof openToolPins>;

/** `tenon mcp accept [NAME [TOOL]]`: what of servers changed since it was let in; with a name, shows it and lets in what is shown. */
export async function acceptChanges(
  surroundings: Surroundings,
  options: Options,
  { name, tool }: { readonly name?: string; readonly tool?: string },
): Promise<ExitCode> {
  const { env, tenonHome } = surroundings;
  const [root] = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  const pins = openToolPins({ tenonHome, root });
  if (name === undefined) return listChanges(surroundings, options, pins);
  if ((env['TENON'] ?? '') !== '')
    throw new ExitFailure(ExitCode.USAGE, 'Only a person lets changed tools in: run this in a terminal of your own.');
  const problem = pins.problem();
  // In this order: what changes in between is shown and not let in.
  const shown = pins.waiting(name);
  for (const each of pins.pending())
    if (each.alias === name && (tool === undefined || each.tool === undefined || each.tool === tool))
      await writeChange(surroundings, each);
  if (shown !== undefined && (await pins.accept(name, tool, shown))) {
    const aside = problem === undefined ? '' : ' The damaged mcp.lock.json stands beside the new one.';
    await writeLines(surroundings, [
      `Let in: ${tool === undefined ? name : `${tool} of ${name}`}. Sessions that begin now have it.${aside}`,
    ]);
    return ExitCode.OK;
  }
  const waiting = [...new Set(pins.pending().map(({ alias }) => alias))];
  if (problem !== undefined && waiting.length === 0) throw nothingKnown(problem);
  const what =
    waiting.length === 0 ? 'Nothing of any server waits.' : `These have changes that wait: ${waiting.join(', ')}.`;
  throw new ExitFailure(ExitCode.USAGE, `Nothing of "${tool ?? name}" waits to be let in. ${what}`);
}

async function listChanges(surroundings: Surroundings, { json }: Options, pins: Pins): Promise<ExitCode> {
  const [problem, pending] = [pins.problem(), pins.pending()];
  if (problem !== undefined) {
    if (pending.length === 0) throw nothingKnown(problem);
    await warn(surroundings.err, [problem]);
  }
  if (json) await surroundings.out.writeData(jsonText(pending));
  else if (pending.length === 0) await writeLines(surroundings, ['Nothing of any server changed.']);
  else for (const each of pending) await writeChange(surroundings, each);
  return ExitCode.OK;
}

function nothingKnown(problem: string): ExitFailure {
  return new ExitFailure(
    ExitCode.SETTINGS,
    `${problem}\nNothing can be let in yet: what servers offer is written down by a session that uses them. Without the file, all of them count as never seen.`,
  );
}

async function writeChange(surroundings: Surroundings, { alias, tool, change }: PendingChange): Promise<void> {
  await writeLines(surroundings, [tool === undefined ? `${alias} (the server itself)` : `${alias}: ${tool}`]);
  const lines = change.split('\n').map((line) => `    ${line}`);
  await surroundings.out.write(safeBlock(`${lines.join('\n')}\n`));
}
