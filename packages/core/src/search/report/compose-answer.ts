import { chooseRendering, type Findings, type Rendering } from './choose-rendering.js';
import { frameOf, renderAnswer, type Answer } from './render-answer.js';
import type { Context } from './render-matches.js';
import { ANSWER_BYTES, bytesOf, PAGE_PHRASE_BYTES } from './search-text.js';

/** Lines that a single match, or two or three, have around them when nothing is said about it. */
const CONTEXT_OF_ONE = 20;
const CONTEXT_OF_FEW = 8;
const FEW = 3;

/** So that few matches can be understood without reading the files. */
export function contextFor(total: number): Context {
  const lines = total === 1 ? CONTEXT_OF_ONE : total <= FEW ? CONTEXT_OF_FEW : 0;
  return { before: lines, after: lines };
}

/** The fullest text that fits in `ANSWER_BYTES`. `findings` are undefined where there is nothing to show. */
export function composeAnswer(
  answer: Answer,
  findings: Findings | undefined,
): { readonly text: string; readonly rendering: Rendering | undefined } {
  if (findings === undefined) return { text: renderAnswer(answer, undefined), rendering: undefined };
  const room = ANSWER_BYTES - bytesOf(frameOf(answer)) - PAGE_PHRASE_BYTES;
  const rendering = chooseRendering(findings, room);
  const pageSize = rendering.pageSize ?? answer.pageSize;
  return { text: renderAnswer({ ...answer, pageSize }, rendering), rendering };
}
