import type { ModelEvent } from './model.js';
import { markSignature } from './signatures.js';
import { asCount, asObject, asText, at, parseJson } from './wire-json.js';
import type { WireObject } from './wire-json.js';

/** One call of an answer so far, as the server sent it. */
interface OpenCall {
  readonly wireIndex: number | undefined;
  /** The first and the latest id: some servers make a new one for every piece. */
  readonly firstId: string | undefined;
  latestId: string | undefined;
  name: string | undefined;
  argumentsText: string;
  extra: WireObject | undefined;
}

interface Piece {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly argumentsText: string;
}

export interface ToolCallAssembler {
  /** Takes one entry of `delta.tool_calls`. */
  push(delta: unknown): void;
  readonly count: () => number;
  /** Returns the whole calls, each with an id of its own. Call it at the end of the answer. */
  whole(): readonly ModelEvent[];
}

/**
 * Separates the calls of one answer. OpenAI numbers them with `index` and sends id and name once. Other servers omit the index or send 0
 * for all. Some repeat id and name with every piece, or make a new id each time. Some give two calls one id, send the arguments as an
 * object or after an empty one, or repeat a whole call. Because of such repeats, the calls are known only at the end.
 */
export function createToolCallAssembler(fromWire: (name: string) => string): ToolCallAssembler {
  const calls: OpenCall[] = [];
  return {
    push: (delta) => {
      const wireIndex = asCount(at(delta, 'index'));
      const called = asObject(at(delta, 'function')) ?? delta;
      const piece = {
        id: asText(at(delta, 'id')),
        name: asText(at(called, 'name')),
        argumentsText: argumentsOf(at(called, 'arguments')),
      };
      // Gemini, behind an OpenAI-compatible API, wants its thought signature back this way.
      const extra = asObject(at(delta, 'extra_content'));
      const call = candidateFor(calls, wireIndex, piece.id);
      if (call === undefined || !continues(call, piece)) {
        calls.push({ wireIndex, firstId: piece.id, latestId: piece.id, ...piece, extra });
        return;
      }
      call.latestId = piece.id ?? call.latestId;
      call.name ??= piece.name;
      call.argumentsText += piece.argumentsText;
      call.extra ??= extra;
    },
    count: () => calls.length,
    whole: () => {
      const whole = calls.map((call) => ({ ...call, argumentsText: wholeArguments(call.argumentsText) }));
      const once = whole.filter((call, index) => !whole.slice(0, index).some((earlier) => isRepeat(earlier, call)));
      const ids = uniqueIds(once.map(idOf));
      return once.map(({ name, argumentsText, extra }, index): ModelEvent => ({
        type: 'tool-call-delta',
        index,
        id: ids[index] ?? '',
        ...(name === undefined ? {} : { name: fromWire(name) }),
        ...(argumentsText === '' ? {} : { argumentsText }),
        ...(extra === undefined ? {} : { signature: markSignature('openai-call', JSON.stringify(extra)) }),
      }));
    },
  };
}

function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return asObject(value) === undefined ? '' : JSON.stringify(value);
}

/** The call that a piece would belong to by its index, else by its id, else the latest. */
function candidateFor(
  calls: readonly OpenCall[],
  wireIndex: number | undefined,
  id: string | undefined,
): OpenCall | undefined {
  if (wireIndex !== undefined) return calls.findLast((call) => call.wireIndex === wireIndex);
  const byId = id === undefined ? undefined : calls.findLast((call) => call.latestId === id);
  return byId ?? calls.at(-1);
}

/** False when the piece begins a call of its own although it points at this one. */
function continues(call: OpenCall, piece: Piece): boolean {
  // Only a first piece names the tool, unless the server repeats the name with every piece.
  if (piece.name === undefined || call.name === undefined) return true;
  if (piece.name !== call.name) return false;
  const isSame = piece.id === call.latestId;
  // A closing piece that repeats id and name and brings nothing is no call.
  if (isSame && piece.argumentsText.trim() === '') return true;
  if (isSame && piece.id !== undefined && EMPTY_OBJECT.test(call.argumentsText)) return true;
  return (isSame || call.argumentsText !== '') && !isWhole(call.argumentsText);
}

function isWhole(text: string): boolean {
  // Parsing at every piece would cost the square of the length.
  return text.trimEnd().endsWith('}') && parseJson(text) !== undefined;
}

const EMPTY_OBJECT = /^\s*\{\s*\}\s*$/;
const EMPTY_BEFORE = /^\s*\{\s*\}\s*(?=\{)/;

/** Removes an empty object before the arguments, and the second copy if the server sent them twice. */
function wholeArguments(text: string): string {
  if (parseJson(text) !== undefined) return text;
  const behind = text.replace(EMPTY_BEFORE, '');
  const half = behind.slice(0, behind.length / 2);
  return half !== '' && half + half === behind && parseJson(half) !== undefined ? half : behind;
}

/** Returns true if the call repeats an earlier one: the same id with the same content. */
function isRepeat(earlier: OpenCall, call: OpenCall): boolean {
  if (call.firstId === undefined || call.firstId !== earlier.firstId || call.name !== earlier.name) return false;
  return sameJson(call.argumentsText, earlier.argumentsText);
}

function sameJson(one: string, other: string): boolean {
  return one === other || JSON.stringify(parseJson(one)) === JSON.stringify(parseJson(other) ?? null);
}

function idOf({ firstId, latestId }: OpenCall): string {
  return firstId ?? latestId ?? `call_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** Gives each of two calls with one id its own id. */
function uniqueIds(ids: readonly string[]): readonly string[] {
  const unique: string[] = [];
  for (const [index, id] of ids.entries()) unique.push(unique.includes(id) ? `${id}_${index}` : id);
  return unique;
}
