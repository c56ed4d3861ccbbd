import { isPathEffect, type Effect, type RunEffect } from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import { irrecoverableAct } from './irrecoverable-acts.js';
import { ownProgramReason } from './own-program.js';
import { programName } from './programs.js';
import type { ReadCommand } from './rule-examples.js';
import type { Rule } from './rule.js';
import { subcommandsOf } from './subcommands.js';
import { choosesFiles, SHELL_TOOL } from './tool-aliases.js';
import type { PolicyCall, PolicyContext, Verdict } from './verdict.js';

/**
 * For the model: what it may do in place of a call that was denied, or that nobody could be asked about, one or two
 * sentences; undefined when nothing is known. Every command that is named here was judged and would run. `readCommand` is
 * asked only about texts of the policy's own.
 */
export function denialAdvice(
  verdict: Verdict,
  call: PolicyCall,
  { context, readCommand }: { context: PolicyContext; readCommand: ReadCommand },
): string | undefined {
  if (verdict.decision === 'allow') return undefined;
  const [won] = verdict.parts;
  const effect = won?.effect;
  const runs = (text: string): boolean =>
    decide({ toolName: call.toolName, effects: readCommand(text) }, context).decision === 'allow';
  if (context.mode === ApprovalMode.PLAN && verdict.rule === undefined) return planAdvice(runs);
  if (effect === undefined) return undefined;
  // What a text does that is no command line is not known by its words.
  const isOfTool = call.toolName !== SHELL_TOOL && call.effects.some(({ kind }) => kind === 'unknown');
  if (isOfTool) return toolAdvice(call, context);
  if (effect.kind === 'run') return actAdvice(effect, runs) ?? commandAdvice(effect.argv, runs);
  if (isPathEffect(effect)) return verdict.decision === 'deny' ? pathAdvice(effect, call, context) : undefined;
  if (effect.kind === 'unknown') {
    return 'Write it as plain commands, one after the other, without variables, substitutions or programs that start others: each is then judged by itself.';
  }
  return undefined;
}

/**
 * Returns a hint if a git command asks only because of its repository. It is for users and the model, without a final period. Undefined
 * otherwise. `readTrusted`: reads a command as if no repository named a program.
 */
export function trustHint(
  call: PolicyCall,
  { context, readTrusted }: { context: PolicyContext; readTrusted: ReadCommand },
): string | undefined {
  if (call.effects.some(({ kind }) => kind === 'unknown')) return undefined;
  const run = call.effects.find((effect) => effect.kind === 'run' && isLookOfGit(effect));
  if (run?.kind !== 'run') return undefined;
  const effects = readTrusted(run.command);
  const isFree = decide({ toolName: call.toolName, effects }, context).decision === 'allow';
  if (!isFree || !effects.every((effect) => effect.kind !== 'run' || effect.readOnly)) return undefined;
  return 'the repository can make git start programs when it looks, or begins above the workspace: `tenon trust` shows what it names';
}

function isLookOfGit({ argv, readOnly, unread }: RunEffect): boolean {
  return programName(argv[0] ?? '') === 'git' && !readOnly && unread === undefined;
}

/** What cannot be taken back has a milder form; what is the user's own is theirs to do. */
function actAdvice(effect: RunEffect, runs: (text: string) => boolean): string | undefined {
  if (ownProgramReason(effect) !== undefined) return 'That is for the user to do, in a terminal of their own.';
  const instead = irrecoverableAct(effect)?.instead;
  if (instead === undefined) return undefined;
  const commands = Array.from(instead.matchAll(/`([^`]+)`/g), ([, command = '']) => command);
  return commands.every(runs) ? `Instead: ${instead}.` : undefined;
}

function planAdvice(runs: (text: string) => boolean): string {
  const commands = ['git status', 'git diff', 'ls -la'].filter(runs).map(quoted);
  const also = commands.length === 0 ? '' : `, and commands that change nothing, such as ${commands.join(', ')}`;
  return `In plan mode you may read and search${also}. Finish the plan and hand it over for approval; then the changes can be made.`;
}

function commandAdvice(argv: readonly string[], runs: (text: string) => boolean): string | undefined {
  const program = programName(argv[0] ?? '');
  const candidates = (subcommandsOf(program) ?? [])
    .filter((each) => each !== argv[1] && /^[a-z][\w-]*$/.test(each))
    .map((each) => `${program} ${each}`);
  const allowed = candidates.filter(runs).map(quoted);
  if (allowed.length === 0) return undefined;
  return `${allowed.join(', ')} ${allowed.length === 1 ? 'is' : 'are'} allowed.`;
}

function toolAdvice(call: PolicyCall, context: PolicyContext): string | undefined {
  const rule: Rule = { list: 'allow', text: call.toolName, origin: 'advice' };
  if (decide(call, { ...context, rules: [...context.rules, rule] }).decision !== 'allow') return undefined;
  return `The user can allow it with the rule ${quoted(call.toolName)}, which stands for every call of this tool.`;
}

function pathAdvice(
  effect: Extract<Effect, { readonly path: string }>,
  call: PolicyCall,
  context: PolicyContext,
): string | undefined {
  if (!choosesFiles(call.toolName)) return undefined;
  const [root] = context.roots;
  const isDenied = (path: string): boolean => {
    const effects: readonly Effect[] = [{ kind: effect.kind, path, requested: path, zone: 'workspace' }];
    return decide({ toolName: call.toolName, effects }, context).decision === 'deny';
  };
  if (root === undefined || isDenied(`${root}/a-new-file`)) return undefined;
  if (effect.zone === 'outside' && effect.kind === 'write') return `Files below ${quoted(root)} may be written.`;
  if (effect.zone === 'outside') return `Only what lies below ${quoted(root)} may be touched.`;
  const verb = { read: 'read', write: 'changed', delete: 'deleted' }[effect.kind];
  return `Other files of the workspace may be ${verb}; leave this one alone, and what depends on it to the user.`;
}

function quoted(text: string): string {
  return `\`${text}\``;
}
