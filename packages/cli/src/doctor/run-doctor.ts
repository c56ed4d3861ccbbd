import { createToolSystem, errorMessage, type ToolSystem } from '@tenon/core';
import { toolSystemOptions, type Preparation } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { runChecks, type Check, type Finding } from './check.js';
import {
  homeCheck,
  languagesCheck,
  nodeCheck,
  partsCheck,
  proxyCheck,
  sandboxCheck,
  settingsCheck,
  terminalCheck,
} from './checks.js';
import { modelCheck } from './model-check.js';
import { telemetryCheck } from './telemetry-check.js';

/**
 * What is installed, what is missing and how to get it. Starts no server and no program of the workspace; asks the model's
 * endpoint for its list, and nothing of it that costs. Rejects with the signal's reason only.
 */
export async function runDoctor(
  surroundings: Surroundings,
  preparation: Preparation,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const opened = await openSystem(surroundings, preparation);
  const { settings } = preparation;
  try {
    return await runChecks(
      [
        { name: 'tenon', run: async () => [{ name: 'tenon', state: 'fact', text: surroundings.version }] },
        nodeCheck(process.versions.node, process.platform),
        homeCheck(surroundings),
        settingsCheck(settings),
        modelCheck(surroundings, preparation),
        ...('failure' in opened ? [failed(opened.failure)] : systemChecks(opened.system, preparation)),
        proxyCheck(surroundings),
        telemetryCheck(surroundings, preparation),
        terminalCheck(surroundings),
      ],
      signal,
    );
  } finally {
    if ('system' in opened) await opened.system.close();
  }
}

function systemChecks({ config }: ToolSystem, { settings }: Preparation): readonly Check[] {
  const isTrusted = settings.trust.decision === 'trusted' && !settings.trust.isOpen;
  return [
    partsCheck(config),
    sandboxCheck(config, (settings.values.sandbox?.value ?? 'off') !== 'off'),
    languagesCheck(config, isTrusted),
  ];
}

function failed(message: string): Check {
  return { name: 'tools', run: async () => [{ name: 'tools', state: 'problem', text: message }] };
}

/** One of its own: without servers, and with a sandbox to try even where none is wanted. */
async function openSystem(
  surroundings: Surroundings,
  preparation: Preparation,
): Promise<{ readonly system: ToolSystem } | { readonly failure: string }> {
  const given = toolSystemOptions(surroundings, preparation);
  const { mcp: _mcp, discovery: _discovery, lsp: _lsp, customTools: _tools, ...options } = given;
  const mode = preparation.settings.values.sandbox?.value ?? 'off';
  try {
    const sandbox = { ...options.sandbox, mode: mode === 'off' ? ('auto' as const) : mode };
    return { system: await createToolSystem({ ...options, sandbox }) };
  } catch (thrown) {
    return { failure: errorMessage(thrown) };
  }
}
