import { doubtOf, isPathEffect, type Effect } from '../effects/effect.js';
import { compileCommandPath } from './command-paths.js';
import { compileAllowCommand } from './command-pattern.js';
import { allowsHost, meetsHost } from './host-pattern.js';
import { parseRule, type ParsedRule, type Specifier } from './parse-rule.js';
import { compileAllowPath, compileStrictPath, type Places } from './path-pattern.js';
import type { Rule, RuleList } from './rule.js';
import {
  isOfOneServer,
  namesTool,
  namesToolStrictly,
  SHELL_TOOL,
  strictSubject,
  type RuleSubject,
} from './tool-aliases.js';
import { compileStrictCommand } from './strict-command.js';
import type { PathUse } from './tree-programs.js';

/**
 * `part`: only for deny and ask rules. What the rule speaks of may be among what the effect touches: something
 * inside a folder that is searched, a path or a program among the words of a command, or a command that could
 * not be worked out. It cannot be shown, so it asks.
 */
export type RuleMatch = 'no' | 'part' | 'yes';

export interface CompiledRule {
  readonly rule: Rule;
  readonly parsed: ParsedRule;
  /** Without an effect: whether the rule speaks of a call of that tool that has no effects. */
  readonly match: (toolName: string, effect?: Effect) => RuleMatch;
}

/** A rule that could not be read, for people. */
export interface RuleProblem {
  readonly rule: Rule;
  readonly problem: string;
}

export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  readonly problems: readonly RuleProblem[];
}

/** Reads and prepares rules once, so that judging a call costs little. */
export function compileRules(rules: readonly Rule[], places: Places): CompiledRules {
  const compiled: CompiledRule[] = [];
  const problems: RuleProblem[] = [];
  for (const rule of rules) {
    const parsed = parseListed(rule);
    const problem = 'problem' in parsed ? parsed.problem : tooWide(rule.list, parsed.subject);
    if (problem !== undefined)
      problems.push({ rule, problem: `${rule.list} rule ${quote(rule.text)} of ${rule.origin}: ${problem}` });
    if ('problem' in parsed || problem !== undefined) continue;
    compiled.push({
      rule,
      parsed,
      match: withExceptions(rule, parsed, compileMatch(rule.list, parsed, places), places),
    });
  }
  return { rules: compiled, problems };
}

function parseListed({ list, text }: Rule): ReturnType<typeof parseRule> {
  const parsed = parseRule(text);
  if ('problem' in parsed || list === 'allow' || parsed.specifier === undefined) return parsed;
  return { ...parsed, subject: strictSubject(parsed.subject) };
}

/** `compileRules` that keeps its last answer, for as long as it is asked about the same rules and places. */
export class RuleCompiler {
  #last: { readonly rules: readonly Rule[]; readonly places: Places; readonly compiled: CompiledRules } | undefined;

  compile(rules: readonly Rule[], { roots, home }: Places): CompiledRules {
    const last = this.#last;
    const isSame =
      last !== undefined &&
      last.places.home === home &&
      isSameList(last.rules, rules) &&
      isSameList(last.places.roots, roots);
    if (isSame) return last.compiled;
    const compiled = compileRules(rules, { roots, home });
    // Copies: whoever adds a rule to their list is to be noticed.
    this.#last = { rules: [...rules], places: { roots: [...roots], home }, compiled };
    return compiled;
  }
}

function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function tooWide(list: RuleList, subject: RuleSubject): string | undefined {
  if (list !== 'allow' || subject.by === 'effect' || !subject.prefix || isOfOneServer(subject.name)) return undefined;
  return 'An allow rule may use "*" only for the tools of one server (alias__*); name the tool, or choose the yolo mode.';
}

/** Excludes exceptions from a rule: a command or path that one allows, and the known effects of such a command. */
function withExceptions(
  { unless }: Rule,
  { name, subject }: ParsedRule,
  match: CompiledRule['match'],
  places: Places,
): CompiledRule['match'] {
  if (unless === undefined) return match;
  const exceptions = unless.flatMap((text) => {
    const parsed = parseRule(`${name}(${text})`);
    return 'problem' in parsed || parsed.specifier === undefined ? [] : [allowJudge(parsed.specifier, places)];
  });
  return (toolName, effect) => {
    const isJudged = effect !== undefined && (effect.kind === 'run' || isOfClass('deny', subject, toolName, effect));
    return isJudged && exceptions.some((allows) => allows(effect) === 'yes') ? 'no' : match(toolName, effect);
  };
}

function compileMatch(list: RuleList, parsed: ParsedRule, places: Places): CompiledRule['match'] {
  const { subject, specifier } = parsed;
  const names = list === 'allow' ? namesTool : namesToolStrictly;
  const speaks = (toolName: string, effect: Effect): boolean => {
    if (list === 'allow' && isElsewhere(effect)) return false;
    // What a tool may do says nothing of the secrets that it may be handed.
    if (list === 'allow' && effect.kind === 'secret' && subject.by === 'tool') return false;
    return subject.by === 'tool' ? names(subject, toolName) : isOfClass(list, subject, toolName, effect);
  };
  if (specifier === undefined) {
    return (toolName, effect) => {
      if (effect === undefined) return names(subject, toolName) ? 'yes' : 'no';
      if (speaks(toolName, effect)) return 'yes';
      return list !== 'allow' && doubtOf(effect) !== undefined && mayHide(subject, toolName) ? 'part' : 'no';
    };
  }
  const judge = list === 'allow' ? allowJudge(specifier, places) : strictJudge(specifier, places, useOf(subject));
  // A command reads and writes, so strict rules on paths speak of it too.
  const meetsCommands = list !== 'allow' && specifier.kind === 'path' && subject.by === 'effect';
  return (toolName, effect) => {
    if (effect === undefined) return 'no';
    const isJudged = speaks(toolName, effect) || (meetsCommands && effect.kind === 'run');
    const judged = isJudged && effect.kind !== 'unknown' ? judge(effect) : 'no';
    return judged === 'no' && list !== 'allow' && isUnseen(effect, subject) && mayHide(subject, toolName)
      ? 'part'
      : judged;
  };
}

/** A command's words were allowed for the project: in the temp folder and outside, the same words run what others put there. */
function isElsewhere(effect: Effect): boolean {
  return effect.kind === 'run' && effect.zone !== 'workspace';
}

function useOf(subject: RuleSubject): PathUse {
  if (subject.by === 'tool') return 'both';
  return subject.effect === 'change' ? 'change' : 'read';
}

/** Which paths and hosts a tool of others touches stands nowhere, also where it is believed that it only reads. */
function isUnseen(effect: Effect, subject: RuleSubject): boolean {
  return doubtOf(effect) !== undefined || (effect.kind === 'foreign' && subject.by === 'tool');
}

/** What is in doubt may be anything that rules on effects speak of, and anything this tool does. */
function mayHide(subject: RuleSubject, toolName: string): boolean {
  if (subject.by === 'tool') return namesToolStrictly(subject, toolName);
  return subject.effect !== 'delegate' && subject.effect !== 'secret';
}

/** Where it talks to. That a host may be reached does not allow what a server there is asked to do. */
function reachedBy(effect: Effect): { readonly host: string; readonly url: string } | undefined {
  if (effect.kind === 'fetch') return effect;
  return effect.kind === 'foreign' ? effect.at : undefined;
}

function isOfClass(list: RuleList, subject: RuleSubject, toolName: string, effect: Effect): boolean {
  if (subject.by !== 'effect') return false;
  switch (subject.effect) {
    case 'read':
      return effect.kind === 'read';
    case 'change':
      return effect.kind === 'write' || effect.kind === 'delete';
    case 'run':
      // Whoever says "any command" means those that could not be worked out as well.
      return effect.kind === 'run' || (effect.kind === 'unknown' && toolName === SHELL_TOOL);
    case 'fetch':
      return reachedBy(effect) !== undefined && (list !== 'allow' || effect.kind === 'fetch');
    case 'delegate':
    case 'secret':
      return effect.kind === subject.effect;
    default:
      return subject.effect satisfies never;
  }
}

type Judge = (effect: Effect) => RuleMatch;

function allowJudge(specifier: Specifier, places: Places): Judge {
  switch (specifier.kind) {
    case 'command': {
      const allows = compileAllowCommand(specifier.pattern);
      return (effect) => yes(effect.kind === 'run' && allows(effect));
    }
    case 'path': {
      const allows = compileAllowPath(specifier.pattern, places);
      return (effect) => yes(isPathEffect(effect) && allows(effect));
    }
    case 'host':
      return (effect) => yes(effect.kind === 'fetch' && allowsHost(specifier.pattern, effect));
    case 'agent':
      return (effect) => yes(effect.kind === 'delegate' && effect.agent === specifier.name);
    case 'secret':
      return secretJudge(specifier.name, '');
    default:
      return specifier satisfies never;
  }
}

function strictJudge(specifier: Specifier, places: Places, use: PathUse): Judge {
  switch (specifier.kind) {
    case 'command': {
      const match = compileStrictCommand(specifier.pattern);
      return (effect) => (effect.kind === 'run' ? match(effect) : 'no');
    }
    case 'path': {
      const match = compileStrictPath(specifier.pattern, places);
      const mayTouch = compileCommandPath(specifier.pattern, places, use);
      return (effect) => {
        if (effect.kind === 'run') return mayTouch(effect) ? 'part' : 'no';
        return isPathEffect(effect) ? match(effect) : 'no';
      };
    }
    case 'host':
      return (effect) => {
        const reached = reachedBy(effect);
        return yes(reached !== undefined && meetsHost(specifier.pattern, reached));
      };
    case 'agent': {
      const name = specifier.name.toLowerCase();
      return (effect) => yes(effect.kind === 'delegate' && effect.agent.toLowerCase() === name);
    }
    case 'secret':
      return secretJudge(specifier.name, 'i');
    default:
      return specifier satisfies never;
  }
}

/** Two `_` side by side are one in the name of a placeholder. */
function secretJudge(name: string, flags: '' | 'i'): Judge {
  const pieces = name.replaceAll(/_{2,}/g, '_').split('*');
  const pattern = pieces.map((piece) => piece.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*');
  const names = new RegExp(`^${pattern}$`, flags);
  return (effect) => yes(effect.kind === 'secret' && names.test(effect.name));
}

function yes(matched: boolean): RuleMatch {
  return matched ? 'yes' : 'no';
}
