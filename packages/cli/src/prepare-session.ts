import { ApprovalMode, loadSettings, type LoadedSettings, type Rule, type ToolSystemOptions } from '@tenon/core';
import type { Options } from './arguments/parse-arguments.js';
import { checkRules } from './check-rules.js';
import { ExitCode, ExitFailure } from './exit-codes.js';
import type { Surroundings } from './surroundings.js';
import { warn } from './ui/say.js';
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
  readonly maxTurns?: InForce<number>;
  readonly maxToolCalls?: InForce<number>;
}

/**
 * Reads the settings of the workspace and puts the command line on top. Warnings go to stderr.
 * @throws ExitFailure `WORKSPACE`, or `SETTINGS` when something security-relevant may have been lost
 */
export async function prepareSession(surroundings: Surroundings, options: Options): Promise<Preparation> {
  const roots = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  const settings = await loadSettings({ tenonHome: surroundings.tenonHome, projectRoot: roots[0] });
  const fatal = settings.problems.filter((problem) => problem.severity === 'fatal');
  if (fatal.length > 0) throw new ExitFailure(ExitCode.SETTINGS, fatal.map((problem) => problem.message).join('\n'));
  const combined = combine(roots, settings, options);
  const checked = checkRules(combined.rules, { roots, home: surroundings.userHome });
  await warn(surroundings.err, [...settings.problems.map((problem) => problem.message), ...checked.warnings]);
  return { ...combined, rules: checked.rules };
}

/** The command line is the person's own word and wins; rules of all places count together. Pure. */
export function combine(
  roots: readonly [string, ...string[]],
  settings: LoadedSettings,
  options: Options,
): Preparation {
  const { values } = settings;
  const maxTurns = fromCommandLine(options.maxTurns) ?? values['limits.maxTurns'];
  const maxToolCalls = values['limits.maxToolCalls'];
  return {
    roots,
    settings,
    approvalMode: fromCommandLine(options.approvalMode) ??
      values.approvalMode ?? { value: ApprovalMode.DEFAULT, origin: 'default' },
    rules: [...settings.rules, ...options.rules],
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxToolCalls === undefined ? {} : { maxToolCalls }),
  };
}

function fromCommandLine<T>(value: T | undefined): InForce<T> | undefined {
  return value === undefined ? undefined : { value, origin: 'command line' };
}

/** What the library is told of all this. */
export function toolSystemOptions(surroundings: Surroundings, preparation: Preparation): ToolSystemOptions {
  const readGitIgnored = preparation.settings.values['files.readGitIgnored'];
  return {
    roots: preparation.roots,
    tenonHome: surroundings.tenonHome,
    userHome: surroundings.userHome,
    approvalMode: preparation.approvalMode.value,
    rules: preparation.rules,
    environment: surroundings.env,
    ...(readGitIgnored === undefined ? {} : { readGitIgnored: readGitIgnored.value }),
  };
}
