import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { AgentOptions } from '../agent-types.js';
import { createAgent } from '../create-agent.js';
import { createModel, type CreateModelOptions } from '../models/create-model.js';
import type { ModelPort } from '../models/model.js';
import { resolveModelChoice, type ModelChoice } from '../models/model-settings.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { Rule } from '../policy/rule.js';
import type { ApprovalAnswer, Approver } from '../scheduler/approval.js';
import { loadSettings, type LoadedSettings } from '../settings/load-settings.js';
import { managedRefusal } from '../settings/managed-values.js';
import type { SettingValues } from '../settings/merge-layers.js';
import { modelSettingsOf, requestOptionsOf } from '../settings/model-options.js';
import { ToolConfirmationOutcome } from '../tools/confirmation.js';
import { Failure } from '../util/failure.js';
import { endingWithAnswer } from './answer-tool.js';
import type { EmbeddedAgent, OpenAgentOptions } from './client-types.js';
import { checkedRules } from './checked-rules.js';
import { embed } from './embed.js';
import { withKeyCommand } from './key-command.js';
import { conversationOptions, settingsOptions } from './settings-options.js';

interface Places {
  readonly roots: readonly [string, ...string[]];
  readonly userHome: string;
  readonly tenonHome: string;
}

/**
 * An agent for a program, ready to be talked to: settings, model, tools and session as the command line has them, each of which the
 * program may set itself. What it does not hand in is read from `host`, nothing from anywhere else.
 * @throws Failure `no_home`, `settings_broken`, `no_model`, `no_prices`, a rule that cannot be read as `rule_broken`, and what `createAgent` throws
 */
export async function openAgent(options: OpenAgentOptions): Promise<EmbeddedAgent> {
  const places = await placesOf(options);
  const settings = options.settings === false ? undefined : await readSettings(options, places);
  const rules = checkedRules([...(settings?.rules ?? []), ...ownRules(options)], {
    roots: places.roots,
    home: places.userHome,
  });
  const mode = inForce('approvalMode', options.approvalMode, settings);
  const notices = [...(settings?.problems ?? []).map(({ message }) => message), ...rules.warnings, ...mode.notices];
  const limits = limitsOf(options, settings);
  if (limits.options.maxCost !== undefined && !limits.hasPrices && options.more?.prices === undefined)
    throw new Failure('no_prices', 'A limit of the cost needs the setting model.prices, or `prices` in `more`.');
  const { approve, tools } = options;
  const choice = await choiceOf(options, settings, places);
  const asked = { ...requestOptionsOf(settings?.values ?? {}), environment: options.host.env };
  const agent: AgentOptions = {
    ...places,
    ...(settings !== undefined && { ...settingsOptions(settings), ...conversationOptions(settings) }),
    approvalMode: mode.value ?? ApprovalMode.DEFAULT,
    rules: rules.rules,
    environment: options.host.env,
    version: options.version ?? '0',
    ...(approve !== undefined && { approver: approverOf(approve) }),
    ...(tools !== undefined && {
      extraTools: (config) => tools.map((tool) => (typeof tool === 'function' ? tool(config) : tool)),
    }),
    ...limits.options,
    ...(options.session !== undefined && { session: options.session }),
    ...modelNamedOf(choice, { asked, settings }),
    ...options.more,
    model: endingWithAnswer(options.more?.model ?? (await modelOf(options, choice, asked))),
  };
  return embed(await createAgent(agent), [...notices, ...limits.notices]);
}

async function placesOf({ host, cwd = host.cwd(), addDirs = [], ...own }: OpenAgentOptions): Promise<Places> {
  const userHome = own.userHome ?? host.env['HOME'] ?? host.env['USERPROFILE'];
  if (userHome === undefined) throw new Failure('no_home', 'There is no home folder: set HOME, or hand `userHome` in.');
  const root = await realpath(path.resolve(host.cwd(), cwd));
  const more = await Promise.all(addDirs.map((folder) => realpath(path.resolve(root, folder))));
  const tenonHome = own.tenonHome ?? host.env['TENON_HOME'] ?? '';
  return {
    roots: [root, ...more],
    userHome,
    tenonHome: path.resolve(root, tenonHome || path.join(userHome, '.tenon')),
  };
}

async function readSettings({ host }: OpenAgentOptions, { roots, ...homes }: Places): Promise<LoadedSettings> {
  const settings = await loadSettings({ ...homes, projectRoot: roots[0], variables: host.env });
  const fatal = settings.problems.filter(({ severity }) => severity === 'fatal').map(({ message }) => message);
  if (fatal.length > 0) throw new Failure('settings_broken', fatal.join('\n'));
  return settings;
}

function ownRules(options: OpenAgentOptions): Rule[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (options[list] ?? []).map((text) => ({ list, text, origin: 'the program' })),
  );
}

/** A yes or a no is for this one call; "always" takes a whole answer. */
function approverOf(approve: NonNullable<OpenAgentOptions['approve']>): Approver {
  return async (request, signal): Promise<ApprovalAnswer> => {
    const answer = await approve(request, signal);
    if (answer === true) return { outcome: ToolConfirmationOutcome.ProceedOnce };
    if (answer === false) return { outcome: ToolConfirmationOutcome.Cancel };
    return typeof answer === 'string' ? { outcome: ToolConfirmationOutcome.Cancel, feedback: answer } : answer;
  };
}

type Bounded = 'approvalMode' | 'limits.maxTurns' | 'limits.maxToolCalls' | 'limits.maxSeconds' | 'limits.maxCost';
type ValueOf<K extends Bounded> = NonNullable<SettingValues[K]>['value'];

/** What the program wants, within what the administrator allows; else what the settings say. */
function inForce<K extends Bounded>(
  key: K,
  wanted: ValueOf<K> | undefined,
  settings: LoadedSettings | undefined,
): { readonly value: ValueOf<K> | undefined; readonly notices: readonly string[] } {
  if (wanted === undefined) return { value: settings?.values[key]?.value, notices: [] };
  const refusal = settings === undefined ? undefined : managedRefusal(key, wanted, settings.managed);
  if (refusal === undefined) return { value: wanted, notices: [] };
  return { value: settings?.managed[key]?.value, notices: [`What the program says of ${key} is ignored: ${refusal}`] };
}

function limitsOf({ limits = {} }: OpenAgentOptions, settings: LoadedSettings | undefined) {
  const turns = inForce('limits.maxTurns', limits.turns, settings);
  const calls = inForce('limits.maxToolCalls', limits.calls, settings);
  const seconds = inForce('limits.maxSeconds', limits.seconds, settings);
  const cost = inForce('limits.maxCost', limits.cost, settings);
  return {
    hasPrices: settings?.values['model.prices'] !== undefined,
    notices: [turns, calls, seconds, cost].flatMap(({ notices }) => notices),
    options: {
      ...(turns.value !== undefined && { maxTurns: turns.value }),
      ...(calls.value !== undefined && { maxToolCalls: calls.value }),
      ...(seconds.value !== undefined && { maxSeconds: seconds.value }),
      ...(cost.value !== undefined && { maxCost: cost.value }),
    },
  };
}

/** Other models of the endpoint that is configured, for subagents; a program that brings a model of its own says so itself. */
function modelNamedOf(
  choice: ModelChoice | undefined,
  { asked, settings }: { readonly asked: CreateModelOptions; readonly settings: LoadedSettings | undefined },
): Pick<AgentOptions, 'modelNamed'> {
  if (choice === undefined) return {};
  return {
    modelNamed: async (name) => {
      const refusal = settings === undefined ? undefined : managedRefusal('model.name', name, settings.managed);
      if (refusal !== undefined) throw new Failure('not_permitted', refusal);
      return {
        model: await createModel({ ...choice, model: { value: name, origin: 'an agent file' } }, asked),
      };
    },
  };
}

/** Undefined where nothing is configured, and where the program brings a model of its own. One for all models: they share its key. */
async function choiceOf(
  { model, host }: OpenAgentOptions,
  settings: LoadedSettings | undefined,
  { userHome, roots }: Places,
): Promise<ModelChoice | undefined> {
  if (model !== undefined && 'stream' in model) return undefined;
  const choice = resolveModelChoice({
    settings: { ...modelSettingsOf(settings?.values ?? {}), ...model },
    environment: host.env,
  });
  return choice && withKeyCommand(choice, { environment: host.env, userHome, roots });
}

async function modelOf(
  { model }: OpenAgentOptions,
  choice: ModelChoice | undefined,
  asked: CreateModelOptions,
): Promise<ModelPort> {
  if (model !== undefined && 'stream' in model) return model;
  if (choice !== undefined) return createModel(choice, asked);
  const ways = 'Set OPENAI_BASE_URL, OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or hand `model` in.';
  throw new Failure('no_model', `No model is configured. ${ways}`);
}
