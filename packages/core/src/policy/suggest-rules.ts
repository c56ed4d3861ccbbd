import {
  DISCOVERED,
  isPathEffect,
  type Effect,
  type ForeignEffect,
  type PathEffect,
  type RunEffect,
} from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import { controlFileReason } from './control-files.js';
import { irrecoverableAct } from './irrecoverable-acts.js';
import { splitPath } from './path-pattern.js';
import { isUnfitForSavedRule } from './programs.js';
import type { Rule } from './rule.js';
import { generalForm, otherSubcommand } from './subcommands.js';
import { serverOf, SHELL_TOOL, WEB_SEARCH_TOOL } from './tool-aliases.js';
import { isUnfitText, textOfCall, wholeTextSpecifier } from './whole-text.js';
import type { EffectVerdict, PolicyCall, PolicyContext } from './verdict.js';

/** One way in which "always" can be meant. */
export interface RuleChoice {
  /** `exact`: what was seen and no more. `general`: calls of the same kind, with other arguments. */
  readonly kind: 'exact' | 'general';
  /** One for each part that asks. Under all of them the call runs without a question. */
  readonly rules: readonly string[];
}

/**
 * Returns the meanings that "always" can have for a call that asks: the exact rules, then at most one general form. Empty, so that "always"
 * is not offered, if a part asks for a reason that no allow rule answers. If rules for the parts would allow more than the user saw, the
 * exact rule is the command's whole text. That holds for interpreters, wrappers, destructive programs, variables and unknown effects. Both
 * are tried here: a result allows the very call it came from, and a general rule allows none of its dangerous neighbours.
 */
export function suggestChoices(call: PolicyCall, context: PolicyContext): readonly RuleChoice[] {
  const asking = decide(call, context).parts.filter((part) => part.decision !== 'allow');
  const foreign = call.effects.find((effect) => effect.kind === 'foreign');
  if (foreign !== undefined) return foreignChoices(foreign, asking, call, context);
  const ofParts = rulesFor(asking, (part) => suggestFor(part, call.toolName, context));
  const exact = allowsCall(ofParts, call, context) ? ofParts : wholeTextRules(call, context);
  const general = rulesFor(
    asking,
    (part) => generalFor(part, call.toolName, context) ?? suggestFor(part, call.toolName, context),
  );
  const isOwn = general.some((rule) => !ofParts.includes(rule));
  const choices: RuleChoice[] = [
    { kind: 'exact', rules: exact },
    ...(isOwn ? [{ kind: 'general' as const, rules: general }] : []),
  ];
  return choices.filter(({ rules }) => rules.length > 0 && allowsCall(rules, call, context));
}

/** Returns a rule for exactly this text, unless the text has something that no rule should stand for. */
function wholeTextRules(call: PolicyCall, context: PolicyContext): readonly string[] {
  const text = textOfCall(call, context.roots);
  if (text === undefined || call.effects.some((effect) => irrecoverableAct(effect) !== undefined)) return [];
  const specifier = PLAIN_TEXT.test(text.command) ? text.command : wholeTextSpecifier(text.command);
  return specifier === undefined ? [] : [`${SHELL_TOOL}(${specifier})`];
}

/** A tool of others is allowed by its name, whatever it is called with; all tools of its server, if this one does not destroy. */
function foreignChoices(
  { does, from }: ForeignEffect,
  asking: readonly EffectVerdict[],
  call: PolicyCall,
  context: PolicyContext,
): readonly RuleChoice[] {
  if (asking.length === 0) return [];
  const server = serverOf(call.toolName);
  const isGeneral = does !== 'destroys' && from !== DISCOVERED && server !== undefined;
  const choices: RuleChoice[] = [
    { kind: 'exact', rules: [call.toolName] },
    ...(isGeneral ? [{ kind: 'general' as const, rules: [`${server}__*`] }] : []),
  ];
  return choices.filter(({ rules }) => allowsCall(rules, call, context));
}

/** The exact rules of `suggestChoices`; empty when there are none. */
export function suggestRules(call: PolicyCall, context: PolicyContext): string[] {
  return [...(suggestChoices(call, context).find(({ kind }) => kind === 'exact')?.rules ?? [])];
}

/** Each once; empty when there is none for a part. */
function rulesFor(
  parts: readonly EffectVerdict[],
  suggest: (part: EffectVerdict) => string | undefined,
): readonly string[] {
  const rules = parts.map(suggest);
  return rules.includes(undefined) ? [] : [...new Set(rules.filter((rule) => rule !== undefined))];
}

function allowsCall(rules: readonly string[], call: PolicyCall, context: PolicyContext): boolean {
  const added = rules.map((text): Rule => ({ list: 'allow', text, origin: 'suggestion' }));
  return decide(call, { ...context, rules: [...context.rules, ...added] }).decision === 'allow';
}

function generalFor(part: EffectVerdict, toolName: string, context: PolicyContext): string | undefined {
  // An allow rule for a command also allows what the command may do beyond its name.
  const effect = part.effect?.kind === 'unknown' ? part.effect.by : part.effect;
  if (effect === undefined || part.decision === 'deny' || part.rule !== undefined) return undefined;
  // A path that a program is given is a path like any other.
  if (isPathEffect(effect) && effect.by !== undefined)
    return effect.kind === 'read' ? readRule(effect) : changeRule(effect, context);
  if (effect.kind !== 'run' || effect.directory !== context.roots[0]) return undefined;
  return generalCommandRule(effect, toolName, context);
}

function suggestFor(part: EffectVerdict, toolName: string, context: PolicyContext): string | undefined {
  if (part.effect === undefined || part.decision === 'deny' || part.rule !== undefined) return undefined;
  return suggestForEffect(part.effect, toolName, context);
}

function suggestForEffect(effect: Effect, toolName: string, context: PolicyContext): string | undefined {
  // What a command does is allowed with the command.
  if ('by' in effect && effect.by !== undefined) return suggestForEffect(effect.by, toolName, context);
  if (isPathEffect(effect)) return effect.kind === 'read' ? readRule(effect) : changeRule(effect, context);
  // A rule names no folder, so it is offered only where the words mean what they mean without one.
  if (effect.kind === 'run') return effect.directory === context.roots[0] ? commandRule(effect, toolName) : undefined;
  if (effect.kind === 'secret') return `Secret(${effect.name})`;
  if (effect.kind !== 'fetch') return undefined;
  // Searching is no leave to send anything else to that host.
  return toolName === WEB_SEARCH_TOOL ? toolName : `WebFetch(domain:${effect.host})`;
}

/** The words that say what is done, with any further ones. */
function generalCommandRule(run: RunEffect, toolName: string, context: PolicyContext): string | undefined {
  const { argv, command, unread } = run;
  if (unread !== undefined) return undefined;
  const [program] = argv;
  const form = generalForm(argv);
  if (program === undefined || form === undefined || isUnfitForSavedRule(program)) return undefined;
  // The words that stay as they are.
  const end = form.findIndex((word) => word.includes('*'));
  const words = form.slice(0, end);
  const text = words.join(' ');
  if (!words.every((word) => PLAIN_WORD.test(word)) || !`${command.trim()} `.startsWith(`${text} `)) return undefined;
  if (!form.slice(end).every((word) => word === '*' || PLAIN_WORD.test(word.replace(/\*$/, '')))) return undefined;
  const rule = `${toolName === SHELL_TOOL ? SHELL_TOOL : 'Bash'}(${form.join(' ')})`;
  const isSafe = neighboursOf(run, text).every((effects) => {
    const rules: Rule[] = [{ list: 'allow', text: rule, origin: 'suggestion' }];
    return decide({ toolName, effects }, { ...context, mode: ApprovalMode.DEFAULT, rules }).decision !== 'allow';
  });
  return isSafe ? rule : undefined;
}

/** What looks like the call and must never be allowed with it. */
function neighboursOf(run: RunEffect, text: string): (readonly Effect[])[] {
  const words = text.split(' ');
  const [program = '', subcommand = ''] = words;
  const like = (argv: readonly string[], more: Partial<RunEffect> = {}): RunEffect => {
    const { directory, zone } = run;
    return { kind: 'run', readOnly: false, directory, zone, argv, command: argv.join(' '), ...more };
  };
  const path = `${run.directory}/out`;
  return [
    ...[['rm', '-rf', '.'], ['sh'], ['curl', 'example.com']].map((argv) => [run, like(argv)]),
    [run, { kind: 'write', path, requested: path, zone: 'workspace' }],
    [run, { kind: 'unknown', reason: 'more' }],
    [like(run.argv, { zone: 'outside' })],
    [like(run.argv, { command: `LD_PRELOAD=./x.so ${run.command}` })],
    [like([program])],
    [like([program, otherSubcommand(program, subcommand)])],
    [like([program, '-c', 'x', ...words.slice(1)])],
    [like([program, '--output=x'])],
    [like([`./${program}`, ...words.slice(1)])],
    [like([`${program}x`, ...words.slice(1)])],
    ...(words.length > 1 ? [[like([...words.slice(0, -1), `${words.at(-1) ?? ''}x`])]] : []),
    [like(['env', ...words])],
    [like(['sh', '-c', text])],
  ];
}

const LONGEST_COMMAND = 200;
/** Redirections that only put output together or throw it away. */
const NOWHERE = /(?:\s+(?:\d?>&\d|[&\d]?>>?\s*\/dev\/null|\d?<\s*\/dev\/null))+$/;
/** Words that no shell and no rule reads anything into. */
const PLAIN_WORD = /^[\w@%+=,./-][\w@%+=:,./-]*$/;
const PLAIN_TEXT = /^(?=.{1,1000}$)[\w@%+=,./-][\w@%+=:,./-]*(?: [\w@%+=,./-][\w@%+=:,./-]*)*$/;

/** Exactly this command. Written from its words, so that the rule says no more than what was resolved. */
function commandRule({ argv, command, unread }: RunEffect, toolName: string): string | undefined {
  const name = toolName === SHELL_TOOL ? SHELL_TOOL : 'Bash';
  if (unread !== undefined) {
    const specifier = isUnfitText(command) ? undefined : wholeTextSpecifier(command);
    return specifier && `${name}(${specifier})`;
  }
  const [program] = argv;
  if (program === undefined || isUnfitForSavedRule(program) || program.includes('=')) return undefined;
  const text = argv.join(' ');
  // Variables in front, redirections, quotes: what ran is not just these words.
  if (text !== command.trim().replace(NOWHERE, '') || text.length > LONGEST_COMMAND) return undefined;
  if (!argv.every((word) => PLAIN_WORD.test(word))) return undefined;
  return `${name}(${text})`;
}

/** Just what was read: outside the workspace every further file is a question of its own. */
function readRule(effect: PathEffect): string | undefined {
  if (effect.path !== effect.requested) return undefined;
  // Keys and settings are not only dangerous to write.
  if (controlFileReason({ ...effect, kind: 'write' }) !== undefined) return undefined;
  const path = patternOf(splitPath(effect.path));
  if (path === undefined || path === '') return undefined;
  return `Read(//${path}${effect.scope === 'tree' ? '/**' : ''})`;
}

/** The file's folder and what is below it; of a root itself only what lies directly in it. Never for deleting. */
function changeRule(effect: PathEffect, context: PolicyContext): string | undefined {
  if (effect.kind !== 'write' || effect.scope === 'tree' || effect.path !== effect.requested) return undefined;
  const names = splitPath(effect.path);
  const roots = context.roots.map(splitPath);
  const root = roots.find((each) => each.length < names.length && each.every((name, index) => name === names[index]));
  if (root === undefined) {
    const path = patternOf(names);
    return path === undefined ? undefined : `Edit(//${path})`;
  }
  const isFirst = root === roots[0];
  const folder = patternOf(names.slice(isFirst ? root.length : 0, -1));
  if (folder === undefined) return undefined;
  const isRootItself = names.length === root.length + 1;
  if (isFirst) return isRootItself ? 'Edit(/*)' : `Edit(${folder}/**)`;
  return `Edit(//${folder}/${isRootItself ? '*' : '**'})`;
}

/** The names as a pattern that means just them; undefined when they cannot be written into a rule. */
function patternOf(names: readonly string[]): string | undefined {
  const text = names.map((name) => name.replaceAll(/[\\*?[]/g, String.raw`\$&`)).join('/');
  return /[\p{C}\p{Zl}\p{Zp}]|^\s|\s$|^[!~]/u.test(text) ? undefined : text;
}
