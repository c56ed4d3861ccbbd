import { describeEffect } from '../effects/describe.js';
import type { Effect } from '../effects/effect.js';
import { compileRules, type CompiledRules, type RuleMatch } from './compile-rules.js';
import { decide } from './decide.js';
import type { EffectVerdict, PolicyCall, PolicyContext } from './verdict.js';

/**
 * How a call is judged, for people: every effect, every rule that was tried on it, and what won. Several lines;
 * texts from the call stand between quotes with escapes, so that they cannot forge a line. Still untrusted text.
 */
export function explain(call: PolicyCall, context: PolicyContext): string {
  const compiled = compileRules(context.rules, context);
  const verdict = decide(call, context, compiled);
  const parts = inCallOrder(call, verdict.parts);
  return [
    `call: ${quote(call.toolName)} (mode: ${context.mode})`,
    ...compiled.problems.map(({ problem }) => `cannot be read: ${flat(problem)}`),
    ...(call.effects.length === 0 ? ['effects: none'] : []),
    ...parts.flatMap((part, index) => explainPart(part, index, call.toolName, compiled)),
    `decision: ${verdict.decision}, because ${flat(verdict.reason)}`,
  ].join('\n');
}

function inCallOrder(call: PolicyCall, parts: readonly EffectVerdict[]): readonly EffectVerdict[] {
  if (call.effects.length === 0) return parts;
  return call.effects.flatMap((effect) => parts.find((part) => part.effect === effect) ?? []);
}

function explainPart(part: EffectVerdict, index: number, toolName: string, compiled: CompiledRules): string[] {
  const tried = compiled.rules.map(({ rule, match }) => {
    const result = WORDS[match(toolName, part.effect)];
    return `   ${rule.list} ${flat(rule.text)} (${flat(rule.origin)}): ${result}`;
  });
  const title = part.effect === undefined ? 'the call itself' : describe(part.effect);
  return [`${index + 1}. ${title}`, ...tried, `   → ${part.decision}: ${flat(part.reason)}`];
}

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
