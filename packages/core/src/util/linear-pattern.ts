import {
  codeOf,
  invalidPattern,
  isWord,
  readPattern,
  type Assertion,
  type CharTest,
  type PatternNode,
} from './pattern-syntax.js';

/**
 * A regular expression that takes time proportional to the text, whatever the pattern: all ways through it are
 * followed at once (Thompson's construction), none is ever tried again. What cannot be done so (references back,
 * looking around) is refused.
 */
export interface LinearPattern {
  /** Whether it is found anywhere in the text. */
  readonly test: (text: string) => boolean;
}

type Step =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'match' };

const MAX_STEPS = 2000;
const SYNTAX = { longest: 1000, mostRepeats: 200 };

/** @throws Failure `invalid_pattern` */
export function linearPattern(source: string): LinearPattern {
  if (source === '') throw invalidPattern(source, 'it is empty');
  const node = readPattern(source, SYNTAX);
  const steps: Step[] = [];
  emit(node, steps, source);
  steps.push({ kind: 'match' });
  return { test: (text) => runs(steps, text) };
}

/** Appends the steps of a node; when it is through, the step after its last is next. */
function emit(node: PatternNode, steps: Step[], source: string): void {
  if (steps.length > MAX_STEPS) throw invalidPattern(source, 'it is too large');
  if (node.kind === 'char' || node.kind === 'assert') steps.push(node);
  else if (node.kind === 'sequence') for (const part of node.parts) emit(part, steps, source);
  else if (node.kind === 'choice') emitChoice(node.parts, steps, source);
  else emitRepeat(node, steps, source);
}

function emitChoice(parts: readonly PatternNode[], steps: Step[], source: string): void {
  const jumps: { first: number; second: number }[] = [];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const split = { kind: 'split' as const, first: steps.length + 1, second: 0 };
    if (!isLast) steps.push(split);
    emit(part, steps, source);
    if (isLast) break;
    const jump = { kind: 'split' as const, first: 0, second: 0 };
    steps.push(jump);
    jumps.push(jump);
    split.second = steps.length;
  }
  for (const jump of jumps) jump.first = jump.second = steps.length;
}

function emitRepeat(
  { part, least, most }: { readonly part: PatternNode; readonly least: number; readonly most: number },
  steps: Step[],
  source: string,
): void {
  for (let count = 0; count < least; count += 1) emit(part, steps, source);
  if (!Number.isFinite(most)) {
    const split = { kind: 'split' as const, first: steps.length + 1, second: 0 };
    const start = steps.length;
    steps.push(split);
    emit(part, steps, source);
    steps.push({ kind: 'split', first: start, second: start });
    split.second = steps.length;
    return;
  }
  const exits: { second: number }[] = [];
  for (let count = least; count < most; count += 1) {
    const split = { kind: 'split' as const, first: steps.length + 1, second: 0 };
    steps.push(split);
    exits.push(split);
    emit(part, steps, source);
  }
  for (const exit of exits) exit.second = steps.length;
}

function runs(steps: readonly Step[], text: string): boolean {
  const chars = Array.from(text, codeOf);
  const seen = new Int32Array(steps.length).fill(-1);
  let states: number[] = [];
  for (let at = 0; at <= chars.length; at += 1) {
    // A match may begin at every place.
    const here: number[] = [];
    for (const state of [...states, 0]) if (follow(steps, state, { chars, at, seen, here })) return true;
    const char = chars[at];
    if (char === undefined) return false;
    states = here.filter((state) => isChar(steps[state], char)).map((state) => state + 1);
  }
  return false;
}

function isChar(step: Step | undefined, char: number): boolean {
  return step?.kind === 'char' && step.test(char);
}

interface Place {
  readonly chars: readonly number[];
  readonly at: number;
  /** The last place at which a step was reached. */
  readonly seen: Int32Array;
  /** Steps that wait for the next character. */
  readonly here: number[];
}

/** Goes as far as no character is needed. True when the pattern is through. */
function follow(steps: readonly Step[], from: number, { chars, at, seen, here }: Place): boolean {
  const open = [from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const step = steps[state];
    if (step === undefined || seen[state] === at) continue;
    seen[state] = at;
    if (step.kind === 'match') return true;
    if (step.kind === 'char') here.push(state);
    else if (step.kind === 'split') open.push(step.first, step.second);
    else if (holds(step.what, chars, at)) open.push(state + 1);
  }
  return false;
}

function holds(what: Assertion, chars: readonly number[], at: number): boolean {
  if (what === 'start') return at === 0;
  if (what === 'end') return at === chars.length;
  const [before, after] = [chars[at - 1], chars[at]];
  const isBorder = (before !== undefined && isWord(before)) !== (after !== undefined && isWord(after));
  return isBorder === (what === 'border');
}
