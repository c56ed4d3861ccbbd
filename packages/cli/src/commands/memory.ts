import { count, createToolSystem, memoryOverview, type MemoryOverview } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode } from '../exit-codes.js';
import { prepareSession, toolSystemOptions } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock } from '../ui/safe-lines.js';

/** `tenon memory [--json]`: the context files that the model is told, what is left out and why, and where facts are saved. */
export async function memoryCommand(surroundings: Surroundings, options: Options): Promise<ExitCode> {
  const { out, exits } = surroundings;
  const preparation = await prepareSession(surroundings, options);
  const { customTools: _tools, ...given } = toolSystemOptions(surroundings, preparation);
  const system = await createToolSystem(given);
  const takeOff = exits.register(system.endCommands);
  try {
    const overview = await memoryOverview(system.config);
    await (options.json ? out.writeData(jsonText(overview)) : out.write(safeBlock(memoryText(overview))));
    return ExitCode.OK;
  } finally {
    await system.close();
    takeOff();
  }
}

/** The same for people, also for a session's `/memory show`; lines end with a line feed. Untrusted text. Pure. */
export function memoryText(overview: MemoryOverview): string {
  const { files, leftOut, usedBytes, maxBytes, isTrusted, fileNames, saved } = overview;
  const told = files.map(({ path, bytes, shown, role, importedBy }) => {
    const from = importedBy === undefined ? '' : `, imported by ${importedBy}`;
    const of = role === 'extension' ? ', of an extension' : '';
    return `  ${path} (${count(bytes, 'byte')}${shown === 'whole' ? '' : `, ${shown}`}${of}${from})`;
  });
  const missing = leftOut.map(({ path, why, importedBy }) => {
    const from = importedBy === undefined ? '' : `, imported by ${importedBy}`;
    return `  ${path}${from}: ${why}`;
  });
  const words = isTrusted ? 'words of the project' : 'information only: the folder is not trusted';
  return [
    files.length === 0
      ? `No context files. Looked for: ${fileNames.join(', ')}.`
      : `Told with every request: ${count(usedBytes, 'byte')} of at most ${count(maxBytes, 'byte')}.`,
    ...told,
    ...(files.some(({ role }) => role !== 'global' && role !== 'extension')
      ? [`What the project says is told as ${words}.`]
      : []),
    ...(missing.length === 0 ? [] : ['Left out:', ...missing]),
    `Facts are saved in ${saved.project}${saved.global === undefined ? '' : ` and ${saved.global}`}.`,
    '',
  ].join('\n');
}
