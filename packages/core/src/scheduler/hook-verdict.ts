import type { Effect } from '../effects/effect.js';
import { modeDefault } from '../policy/mode-defaults.js';
import type { EffectVerdict, PolicyContext, Verdict } from '../policy/verdict.js';

/** What hooks said before a call. */
export interface HookWord {
  readonly decision: 'ask' | 'allow';
  readonly reason: string;
}

/**
 * What the word of hooks makes of the policy's verdict: one that asks is heard where the policy allows. One that allows
 * answers for a question that nothing but the mode asks, and only where the person said that hooks may (`mayAllow`): no deny,
 * no ask rule, no protected file is ever opened by it. Pure.
 */
export function withHookWord(
  verdict: Verdict,
  word: HookWord | undefined,
  { mode, mayAllow }: Pick<PolicyContext, 'mode'> & { readonly mayAllow: boolean },
): Verdict {
  if (word === undefined) return verdict;
  if (word.decision === 'ask') return verdict.decision === 'allow' ? decidedBy(verdict, 'ask', word.reason) : verdict;
  const isAnswered = mayAllow && verdict.decision === 'ask' && onlyModeAsks(verdict, mode);
  return isAnswered ? decidedBy(verdict, 'allow', word.reason) : verdict;
}

function decidedBy(verdict: Verdict, decision: 'ask' | 'allow', reason: string): Verdict {
  const own: EffectVerdict = { decision, reason };
  const { rule: _rule, ...rest } = verdict;
  return { ...rest, decision, reason, parts: [own, ...verdict.parts] };
}

function onlyModeAsks({ parts }: Verdict, mode: PolicyContext['mode']): boolean {
  return parts.every((part) => part.decision === 'allow' || isAskedByMode(part, mode));
}

function isAskedByMode({ effect, decision, reason, rule }: EffectVerdict, mode: PolicyContext['mode']): boolean {
  if (decision !== 'ask' || rule !== undefined || effect === undefined || isForPerson(effect)) return false;
  const byMode = modeDefault(effect, mode);
  return byMode.decision === 'ask' && byMode.reason === reason;
}

/** Something that nobody but a person, or a rule of theirs, agrees to. */
export function isForPerson({ kind }: Effect): boolean {
  return kind === 'ask' || kind === 'secret';
}
