import type { WireObject } from './wire-json.js';

/** The amount of thinking before an answer, from none to the most that the model can do. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** Tokens of thinking for models that are given a number of them. */
const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 4_096,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 24_576,
};
/** The smallest budget that Anthropic accepts. */
const LEAST_BUDGET = 1_024;

/** Returns the field for a chat completion: the server's own word, which the server refuses if it does not know it. */
export function openAiEffort(effort: ReasoningEffort | undefined): WireObject {
  return effort === undefined ? {} : { reasoning_effort: effort };
}

/**
 * Returns the fields for a Messages request. From Claude 4.6 on the effort is a word and the model decides how much it thinks. Earlier
 * models, and those of other vendors, get a budget smaller than `limit`, the tokens of the answer.
 */
export function anthropicEffort(effort: ReasoningEffort | undefined, model: string, limit: number): WireObject {
  if (effort === undefined) return {};
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  if (isAdaptive(model)) {
    const word = effort === 'minimal' ? 'low' : effort;
    return { thinking: { type: 'adaptive' }, output_config: { effort: word } };
  }
  const budget = Math.min(BUDGETS[effort], Math.floor(limit / 2));
  // The answer is too short for thinking.
  if (budget < LEAST_BUDGET) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** Returns the field for `thinkingConfig`. Gemini 3 has levels up to `high`; earlier models have budgets. */
export function geminiEffort(effort: ReasoningEffort | undefined, model: string): WireObject {
  if (effort === undefined) return {};
  if (/gemini-[12]/.test(model)) return { thinkingBudget: BUDGETS[effort] };
  if (effort === 'none') return { thinkingLevel: 'minimal' };
  return { thinkingLevel: effort === 'xhigh' || effort === 'max' ? 'high' : effort };
}

/** Returns true for `claude-opus-4-6` and `anthropic/claude-sonnet-5`, not for `claude-opus-4-20250514` or `claude-3-7-sonnet`. */
function isAdaptive(model: string): boolean {
  const [, major, minor = '0'] = /claude-[a-z]+-(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  return major !== undefined && Number(major) * 100 + Number(minor) >= 406;
}
