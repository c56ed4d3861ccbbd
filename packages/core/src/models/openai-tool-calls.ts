import type { ModelEvent } from './model.js';
import { markSignature } from './signatures.js';
import { asCount, asObject, asText, at, parseJson } from './wire-json.js';

/** One call of an answer so far. */
interface OpenCall {
  readonly index: number;
  /** The server's own index, when it gives one. */
  readonly wireIndex: number | undefined;
  /** The id as the server gave it. */
  wireId: string | undefined;
  /** The id that was passed on, unique within the answer. */
  id: string | undefined;
  wireName: string | undefined;
  argumentsText: string;
}

interface Piece {
  readonly wireId: string | undefined;
  readonly wireName: string | undefined;
  readonly argumentsText: string;
}

export interface ToolCallAssembler {
  /** One entry of `delta.tool_calls`. */
  push(delta: unknown): readonly ModelEvent[];
  /** Gives an id to calls whose server sent none. */
  end(): readonly ModelEvent[];
  readonly count: () => number;
}

/**
 * Tells the calls of one answer apart. OpenAI numbers them with `index` and sends id and name once;
 * other servers leave the index out, say 0 for all, repeat id and name with every piece, make a new
 * id for every piece, give two calls one id, or send the arguments as an object.
 */
export function createToolCallAssembler(fromWire: (name: string) => string): ToolCallAssembler {
  const calls: OpenCall[] = [];

  const open = (wireIndex: number | undefined): OpenCall => {
    const call: OpenCall = {
      index: calls.length,
      wireIndex,
      wireId: undefined,
      id: undefined,
      wireName: undefined,
      argumentsText: '',
    };
    calls.push(call);
    return call;
  };

  return {
    push: (delta) => {
      const wireIndex = asCount(at(delta, 'index'));
      const wireId = asText(at(delta, 'id'));
      const wireName = asText(at(delta, 'function', 'name'));
      const argumentsText = argumentsOf(at(delta, 'function', 'arguments'));
      const candidate = candidateFor(calls, wireIndex, wireId);
      const call =
        candidate !== undefined && continues(candidate, { wireId, wireName, argumentsText })
          ? candidate
          : open(wireIndex);
      const isFirstId = call.id === undefined && wireId !== undefined;
      const isFirstName = call.wireName === undefined && wireName !== undefined;
      if (isFirstId) call.id = uniqueId(calls, wireId, call.index);
      if (isFirstName) call.wireName = wireName;
      call.wireId = wireId ?? call.wireId;
      call.argumentsText += argumentsText;
      const extra = asObject(at(delta, 'extra_content'));
      return [
        {
          type: 'tool-call-delta',
          index: call.index,
          ...(isFirstId && call.id !== undefined ? { id: call.id } : {}),
          ...(isFirstName ? { name: fromWire(wireName) } : {}),
          ...(argumentsText === '' ? {} : { argumentsText }),
          // Gemini behind an OpenAI-compatible face wants its thought signature back this way.
          ...(extra === undefined ? {} : { signature: markSignature('openai-call', JSON.stringify(extra)) }),
        },
      ];
    },
    end: () =>
      calls
        .filter((call) => call.id === undefined)
        .map((call) => ({
          type: 'tool-call-delta',
          index: call.index,
          id: `call_${crypto.randomUUID().replaceAll('-', '')}`,
        })),
    count: () => calls.length,
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
  wireId: string | undefined,
): OpenCall | undefined {
  if (wireIndex !== undefined) return calls.findLast((call) => call.wireIndex === wireIndex);
  const byId = wireId === undefined ? undefined : calls.findLast((call) => call.wireId === wireId);
  return byId ?? calls.at(-1);
}

/** False when the piece begins a call of its own although it points at this one. */
function continues(call: OpenCall, piece: Piece): boolean {
  // Only a first piece names the tool, unless the server repeats the name with every piece.
  if (piece.wireName === undefined || call.wireName === undefined) return true;
  if (piece.wireName !== call.wireName) return false;
  const isWhole = call.argumentsText !== '' && parseJson(call.argumentsText) !== undefined;
  // A closing piece that repeats id and name and brings nothing is no call.
  if (piece.wireId === call.wireId) return !isWhole || piece.argumentsText.trim() === '';
  return call.argumentsText !== '' && !isWhole;
}

function uniqueId(calls: readonly OpenCall[], wireId: string, index: number): string {
  return calls.some((call) => call.id === wireId) ? `${wireId}_${index}` : wireId;
}
