import type { RunEffect } from '../../effects/effect.js';
import type { ToolRuntime } from '../../runtime.js';
import { quoteWord } from '../../util/shell-word.js';
import { ToolError, type ToolCallConfirmationDetails } from '../tools.js';
import { pathIn, type LspToolParams } from './lsp-params.js';

type Call = readonly [config: ToolRuntime, params: LspToolParams, signal: AbortSignal];

/** Returns the real path of a call's file, or a file of each language of the workspace. */
export async function filesToAsk(...[config, params, signal]: Call): Promise<readonly string[]> {
  const named = pathIn(params, config.getTargetDir());
  if (named !== undefined) return [config.getWorkspaceGate().resolve(named).path];
  const { queryContext } = await import('./lsp-context.js');
  const { representatives } = await import('../../lsp/operations.js');
  return representatives(queryContext(config, params, signal));
}

/**
 * Returns the servers that a call would start, as effects. A language server runs code of the project: plugins, build scripts and the
 * project's own compiler. Servers that the user trusted with the folder are marked. Nothing is started.
 */
export async function serverStarts(...call: Call): Promise<readonly RunEffect[]> {
  const servers = call[0].getLanguageServers();
  if (servers?.isTrusted !== true) return [];
  const plans = await servers.starts(await filesToAsk(...call));
  const isAgreed = plans.length > 0 && (await servers.isAgreed());
  return plans.map(({ root, argv }) => ({
    kind: 'run',
    command: argv.map(quoteWord).join(' '),
    argv,
    directory: root,
    zone: 'workspace',
    readOnly: false,
    isAgreed,
  }));
}

/** Returns true if all servers may start without a question. */
export function areAgreed(starts: readonly RunEffect[]): boolean {
  return starts.every(({ isAgreed }) => isAgreed === true);
}

/** Describes a call that changes files to the user, before the files are known. */
export function startDetails(starts: readonly RunEffect[]): ToolCallConfirmationDetails {
  const programs = starts.map(({ command, directory }) => `${command} (in ${directory})`);
  const prompt = `Start a language server, which runs code of this folder:\n${programs.join('\n')}`;
  return { type: 'info', title: 'Confirm Language Server', prompt };
}

/** Starts the servers of a changing call but changes nothing: the user has not seen what would change. @throws ToolError */
export async function onlyStart(...call: Call): Promise<never> {
  const [config, , signal] = call;
  for (const path of await filesToAsk(...call))
    await config.getLanguageServers()?.use(path, signal, async (server) => Promise.resolve(server));
  throw new ToolError(
    'lsp_started',
    'The language server runs now, and nothing was changed yet. Send the same call again: then it is known which files it changes.',
  );
}
