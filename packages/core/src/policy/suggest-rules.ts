import { isPathEffect, type Effect, type PathEffect, type RunEffect } from '../effects/effect.js';
import { decide } from './decide.js';
import { controlFileReason } from './control-files.js';
import { splitPath } from './path-pattern.js';
import { isUnfitForSavedRule } from './programs.js';
import type { Rule } from './rule.js';
import { SHELL_TOOL } from './tool-aliases.js';
import type { EffectVerdict, PolicyCall, PolicyContext } from './verdict.js';

/**
 * The allow rules that "always" would save for a call that asks: as narrow as is still of use, one for each
 * part that asks. Empty, so that "always" is not offered, when a part asks for a reason that no allow rule
 * answers, or when a rule would mean more than the person saw (interpreters, wrappers, destructive programs,
 * anything a shell would read). What is returned allows the very call it came from; that is tried here.
 */
export function suggestRules(call: PolicyCall, context: PolicyContext): string[] {
  const asking = decide(call, context).parts.filter((part) => part.decision !== 'allow');
  const suggestions = asking.map((part) => suggestFor(part, call.toolName, context));
  const rules: string[] = [];
  for (const suggestion of suggestions) {
    if (suggestion === undefined) return [];
    if (!rules.includes(suggestion)) rules.push(suggestion);
  }
  if (rules.length === 0) return [];
  const added = rules.map((text): Rule => ({ list: 'allow', text, origin: 'suggestion' }));
  const tried = decide(call, { ...context, rules: [...context.rules, ...added] });
  return tried.decision === 'allow' ? rules : [];
}

function suggestFor(part: EffectVerdict, toolName: string, context: PolicyContext): string | undefined {
  if (part.effect === undefined || part.decision === 'deny' || part.rule !== undefined) return undefined;
  return suggestForEffect(part.effect, toolName, context);
}

function suggestForEffect(effect: Effect, toolName: string, context: PolicyContext): string | undefined {
  if (isPathEffect(effect)) return effect.kind === 'read' ? readRule(effect) : changeRule(effect, context);
  // A rule names no folder, so it is offered only where the words mean what they mean without one.
  if (effect.kind === 'run') return effect.directory === context.roots[0] ? commandRule(effect, toolName) : undefined;
  return effect.kind === 'fetch' ? `WebFetch(domain:${effect.host})` : undefined;
}

const LONGEST_COMMAND = 200;
/** Words that no shell and no rule reads anything into. */
const PLAIN_WORD = /^[\w@%+=,./-][\w@%+=:,./-]*$/;

/** Exactly this command. Written from its words, so that the rule says no more than what was resolved. */
function commandRule({ argv, command }: RunEffect, toolName: string): string | undefined {
  const [program] = argv;
  if (program === undefined || isUnfitForSavedRule(program) || program.includes('=')) return undefined;
  const text = argv.join(' ');
  // Variables in front, redirections, quotes: what ran is not just these words.
  if (text !== command.trim() || text.length > LONGEST_COMMAND) return undefined;
  if (!argv.every((word) => PLAIN_WORD.test(word))) return undefined;
  return `${toolName === SHELL_TOOL ? SHELL_TOOL : 'Bash'}(${text})`;
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
