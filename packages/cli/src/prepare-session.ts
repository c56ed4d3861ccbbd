import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import {
  ApprovalMode,
  loadSettings,
  managedRefusal,
  projectFolders,
  settingsOptions,
  type LoadedSettings,
  type ReasoningEffort,
  type Rule,
  type SettingValues,
  type ToolSystemOptions,
} from '@tenon/core';
import type { Options } from './arguments/parse-arguments.js';
import type { CheckedRules } from './check-rules.js';
import type { EndpointSources } from './choose-model.js';
import { ExitCode, ExitFailure } from './exit-codes.js';
import { hasPerson, settingsPlaces, type Surroundings } from './surroundings.js';
import { sayLines, warn } from './ui/say.js';
import { hostServersOf, serverNames } from './extension-options.js';
import { workspaceRoots } from './workspace-roots.js';

/** A value in force and where it is from, for people. */
export interface InForce<T> {
  readonly value: T;
  readonly origin: string;
}

/** What settings and command line come to, before a model is chosen. */
export interface Preparation {
  readonly roots: readonly [string, ...string[]];
  readonly settings: LoadedSettings;
  readonly approvalMode: InForce<ApprovalMode>;
  readonly rules: readonly Rule[];
  readonly effort?: InForce<ReasoningEffort>;
  readonly maxTurns?: InForce<number>;
  readonly maxToolCalls?: InForce<number>;
  readonly maxSeconds?: InForce<number>;
  readonly maxCost?: InForce<number>;
  /** Of the command line, where the administrator lets it count. */
  readonly modelName?: string;
  /** What of the command line does not count, and why; a sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads the settings of the workspace and applies the command line over them. Warnings go to stderr. With `mayAsk`, the user at the
 * terminal is asked once whether to trust project settings that would loosen something. Without an answer these settings do not count. With
 * `begins`, the first session of a project says what the settings of other agents do.
 * @throws ExitFailure `WORKSPACE`, or `SETTINGS` when something security-relevant may have been lost
 */
export async function prepareSession(
  surroundings: Surroundings,
  options: Options,
  { mayAsk = false, begins = false }: { readonly mayAsk?: boolean; readonly begins?: boolean } = {},
): Promise<Preparation> {
  const roots = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  const load = (): Promise<LoadedSettings> => soundSettings(surroundings, roots[0], options);
  let settings = await load();
  if (mayAsk && settings.trust.isOpen && hasPerson(surroundings)) {
    const [{ askForTrust }, { createTerminal }] = await Promise.all([
      import('./ask-for-trust.js'),
      import('./ui/terminal.js'),
    ]);
    const terminal = createTerminal(surroundings.stdin(), surroundings.screen.stream());
    // Read anew: what counts is what the file says now, if it is what was agreed to.
    if (await askForTrust(surroundings, terminal, settings.trust)) settings = await load();
  }
  const combined = combine(roots, settings, options);
  const places = { roots, home: surroundings.userHome };
  const checked = await rulesChecked(combined.rules, places, settings);
  await warn(surroundings.err, [
    ...settings.problems.map((problem) => problem.message),
    ...combined.warnings,
    ...checked.warnings,
  ]);
  if (begins) await sayForeign(surroundings, roots[0], settings.foreign);
  return { ...combined, rules: checked.rules };
}

/**
 * Returns the settings that name the model, wherever the process was started: that folder need not be a possible workspace.
 * @throws ExitFailure `SETTINGS`
 */
export async function modelSources(surroundings: Surroundings, options: Options): Promise<EndpointSources> {
  const root = path.resolve(surroundings.cwd ?? surroundings.userHome, options.cwd ?? '.');
  return combine([root], await soundSettings(surroundings, root, options), options);
}

async function soundSettings(surroundings: Surroundings, root: string, options: Options): Promise<LoadedSettings> {
  const loaded = await loadSettings(settingsPlaces(surroundings, root, hostServersOf(surroundings, options)));
  const fatal = loaded.problems.filter((problem) => problem.severity === 'fatal');
  if (fatal.length > 0) throw new ExitFailure(ExitCode.SETTINGS, fatal.map((problem) => problem.message).join('\n'));
  return loaded;
}

async function sayForeign(
  { tenonHome, err }: Surroundings,
  root: string,
  foreign: LoadedSettings['foreign'],
): Promise<void> {
  if (foreign.length === 0 || !isFirstSession(tenonHome, root)) return;
  const { foreignLine } = await import('./ui/foreign-view.js');
  const line = foreignLine(foreign);
  if (line !== undefined) await sayLines(err, [`${line} \`tenon trust\` lists them.`]);
}

function isFirstSession(tenonHome: string, root: string): boolean {
  try {
    return readdirSync(projectFolders(tenonHome, realpathSync.native(root)).sessions).length === 0;
  } catch {
    // The code that opens the session reports the folder's problem.
    return false;
  }
}

/** Without a rule there is nothing to check, and what reads the commands of examples is large. */
async function rulesChecked(
  rules: readonly Rule[],
  places: { readonly roots: readonly string[]; readonly home: string },
  settings: LoadedSettings,
): Promise<CheckedRules> {
  const { values } = settings;
  if (rules.length === 0) return { rules: [], warnings: [] };
  const { checkRules } = await import('./check-rules.js');
  return checkRules(rules, places, {
    program: values['shell.program']?.value,
    discovers: values['tools.discoveryCommand'] !== undefined,
    servers: serverNames(settings),
  });
}

/** The command line is the person's own word and wins, but over the administrator's; rules of all places count together. Pure. */
export function combine(
  roots: readonly [string, ...string[]],
  settings: LoadedSettings,
  options: Options,
): Preparation {
  const mode = fromCommandLine('--approval-mode', 'approvalMode', options.approvalMode, settings);
  const turns = fromCommandLine('--max-turns', 'limits.maxTurns', options.maxTurns, settings);
  const calls = fromCommandLine('--max-calls', 'limits.maxToolCalls', options.maxCalls, settings);
  const seconds = fromCommandLine('--max-seconds', 'limits.maxSeconds', options.maxSeconds, settings);
  const cost = fromCommandLine('--max-cost', 'limits.maxCost', options.maxCost, settings);
  const model = fromCommandLine('--model', 'model.name', options.model, settings);
  const effort = fromCommandLine('--effort', 'model.reasoningEffort', options.effort, settings);
  return {
    roots,
    settings,
    approvalMode: mode.value ?? { value: ApprovalMode.DEFAULT, origin: 'default' },
    rules: [...settings.rules, ...options.rules],
    ...(effort.value !== undefined && { effort: effort.value }),
    ...(turns.value !== undefined && { maxTurns: turns.value }),
    ...(calls.value !== undefined && { maxToolCalls: calls.value }),
    ...(seconds.value !== undefined && { maxSeconds: seconds.value }),
    ...(cost.value !== undefined && { maxCost: cost.value }),
    ...(options.model === undefined || model.warnings.length > 0 ? {} : { modelName: options.model }),
    warnings: [mode, turns, calls, seconds, cost, model, effort].flatMap(({ warnings }) => warnings),
  };
}

/** The settings that the command line has an option for. */
type OptionKey =
  'approvalMode' | `limits.max${'Turns' | 'ToolCalls' | 'Seconds' | 'Cost'}` | 'model.name' | 'model.reasoningEffort';

/** What the command line comes to beside the settings: who wants more than the administrator allows gets what is allowed. */
function fromCommandLine<K extends OptionKey>(
  option: string,
  key: K,
  wanted: NonNullable<SettingValues[K]>['value'] | undefined,
  { values, managed }: LoadedSettings,
): { readonly value: SettingValues[K]; readonly warnings: readonly string[] } {
  if (wanted === undefined) return { value: values[key], warnings: [] };
  const refusal = managedRefusal(key, wanted, managed);
  if (refusal !== undefined) return { value: managed[key], warnings: [`${option} is ignored: ${refusal}`] };
  return { value: { value: wanted, origin: 'command line' } as SettingValues[K], warnings: [] };
}

/** What the library is told of all this. */
export function toolSystemOptions(surroundings: Surroundings, preparation: Preparation): ToolSystemOptions {
  return {
    ...settingsOptions(preparation.settings),
    roots: preparation.roots,
    tenonHome: surroundings.tenonHome,
    userHome: surroundings.userHome,
    approvalMode: preparation.approvalMode.value,
    rules: preparation.rules,
    environment: surroundings.env,
    ...(surroundings.ownStreams !== undefined && { ownStreams: surroundings.ownStreams }),
  };
}
