import { partitionPoint } from '../util/partition-point.js';
import type { DoneStep, EditFailure, EditPlan, EditRequest, EditStep, LineSpan, Omission } from './edit-plan.js';
import { findHalfCharacter, restoreDamage } from './damaged-text.js';
import { isDamaged, shownText } from '../util/shown-text.js';
import { explainMiss } from './explain-miss.js';
import { findOmission } from './find-omission.js';
import { applyReplacements, findTarget, lineNumberAt, type Replacement } from './find-target.js';

interface Span {
  readonly start: number;
  readonly end: number;
}

type Outcome =
  | { readonly done: DoneStep; readonly text: string; readonly replacements: readonly Replacement[] }
  | { readonly failure: EditFailure };

/** Decides on edits of one file: all or none, in order. Nothing outside the matched places changes (S84–S94). */
export function planEdits({ text, steps, seen }: EditRequest): EditPlan {
  const done: DoneStep[] = [];
  let current = text;
  let changed: readonly Span[] = [];
  for (const [step, asked] of steps.entries()) {
    const outcome = planStep(current, asked, done.length === 0 ? seen : undefined);
    if ('failure' in outcome) return { outcome: 'failed', step, failure: outcome.failure };
    done.push(outcome.done);
    changed = carryOver(changed, outcome.replacements);
    current = outcome.text;
  }
  if (current === null || (current === text && text !== '')) return failed(steps.length - 1, { reason: 'no-change' });
  return { outcome: 'edit', newContent: current, steps: done, changed: lineSpans(current, changed) };
}

function failed(step: number, failure: EditFailure): EditPlan {
  return { outcome: 'failed', step: Math.max(0, step), failure };
}

function planStep(text: string | null, step: EditStep, seen: string | undefined): Outcome {
  if (step.oldText === '') return planWhole(text, step);
  if (text === null) return { failure: { reason: 'missing-file' } };
  if (step.oldText === step.newText) return { failure: { reason: 'no-change' } };
  const half = findHalfCharacter(step.newText);
  if (half !== undefined) return { failure: half };
  // What the caller knows is the text as it was shown.
  return planPart(
    text,
    isDamaged(step.oldText) ? text : shownText(text),
    step,
    seen === undefined ? seen : shownText(seen),
  );
}

/** `text`: to be found in; as long as `original`, from which it differs where that has no characters. */
function planPart(original: string, text: string, step: EditStep, seen: string | undefined): Outcome {
  const { oldText, newText, expected } = step;
  const replaceAll = step.replaceAll || (expected ?? 1) > 1;
  const target = findTarget({ text, oldText, newText, replaceAll });
  if (target.found === 'refused' && target.reason !== 'escapes') {
    const { reason, detail, line } = target;
    return { failure: { reason, detail, line } };
  }
  if (target.found === 'none' || target.found === 'refused') {
    const miss = explainMiss({ text, step, seen });
    // Sent back, it must apply.
    const isUseless =
      miss.suggestion !== undefined &&
      (findOmission(newText, miss.suggestion, text) !== undefined ||
        findTarget({ text, oldText: miss.suggestion, newText, replaceAll: false }).found !== 'one-or-all');
    return { failure: { reason: 'not-found', miss: isUseless ? { ...miss, suggestion: undefined } : miss } };
  }
  const { tier } = target;
  if (target.found === 'several') {
    const lines = target.starts.map((start) => lineNumberAt(text, start));
    const reason = expected === undefined ? 'several' : 'count';
    return { failure: { reason, tier, count: target.count, lines } };
  }
  const replacements = restored(original, text, target.replacements);
  if (!Array.isArray(replacements)) return { failure: replacements };
  if (expected !== undefined && replacements.length !== expected) {
    const lines = replacements.slice(0, MAX_LINES).map(({ start }) => lineNumberAt(text, start));
    return { failure: { reason: 'count', tier, count: replacements.length, lines } };
  }
  const omission = tier === 'elided' ? undefined : findOmission(target.newText, target.oldText, text);
  if (omission !== undefined) return { failure: omission };
  const after = applyReplacements(original, replacements);
  if (after === original) return { failure: { reason: 'no-change' } };
  return { done: { tier, count: replacements.length }, text: after, replacements };
}

const MAX_LINES = 10;

/** The replacements with the characters of the file in place of those that were shown for them. */
function restored(original: string, shown: string, replacements: readonly Replacement[]): Replacement[] | Omission {
  if (original === shown) return [...replacements];
  const result: Replacement[] = [];
  for (const one of replacements) {
    const real = restoreDamage(original.slice(one.start, one.end), one.text);
    if ('reason' in real) return real;
    result.push({ ...one, text: real.text });
  }
  return result;
}

/** An empty target creates a file (S91) or fills an empty one; it never overwrites (S94). */
function planWhole(text: string | null, { newText, expected }: EditStep): Outcome {
  if (text !== null && text !== '') return { failure: { reason: 'file-exists' } };
  if (text === newText) return { failure: { reason: 'no-change' } };
  if (expected !== undefined && expected !== 1)
    return { failure: { reason: 'count', tier: 'exact', count: 1, lines: [1] } };
  const omission = findHalfCharacter(newText) ?? findOmission(newText, '');
  if (omission !== undefined) return { failure: omission };
  return { done: { tier: 'exact', count: 1 }, text: newText, replacements: [] };
}

/** Where earlier changes stand once the replacements are made, together with those of the replacements themselves. */
function carryOver(earlier: readonly Span[], replacements: readonly Replacement[]): Span[] {
  let shift = 0;
  const fresh = replacements.map(({ start, end, text }) => {
    const at = start + shift;
    shift += text.length - (end - start);
    return { start: at, end: at + text.length };
  });
  const spans = [...earlier.map((span) => moved(span, replacements, fresh)), ...fresh];
  if (earlier.length === 0) return spans;
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

function moved(span: Span, replacements: readonly Replacement[], fresh: readonly Span[]): Span {
  const place = (at: number, side: 'start' | 'end'): number => {
    // The last that starts there or before.
    const index = partitionPoint(replacements.length, (one) => (replacements[one]?.start ?? 0) <= at) - 1;
    const replacement = replacements[index];
    const written = fresh[index];
    if (replacement === undefined || written === undefined) return at;
    if (at >= replacement.end) return at + written.end - replacement.end;
    return written[side];
  };
  const start = place(span.start, 'start');
  return { start, end: Math.max(start, place(span.end, 'end')) };
}

/** The lines of sorted places, found in one pass. */
function lineSpans(text: string, places: readonly Span[]): LineSpan[] {
  let line = 1;
  let feed = text.indexOf('\n');
  const lineAt = (index: number): number => {
    for (; feed !== -1 && feed < index; feed = text.indexOf('\n', feed + 1)) line += 1;
    return line;
  };
  return places.map(({ start, end }) => ({ first: lineAt(start), last: lineAt(Math.max(start, end - 1)) }));
}
