import { doubtOf, isPathEffect, unseenIn, type Effect, type RunEffect } from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';
import { controlFileOfCommand } from './command-paths.js';
import { compileRules, type CompiledRule, type CompiledRules } from './compile-rules.js';
import { controlFileReason } from './control-files.js';
import { irrecoverableAct, wholesaleReason } from './irrecoverable-acts.js';
import { modeDefault } from './mode-defaults.js';
import { ownProgramReason } from './own-program.js';
import { ruleText, type Rule, type RuleList } from './rule.js';
import { leavesOutWithheld, SHELL_TOOL } from './tool-aliases.js';
import { mayGoThroughTree, namedIn } from './unread-text.js';
import { untrustedReason } from './untrusted-content.js';
import { isOfText, textOfCall } from './whole-text.js';
import type { Decision, EffectVerdict, PolicyCall, PolicyContext, Verdict } from './verdict.js';

/**
 * Whether a call may run: the strictest decision over its effects. Pure. For each effect, in this order:
 * a deny rule; the plan mode, which no allow rule loosens (but see `isNamedForPlan`); whatever needs a question (an ask
 * rule, a rule that may be met but cannot be checked, a control file, a deny or ask rule that cannot be read, sending
 * something out once strangers' content came in); an allow rule; the mode. A call without effects is allowed unless a rule on the tool itself says otherwise.
 * `compiled` spares compiling `context.rules` for each call.
 */
export function decide(
  call: PolicyCall,
  context: PolicyContext,
  compiled: CompiledRules = compileRules(context.rules, context),
): Verdict {
  const text = textOfCall(call, context.roots);
  const judged = call.effects.map((effect) =>
    judgeEffect(effect, { toolName: call.toolName, text }, context, compiled),
  );
  const parts = judged.length > 0 ? judged : [judgeWithoutEffects(call.toolName, compiled)];
  const won = parts.reduce((strictest, part) => (strictness(part) > strictness(strictest) ? part : strictest));
  return {
    decision: won.decision,
    reason: won.reason,
    ...(won.rule !== undefined && { rule: won.rule }),
    parts: [won, ...parts.filter((part) => part !== won)],
  };
}

const ORDER: readonly Decision[] = ['allow', 'ask', 'deny'];

function strictness(part: EffectVerdict): number {
  return ORDER.indexOf(part.decision);
}

interface OfCall {
  readonly toolName: string;
  /** See `textOfCall`. */
  readonly text: RunEffect | undefined;
}

function judgeEffect(
  effect: Effect,
  { toolName, text: textOfAll }: OfCall,
  context: PolicyContext,
  compiled: CompiledRules,
): EffectVerdict {
  const text = effect.kind === 'run' && effect.unread !== undefined ? effect : isOfText(effect) ? textOfAll : undefined;
  const verdict = (decision: Decision, reason: string, rule?: Rule): EffectVerdict => ({
    effect,
    decision,
    reason,
    ...(rule !== undefined && { rule }),
  });
  const denied = firstMatch(compiled, 'deny', toolName, effect);
  if (denied !== undefined) return verdict('deny', ruleReason(denied), denied);
  const byMode = modeDefault(effect, context.mode);
  const isForPlan = byMode.decision !== 'deny' || isNamedForPlan(effect, toolName, compiled);
  if (context.mode === ApprovalMode.PLAN && !isForPlan) return verdict('deny', byMode.reason);
  const asked = firstMatch(compiled, 'ask', toolName, effect);
  if (asked !== undefined) return verdict('ask', ruleReason(asked), asked);
  const protectedBy = protectionReason(effect, context);
  if (protectedBy !== undefined) return verdict('ask', protectedBy);
  const act = irrecoverableAct(effect);
  if (act !== undefined && !isNamedInFull(effect, toolName, compiled)) return verdict('ask', act.reason);
  const broken = brokenStrictRule(compiled);
  if (broken !== undefined) return verdict('ask', broken.reason, broken.rule);
  const spelled = ruleThatSpells(compiled, toolName, effect);
  const allowed =
    firstMatch(compiled, 'allow', toolName, effect) ??
    ruleOfCommand(compiled, toolName, effect) ??
    spelled ??
    (text && rulesOfText(text, toolName, compiled)[0]?.rule);
  // Naming a tool other than the shell outright is an answer to what cannot be known about it.
  const isNamed =
    spelled !== undefined ||
    ((effect.kind === 'unknown' || effect.kind === 'foreign') && toolName !== SHELL_TOOL && allowed !== undefined);
  const isAnswered = (rule: Rule): boolean => isNamed && (rule.isManaged !== true || isAllowedByManaged());
  const isAllowedByManaged = (): boolean =>
    compiled.rules.some(
      ({ rule, match }) => rule.isManaged === true && rule.list === 'allow' && match(toolName, effect) === 'yes',
    );
  const isSettled = doubtOf(effect) === undefined ? () => false : settledByText(text, toolName, compiled);
  const isLeftOut = leavesOut(effect, toolName);
  const unclear = compiled.rules.find(
    (each) =>
      each.rule.list !== 'allow' &&
      each.match(toolName, effect) === 'part' &&
      !isLeftOut &&
      !isAnswered(each.rule) &&
      !isSettled(each),
  );
  if (unclear !== undefined) return verdict('ask', unclearReason(effect, unclear.rule), unclear.rule);
  const isFree = allowed !== undefined || byMode.decision === 'allow';
  const sentOut = isFree ? untrustedReason(effect, context) : undefined;
  if (sentOut !== undefined) return verdict('ask', sentOut);
  if (allowed !== undefined) return verdict('allow', ruleReason(allowed), allowed);
  return verdict(byMode.decision, byMode.reason);
}

/**
 * Of most tools that others wrote nobody says whether they only read. Where the person wrote down the very tool, they are
 * believed about it; a word that it changes things is believed more.
 */
function isNamedForPlan(effect: Effect, toolName: string, compiled: CompiledRules): boolean {
  if (effect.kind !== 'foreign' || effect.does !== 'unknown') return false;
  return compiled.rules.some(
    ({ rule, parsed: { subject, specifier }, match }) =>
      rule.list === 'allow' &&
      subject.by === 'tool' &&
      !subject.prefix &&
      specifier === undefined &&
      match(toolName, effect) === 'yes',
  );
}

/** What the rules speak of inside the folder is not touched. */
function leavesOut(effect: Effect, toolName: string): boolean {
  return effect.kind === 'read' && effect.leavesOut === 'denied' && leavesOutWithheld(toolName);
}

function judgeWithoutEffects(toolName: string, compiled: CompiledRules): EffectVerdict {
  for (const list of ['deny', 'ask', 'allow'] as const) {
    const rule = firstMatch(compiled, list, toolName);
    if (rule !== undefined) return { decision: list, reason: ruleReason(rule), rule };
  }
  const broken = brokenStrictRule(compiled);
  if (broken !== undefined) return { decision: 'ask', ...broken };
  return { decision: 'allow', reason: 'the call has no effects' };
}

function firstMatch(compiled: CompiledRules, list: RuleList, toolName: string, effect?: Effect): Rule | undefined {
  const matches = (each: CompiledRule): boolean => each.rule.list === list && each.match(toolName, effect) === 'yes';
  return compiled.rules.find(matches)?.rule;
}

/**
 * A rule that allows a command allows what the command is known to do in the workspace. What it does elsewhere is allowed
 * only by a rule that names the whole command, so that a wildcard never stands for a path or a host.
 */
function ruleOfCommand(compiled: CompiledRules, toolName: string, effect: Effect): Rule | undefined {
  const by = 'by' in effect ? effect.by : undefined;
  if (by === undefined) return undefined;
  const isInside = isPathEffect(effect) && effect.zone !== 'outside' && effect.zone !== 'skill';
  return compiled.rules.find(
    ({ rule, parsed, match }) =>
      rule.list === 'allow' && (isInside || namesWholeCommand(parsed)) && match(toolName, by) === 'yes',
  )?.rule;
}

/** Returns the allow rule that spells out the words by which a command does more than its name says (`mise run *`). */
function ruleThatSpells(compiled: CompiledRules, toolName: string, effect: Effect): Rule | undefined {
  if (effect.kind !== 'unknown' || effect.by === undefined || effect.spelledOut === undefined) return undefined;
  const { by, spelledOut } = effect;
  return compiled.rules.find(({ rule, parsed: { specifier }, match }) => {
    if (rule.list !== 'allow' || specifier?.kind !== 'command') return false;
    const spelled = specifier.pattern.words.slice(0, spelledOut);
    return (
      spelled.length === spelledOut && spelled.every((pieces) => pieces.length === 1) && match(toolName, by) === 'yes'
    );
  })?.rule;
}

/** Returns the allow rules that are the whole text of a call. They settle its unknown effects. */
function rulesOfText(text: RunEffect, toolName: string, compiled: CompiledRules): readonly CompiledRule[] {
  return compiled.rules.filter(
    ({ rule, parsed, match }) => rule.list === 'allow' && namesWholeCommand(parsed) && match(toolName, text) === 'yes',
  );
}

/**
 * Returns a test: does an allow rule for the whole text settle this unchecked deny or ask rule? It does not if the rule may match something
 * that the text names.
 */
function settledByText(
  text: RunEffect | undefined,
  toolName: string,
  compiled: CompiledRules,
): (strict: CompiledRule) => boolean {
  const answers = text === undefined ? [] : rulesOfText(text, toolName, compiled);
  if (text === undefined || answers.length === 0) return () => false;
  const named = namedIn(text);
  const isOfManager = answers.some(({ rule }) => rule.isManaged === true);
  return ({ rule, parsed: { specifier }, match }) =>
    named !== undefined &&
    (rule.isManaged !== true || isOfManager) &&
    specifier !== undefined &&
    !(specifier.kind === 'path' && mayGoThroughTree(text)) &&
    named.every((each) => match(toolName, each) === 'no');
}

function namesWholeCommand({ specifier }: CompiledRule['parsed']): boolean {
  if (specifier?.kind !== 'command') return false;
  const { words, anyRest } = specifier.pattern;
  return !anyRest && words.every((pieces) => pieces.length === 1);
}

function protectionReason(effect: Effect, context: PolicyContext): string | undefined {
  if (effect.kind === 'run') {
    const [named = effect] = effect.unread === undefined ? [] : (namedIn(effect) ?? []);
    return ownProgramReason(named) ?? controlFileOfCommand(named, context);
  }
  if (!isPathEffect(effect)) return undefined;
  // A folder that holds a control file besides all else is better known by what else is lost.
  return wholesaleReason(effect, context) ?? controlFileReason(effect, context.controlFolders);
}

/** The person wrote down this very command, so that they know what it does. */
function isNamedInFull(effect: Effect, toolName: string, compiled: CompiledRules): boolean {
  return effect.kind === 'run' && rulesOfText(effect, toolName, compiled).length > 0;
}

/** Nobody knows what a deny or ask rule with a typing error was meant to stop, so it stops to ask. */
function brokenStrictRule(compiled: CompiledRules): { rule: Rule; reason: string } | undefined {
  const broken = compiled.problems.find(({ rule }) => rule.list !== 'allow');
  return broken && { rule: broken.rule, reason: `a rule could not be read: ${broken.problem}` };
}

function ruleReason(rule: Rule): string {
  return `${rule.list} rule ${ruleText(rule)} (${rule.origin})`;
}

function unclearReason(effect: Effect, rule: Rule): string {
  if (effect.kind === 'unknown') return `not analysed (${effect.reason}), so the ${ruleReason(rule)} may apply`;
  if (effect.kind === 'foreign') return `${unseenIn(effect)}, so the ${ruleReason(rule)} may apply`;
  if (effect.kind === 'run' && effect.unread !== undefined)
    return `${effect.unread}, so the ${ruleReason(rule)} may apply`;
  if (effect.kind === 'run') return `the ${ruleReason(rule)} may apply to what the command names or goes through`;
  return `the ${ruleReason(rule)} speaks of something inside the folder`;
}
