import { isPathEffect, type Effect } from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';
import { controlFileOfCommand } from './command-paths.js';
import { compileRules, type CompiledRule, type CompiledRules } from './compile-rules.js';
import { controlFileReason, wholesaleDeleteReason } from './control-files.js';
import { modeDefault } from './mode-defaults.js';
import type { Rule, RuleList } from './rule.js';
import { SHELL_TOOL } from './tool-aliases.js';
import type { Decision, EffectVerdict, PolicyCall, PolicyContext, Verdict } from './verdict.js';

/**
 * Whether a call may run: the strictest decision over its effects. Pure. For each effect, in this order:
 * a deny rule; the plan mode, which no allow rule loosens; whatever needs a question (an ask rule, a rule that
 * may be met but cannot be checked, a control file, a deny or ask rule that cannot be read); an allow rule; the
 * mode. A call without effects is allowed unless a rule on the tool itself says otherwise.
 * `compiled` spares compiling `context.rules` for each call.
 */
export function decide(
  call: PolicyCall,
  context: PolicyContext,
  compiled: CompiledRules = compileRules(context.rules, context),
): Verdict {
  const judged = call.effects.map((effect) => judgeEffect(effect, call.toolName, context, compiled));
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

function judgeEffect(effect: Effect, toolName: string, context: PolicyContext, compiled: CompiledRules): EffectVerdict {
  const verdict = (decision: Decision, reason: string, rule?: Rule): EffectVerdict => ({
    effect,
    decision,
    reason,
    ...(rule !== undefined && { rule }),
  });
  const denied = firstMatch(compiled, 'deny', toolName, effect);
  if (denied !== undefined) return verdict('deny', ruleReason(denied), denied);
  const byMode = modeDefault(effect, context.mode);
  if (context.mode === ApprovalMode.PLAN && byMode.decision === 'deny') return verdict('deny', byMode.reason);
  const asked = firstMatch(compiled, 'ask', toolName, effect);
  if (asked !== undefined) return verdict('ask', ruleReason(asked), asked);
  const protectedBy = protectionReason(effect, context);
  if (protectedBy !== undefined) return verdict('ask', protectedBy);
  const broken = brokenStrictRule(compiled);
  if (broken !== undefined) return verdict('ask', broken.reason, broken.rule);
  const allowed = firstMatch(compiled, 'allow', toolName, effect);
  const unclear = compiled.rules.find((each) => each.rule.list !== 'allow' && each.match(toolName, effect) === 'part');
  // Naming a tool other than the shell outright is an answer to what cannot be known about it.
  const isAnswered = effect.kind === 'unknown' && toolName !== SHELL_TOOL && allowed !== undefined;
  if (unclear !== undefined && !isAnswered) return verdict('ask', unclearReason(effect, unclear.rule), unclear.rule);
  if (allowed !== undefined) return verdict('allow', ruleReason(allowed), allowed);
  return verdict(byMode.decision, byMode.reason);
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

function protectionReason(effect: Effect, context: PolicyContext): string | undefined {
  if (effect.kind === 'run') return controlFileOfCommand(effect, context.controlFolders ?? []);
  if (!isPathEffect(effect)) return undefined;
  return controlFileReason(effect, context.controlFolders) ?? wholesaleDeleteReason(effect, context);
}

/** Nobody knows what a deny or ask rule with a typing error was meant to stop, so it stops to ask. */
function brokenStrictRule(compiled: CompiledRules): { rule: Rule; reason: string } | undefined {
  const broken = compiled.problems.find(({ rule }) => rule.list !== 'allow');
  return broken && { rule: broken.rule, reason: `a rule could not be read: ${broken.problem}` };
}

function ruleReason(rule: Rule): string {
  return `${rule.list} rule ${rule.text} (${rule.origin})`;
}

function unclearReason(effect: Effect, rule: Rule): string {
  if (effect.kind === 'unknown') return `not analysed (${effect.reason}), so the ${ruleReason(rule)} may apply`;
  if (effect.kind === 'run') return `the ${ruleReason(rule)} may apply to what the command names or goes through`;
  return `the ${ruleReason(rule)} speaks of something inside the folder`;
}
