import type { HookAnswer, HookEventName } from './hook-types.js';
import { isObject } from '../util/is-object.js';

/** What came of a hook, before it is understood. */
export interface Reply {
  readonly answer: HookAnswer;
  /** Why it cannot be believed as it is: a clause. */
  readonly problem?: string;
}

const NOTHING_SAID: Reply = { answer: {} };
/** What a program that blocks ends with. */
const BLOCKING = 2;
/** Characters of one text of a hook. */
const LONGEST = 100_000;

/** Of these, what is printed as plain text is told to the model. */
const TELLS_PLAINLY: ReadonlySet<HookEventName> = new Set(['UserPromptSubmit', 'SessionStart']);

/** The word of a program, by its exit code and what it printed. Pure. */
export function readCommandAnswer(
  event: HookEventName,
  { code, stdout, stderr }: { readonly code: number | null; readonly stdout: string; readonly stderr: string },
): Reply {
  if (code === BLOCKING) {
    // Whatever else it printed: a block is a block.
    const reason = clip(stderr.trim() || stdout.trim());
    return { answer: { decision: 'deny', ...(reason !== '' && { reason }) } };
  }
  if (code !== 0) {
    const said = stderr.trim().split('\n').at(-1) ?? '';
    const how = code === null ? 'was ended by a signal' : `ended with exit code ${code}`;
    return { answer: {}, problem: said === '' ? how : `${how}: ${clip(said, 500)}` };
  }
  return readTextAnswer(event, stdout);
}

/** The word in a text: a JSON object, or plain text where that means something. Pure. */
export function readTextAnswer(event: HookEventName, text: string): Reply {
  const trimmed = text.trim();
  if (trimmed === '') return NOTHING_SAID;
  if (!trimmed.startsWith('{')) return TELLS_PLAINLY.has(event) ? { answer: { context: clip(trimmed) } } : NOTHING_SAID;
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return { answer: {}, problem: 'answered with JSON that cannot be read' };
  }
  return readObjectAnswer(event, value);
}

/** The word of a function. Pure. */
export function readFunctionAnswer(event: HookEventName, value: unknown): Reply {
  return value === undefined || value === null ? NOTHING_SAID : readObjectAnswer(event, value);
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * An object of a hook. Where any of it is not what it should be, what forbids is kept and what loosens or changes is not:
 * nobody knows what was meant.
 */
function readObjectAnswer(event: HookEventName, value: unknown): Reply {
  if (!isObject(value)) return { answer: {}, problem: 'answered with something that is no object' };
  const problems: string[] = [];
  const top = fieldsOf(value, problems);
  const nested = value['hookSpecificOutput'];
  if (nested !== undefined && !isObject(nested)) problems.push('"hookSpecificOutput" is no object');
  const inner = isObject(nested) ? nested : {};
  const named = inner['hookEventName'];
  if (named !== undefined && named !== event)
    problems.push(`it answers to ${clip(JSON.stringify(named), 60)}, but was asked about ${event}`);
  const own = fieldsOf(inner, problems);
  const asked = event === 'PermissionRequest' ? permissionOf(inner, problems) : {};
  const answer: HookAnswer = { ...top, ...own, ...asked };
  const judged = strictest([top.decision, own.decision, asked.decision]);
  const full = judged === undefined ? answer : { ...answer, decision: judged };
  if (problems.length === 0) return { answer: full };
  const { updatedInput: _input, updatedOutput: _output, decision, ...rest } = full;
  const kept = decision === 'allow' || decision === undefined ? {} : { decision };
  return { answer: { ...rest, ...kept }, problem: `answered wrongly: ${problems.slice(0, 3).join('; ')}` };
}

const WORDS: ReadonlyMap<unknown, HookAnswer['decision']> = new Map([
  ['deny', 'deny'],
  ['block', 'deny'],
  ['ask', 'ask'],
  ['allow', 'allow'],
  ['approve', 'allow'],
]);
/** It has nothing to say. */
const DEFERRING: ReadonlySet<unknown> = new Set(['defer', 'passthrough']);

function fieldsOf(given: Fields, problems: string[]): HookAnswer {
  const text = (key: string): string | undefined => {
    const value = given[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return clip(value);
    problems.push(`${JSON.stringify(key)} is no text`);
    return undefined;
  };
  const decision = strictest([word(given, 'decision', problems), word(given, 'permissionDecision', problems)]);
  const reason = text('permissionDecisionReason') ?? text('reason');
  const context = text('additionalContext');
  const message = text('systemMessage');
  const goesOn = given['continue'];
  if (goesOn !== undefined && typeof goesOn !== 'boolean') problems.push('"continue" is neither true nor false');
  const stopReason = text('stopReason');
  const updatedInput = given['updatedInput'];
  if (updatedInput !== undefined && !isObject(updatedInput)) problems.push('"updatedInput" is no object');
  const output = outputOf(given['updatedToolOutput'] ?? given['updatedMCPToolOutput'], problems);
  return {
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason }),
    ...(context !== undefined && context.trim() !== '' && { context }),
    ...(message !== undefined && { message }),
    ...(goesOn === false && { stop: stopReason ?? 'it says so' }),
    ...(isObject(updatedInput) && { updatedInput }),
    ...(output !== undefined && { updatedOutput: output }),
  };
}

/** `decision` of a hook that answers for the person is an object. */
function permissionOf(inner: Fields, problems: string[]): HookAnswer {
  const given = inner['decision'];
  if (!isObject(given)) return {};
  const decision = word(given, 'behavior', problems);
  const { message, interrupt } = given;
  return {
    ...fieldsOf({ updatedInput: given['updatedInput'] }, problems),
    ...(decision !== undefined && { decision }),
    ...(typeof message === 'string' && { reason: clip(message) }),
    ...(interrupt === true && { stop: typeof message === 'string' ? clip(message) : 'it says so' }),
  };
}

function word(given: Fields, key: string, problems: string[]): HookAnswer['decision'] {
  const value = given[key];
  if (value === undefined || value === null || DEFERRING.has(value) || isObject(value)) return undefined;
  const known = WORDS.get(value);
  if (known === undefined) problems.push(`${JSON.stringify(key)} is none of allow, ask, deny and block`);
  return known;
}

/** A text, the `content` of an object, or the object as JSON. */
function outputOf(value: unknown, problems: string[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (isObject(value) && typeof value['content'] === 'string') return value['content'];
  try {
    return JSON.stringify(value);
  } catch {
    problems.push('"updatedToolOutput" cannot be written as JSON');
    return undefined;
  }
}

const ORDER = ['deny', 'ask', 'allow'] as const;

/** Deny before ask before allow. */
export function strictest(words: readonly (HookAnswer['decision'] | undefined)[]): HookAnswer['decision'] {
  return ORDER.find((each) => words.includes(each));
}

function clip(text: string, longest = LONGEST): string {
  return text.length <= longest ? text : `${text.slice(0, longest)} …`;
}
