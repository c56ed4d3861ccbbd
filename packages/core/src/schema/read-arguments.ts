import { describeValue } from './describe-value.js';
import { isJsonObject, surveyJson, type JsonObject } from './json-value.js';
import { describeJsonTextError, scanJsonText } from './json-text.js';

export type ReadArguments =
  | {
      readonly ok: true;
      readonly value: JsonObject;
      /** The JSON text that `value` was parsed from, once everything around it was taken off. */
      readonly text: string;
      /** One sentence for everything that was overlooked in reading it. */
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

type ParsedText = { readonly value: unknown; readonly text: string; readonly repairs: readonly string[] };

/**
 * The JSON object in a model's argument text. Overlooked, because each has one reading only: a
 * Markdown fence around it, commas before a closing bracket, nothing at all for no arguments, and
 * an object that was encoded twice.
 */
export function readArguments(argumentsText: string): ReadArguments {
  const outer = parse(argumentsText);
  if (typeof outer === 'string') return { ok: false, message: outer };
  const { value, text, repairs } = typeof outer.value === 'string' ? (decodeAgain(outer) ?? outer) : outer;
  const problem = surveyJson(value).problem;
  if (problem !== null)
    return { ok: false, message: `The arguments cannot be used: the object ${problem}. Send it simpler.` };
  if (isJsonObject(value)) return { ok: true, value, text, repairs };
  return {
    ok: false,
    message: `The arguments must be one JSON object, but were ${describeValue(value)}. Send the call again with an object.`,
  };
}

/** What the text holds, or the message about why it holds nothing. */
function parse(argumentsText: string): ParsedText | string {
  // A byte order mark is white space to it.
  const trimmed = argumentsText.trim();
  if (trimmed === '') return { value: {}, text: '{}', repairs: ['The arguments were empty, read as {}.'] };
  if (trimmed === 'null') return { value: {}, text: '{}', repairs: ['The arguments were null, read as {}.'] };
  const exact = tryParse(trimmed);
  if (exact !== undefined) return { value: exact, text: trimmed, repairs: [] };
  const repairs: string[] = [];
  let text = trimmed;
  const fence = /^```[a-z0-9]*[ \t]*\r?\n?/i.exec(text)?.[0];
  if (fence !== undefined) {
    text = text.slice(fence.length);
    if (text.endsWith('```')) text = text.slice(0, -3).trimEnd();
    repairs.push('The Markdown fence around the arguments was left out.');
  }
  const scan = scanJsonText(text);
  // A position is told in the text as it was sent.
  if (scan.error !== null) {
    const offset = scan.error.offset + argumentsText.indexOf(text);
    return describeJsonTextError(argumentsText, { ...scan.error, offset });
  }
  if (scan.trailingCommas.length > 0) {
    repairs.push('A comma before a closing bracket was left out.');
    text = withoutOffsets(text, scan.trailingCommas);
  }
  const value = tryParse(text);
  return value === undefined
    ? 'The arguments are not valid JSON. Send the call again with one JSON object.'
    : { value, text, repairs };
}

function decodeAgain(outer: ParsedText): ParsedText | null {
  const inner = parse(String(outer.value));
  if (typeof inner === 'string' || !isJsonObject(inner.value) || String(outer.value).trim() === '') return null;
  const repair = 'The arguments were a string that holds an object, read as the object.';
  return { ...inner, repairs: [...outer.repairs, repair, ...inner.repairs] };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutOffsets(text: string, offsets: readonly number[]): string {
  const sorted = [...offsets].sort((a, b) => a - b);
  const pieces = sorted.map((offset, index) => text.slice(index === 0 ? 0 : (sorted[index - 1] ?? 0) + 1, offset));
  return pieces.join('') + text.slice((sorted.at(-1) ?? -1) + 1);
}
