import { realpathSync } from 'node:fs';
import {
  createToolSystem,
  loadSettings,
  nearestName,
  openGrants,
  safeText,
  type ApprovalMode,
  type ExaminationServices,
  type Grants,
  type LoadedSettings,
} from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { serverNames } from '../extension-options.js';
import { combine, prepareSession, toolSystemOptions, type Preparation } from '../prepare-session.js';
import { settingsPlaces, type Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeLine } from '../ui/safe-lines.js';
import { warn } from '../ui/say.js';
import { workspaceRoots } from '../workspace-roots.js';
import type { GatheredRules, PolicyAnswer } from './policy-answer.js';

const ACTIONS = ['explain', 'test', 'lint', 'simulate', 'grants', 'revoke'] as const;
type Action = (typeof ACTIONS)[number];

/** Whether an action takes a word behind its name, and what it is. */
const WORDS: Readonly<Record<Action, { readonly least: number; readonly most: number; readonly takes: string }>> = {
  explain: { least: 1, most: 1, takes: "a command or a call, such as: tenon policy explain 'npm test'" },
  test: { least: 0, most: 0, takes: 'no further words' },
  lint: { least: 0, most: 0, takes: 'no further words' },
  simulate: { least: 1, most: 1, takes: 'a session: its file or its id' },
  grants: { least: 0, most: 0, takes: 'no further words' },
  revoke: { least: 0, most: 1, takes: 'a rule, its number in `tenon policy grants`, or --all' },
};

/** `tenon policy explain|test|lint|simulate|grants|revoke`. Nothing is run, and nothing but grants is changed. */
export async function policyCommand(
  surroundings: Surroundings,
  words: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const { out } = surroundings;
  const [first = '', ...rest] = words;
  const action = actionOf(first, rest, options);
  const answer: PolicyAnswer = {
    line: (text) => out.write(safeText`${safeLine(text)}\n`),
    json: (value) => out.writeData(jsonText(value)),
    isJson: options.json,
  };
  const [word = ''] = rest;
  switch (action) {
    case 'test':
      return (await import('./policy-rules.js')).testRules(await gatherRules(surroundings, options), answer);
    case 'lint':
      return (await import('./policy-rules.js')).lintRules(await gatherRules(surroundings, options), answer);
    case 'grants':
    case 'revoke': {
      const open = action === 'grants' ? listedGrants : revocableGrants;
      const { grants, problems } = await open(surroundings, options);
      await warn(surroundings.err, problems);
      const { listGrants, revokeGrants } = await import('./policy-grants.js');
      return action === 'grants' ? listGrants(grants, answer) : revokeGrants(grants, word, options, answer);
    }
    case 'explain':
      return withServices(surroundings, options, async ({ services }) =>
        (await import('./policy-explain.js')).explainCalls(word, services, answer),
      );
    case 'simulate':
      return withServices(surroundings, options, async ({ services, preparation }) => {
        const { simulate } = await import('./policy-simulate.js');
        const place = { root: preparation.roots[0], tenonHome: surroundings.tenonHome, cwd: surroundings.cwd ?? '/' };
        const ceiling = preparation.settings.managed.approvalMode?.value;
        return simulate(word, { services, place, mode: simulatedMode(options, preparation), ceiling, answer });
      });
    default:
      return action satisfies never;
  }
}

function actionOf(first: string, rest: readonly string[], { all }: Options): Action {
  const action = ACTIONS.find((name) => name === first);
  if (action === undefined) {
    const meant = nearestName(first, ACTIONS);
    const hint = meant === undefined ? `It takes ${ACTIONS.join(', ')}.` : `Did you mean "${meant}"?`;
    throw usage(`"tenon policy" does not take "${first}". ${hint} A prompt goes behind -p, in quotes.`);
  }
  const { least, most, takes } = WORDS[action];
  const isRevokeAll = action === 'revoke' && all === true;
  if (all === true && action !== 'revoke') throw usage(`--all goes with "tenon policy revoke" only.`);
  const isMissing = action === 'revoke' && !isRevokeAll && rest.length === 0;
  if (rest.length < least || rest.length > most || isMissing || (isRevokeAll && rest.length > 0))
    throw usage(`"tenon policy ${action}" takes ${takes}.`);
  return action;
}

/** `--mode` as far as the administrator lets it count. */
function simulatedMode({ approvalMode }: Options, preparation: Preparation): ApprovalMode | undefined {
  return approvalMode === undefined ? undefined : preparation.approvalMode.value;
}

interface OpenedGrants {
  readonly grants: Grants;
  readonly problems: readonly string[];
}

/** The rules of all layers as they stand, broken ones too: they are what is looked for. */
async function gatherRules(surroundings: Surroundings, options: Options): Promise<GatheredRules> {
  const roots = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  const settings = await soundSettings(surroundings, roots[0]);
  const days = settings.values['permissions.grantDays']?.value;
  const { grants, problems } = await openGrants({ root: roots[0], tenonHome: surroundings.tenonHome, days });
  const { rules, warnings } = combine(roots, settings, options);
  await warn(surroundings.err, [...settings.problems.map(({ message }) => message), ...warnings, ...problems]);
  const program = settings.values['shell.program']?.value;
  const unread = settings.foreign.flatMap((each) => each.unread.map(({ rule }) => rule));
  return {
    rules: [...rules, ...unread, ...grants.rules()],
    places: { roots, home: surroundings.userHome },
    program,
    discovers: settings.values['tools.discoveryCommand'] !== undefined,
    servers: serverNames(settings),
  };
}

/** @throws ExitFailure `SETTINGS` */
async function soundSettings(surroundings: Surroundings, root: string): Promise<LoadedSettings> {
  const settings = await loadSettings(settingsPlaces(surroundings, root));
  const fatal = settings.problems.filter(({ severity }) => severity === 'fatal');
  if (fatal.length > 0) throw new ExitFailure(ExitCode.SETTINGS, fatal.map(({ message }) => message).join('\n'));
  return settings;
}

async function listedGrants(surroundings: Surroundings, options: Options): Promise<OpenedGrants> {
  const [root] = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  const { values } = await soundSettings(surroundings, root);
  return openGrants({ root, tenonHome: surroundings.tenonHome, days: values['permissions.grantDays']?.value });
}

/** Whatever is wrong with the settings: what was granted can be taken back. */
async function revocableGrants(surroundings: Surroundings, options: Options): Promise<OpenedGrants> {
  const [root] = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  return openGrants({ root, tenonHome: surroundings.tenonHome });
}

/** The tools, and the policy as a session that began now would have it. */
async function withServices(
  surroundings: Surroundings,
  options: Options,
  act: (given: { services: ExaminationServices; preparation: Preparation }) => Promise<ExitCode>,
): Promise<ExitCode> {
  const preparation = await prepareSession(surroundings, options);
  const days = preparation.settings.values['permissions.grantDays']?.value;
  const [root] = preparation.roots;
  const { grants, problems } = await openGrants({ root, tenonHome: surroundings.tenonHome, days });
  await warn(surroundings.err, problems);
  const system = await createToolSystem(toolSystemOptions(surroundings, preparation));
  try {
    const { config } = system;
    const services: ExaminationServices = {
      registry: config.getToolRegistry(),
      gate: config.getWorkspaceGate(),
      context: {
        mode: preparation.approvalMode.value,
        rules: [...preparation.rules, ...grants.rules()],
        roots: config.getWorkspaceContext().getDirectories(),
        home: surroundings.userHome,
        controlFolders: [realpathSync.native(surroundings.tenonHome)],
      },
    };
    return await act({ services, preparation });
  } finally {
    await system.close();
  }
}

function usage(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}
