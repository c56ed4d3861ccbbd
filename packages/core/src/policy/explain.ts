import { describeEffect } from '../effects/describe.js';
import { doubtOf, type Effect } from '../effects/effect.js';
import { compileRules, type RuleMatch } from './compile-rules.js';
import { decide } from './decide.js';
import { ruleText, type Rule } from './rule.js';
import { leavesOutWithheld } from './tool-aliases.js';
import type { Decision, EffectVerdict, PolicyCall, PolicyContext } from './verdict.js';

/** How a call is judged, as data. */
export interface Explanation {
  readonly toolName: string;
  readonly mode: PolicyContext['mode'];
  /** Rules that cannot be read, a sentence each. */
  readonly problems: readonly string[];
  readonly effects: readonly ExplainedEffect[];
  /** Why more may happen than the effects say, a noun phrase each. */
  readonly doubts: readonly string[];
  readonly decision: Decision;
  readonly reason: string;
  readonly rule?: Rule;
}

/** One effect, every rule that was tried on it, and what decided it. Without `effect`: the call as a whole. */
export interface ExplainedEffect {
  readonly effect?: Effect;
  readonly rules: readonly { readonly rule: Rule; readonly result: RuleMatch }[];
  readonly decision: Decision;
  readonly reason: string;
}

/** How a call is judged: every effect, every rule that was tried on it, and what won. */
export function explainCall(call: PolicyCall, context: PolicyContext): Explanation {
  const compiled = compileRules(context.rules, context);
  const verdict = decide(call, context, compiled);
  return {
    toolName: call.toolName,
    mode: context.mode,
    problems: compiled.problems.map(({ problem }) => problem),
    effects: inCallOrder(call, verdict.parts).map(({ effect, decision, reason }) => ({
      ...(effect !== undefined && { effect }),
      rules: compiled.rules.map(({ rule, match }) => ({ rule, result: match(call.toolName, effect) })),
      decision,
      reason,
    })),
    doubts: call.effects.flatMap((effect) => doubtOf(effect) ?? []),
    decision: verdict.decision,
    reason: verdict.reason,
    ...(verdict.rule !== undefined && { rule: verdict.rule }),
  };
}

/**
 * `explainCall` for people. Several lines; texts from the call stand between quotes with escapes, so that they cannot
 * forge a line. Still untrusted text.
 */
export function explain(call: PolicyCall, context: PolicyContext): string {
  const found = explainCall(call, context);
  return [
    `call: ${quote(call.toolName)} (mode: ${context.mode})`,
    ...found.problems.map((problem) => `cannot be read: ${flat(problem)}`),
    ...(call.effects.length === 0 ? ['effects: none'] : []),
    ...found.effects.flatMap((part, index) => explainPart(part, index, leavesOutWithheld(call.toolName))),
    ...(found.doubts.length === 0 ? [] : [`not certain: ${found.doubts.map(flat).join('; ')}`]),
    `decision: ${found.decision}, because ${flat(found.reason)}`,
  ].join('\n');
}

function inCallOrder(call: PolicyCall, parts: readonly EffectVerdict[]): readonly EffectVerdict[] {
  if (call.effects.length === 0) return parts;
  return call.effects.flatMap((effect) => parts.find((part) => part.effect === effect) ?? []);
}

function explainPart(
  { effect, rules, decision, reason }: ExplainedEffect,
  index: number,
  isBelieved: boolean,
): string[] {
  const isLeftOut = isBelieved && effect?.kind === 'read' && effect.leavesOut === 'denied';
  const wordsOf = (result: RuleMatch): string => (result === 'part' && isLeftOut ? LEFT_OUT : WORDS[result]);
  const tried = rules.map(
    ({ rule, result }) => `   ${rule.list} ${flat(ruleText(rule))} (${flat(rule.origin)}): ${wordsOf(result)}`,
  );
  const title = effect === undefined ? 'the call itself' : describe(effect);
  return [`${index + 1}. ${title}`, ...tried, `   → ${decision}: ${flat(reason)}`];
}

const LEFT_OUT = 'what it speaks of is left out';

const WORDS: Readonly<Record<RuleMatch, string>> = {
  yes: 'matches',
  part: 'may match, cannot be checked',
  no: 'does not match',
};

function describe(effect: Effect): string {
  const zone = 'zone' in effect ? ` [${effect.zone}]` : '';
  return `${effect.kind}: ${quote(describeEffect(effect))}${zone}`;
}

function quote(text: string): string {
  return flat(JSON.stringify(text));
}

/** On one line: control characters and line separators as escapes. */
function flat(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
