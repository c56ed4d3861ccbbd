import type { ScriptedToolCall, ScriptedTurn } from './scripted-turn.js';

export interface ChunkOptions {
  readonly turn: ScriptedTurn;
  /** Counted from 1. */
  readonly turnNumber: number;
  readonly model: string;
  readonly chunkSize: number;
  readonly inputCharacters: number;
  readonly includeUsage: boolean;
}

/** The payloads of a chat-completions stream for one turn, in order, without the closing `[DONE]`. */
export function chatChunks(options: ChunkOptions): readonly object[] {
  const { turn, turnNumber, chunkSize } = options;
  const base = { id: `chatcmpl-${turnNumber}`, object: 'chat.completion.chunk', created: 0, model: options.model };
  const withDelta = (delta: object): object => ({ ...base, choices: [{ index: 0, delta, finish_reason: null }] });
  const calls = (turn.toolCalls ?? []).map((call, index) => callDeltas(call, { index, turnNumber, chunkSize }));
  const deltas = [
    { role: 'assistant', content: '' },
    ...pieces(turn.thinking ?? '', chunkSize).map((piece) => ({ reasoning_content: piece })),
    ...pieces(turn.text ?? '', chunkSize).map((piece) => ({ content: piece })),
    ...(turn.interleave === true ? mixed(calls) : calls.flat()).map((call) => ({ tool_calls: [call] })),
  ];
  if (turn.streamError !== undefined) return [...deltas.map(withDelta), { error: turn.streamError }];
  const finish = turn.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const closing = { ...base, choices: [{ index: 0, delta: {}, finish_reason: finish }] };
  const usage = { ...base, choices: [], usage: usageOf(options) };
  return [...deltas.map(withDelta), closing, ...(options.includeUsage ? [usage] : [])];
}

/** Id and name come once, arguments in pieces: as OpenAI does it. */
function callDeltas(
  call: ScriptedToolCall,
  place: { readonly index: number; readonly turnNumber: number; readonly chunkSize: number },
): readonly object[] {
  const { index, turnNumber, chunkSize } = place;
  const id = call.id ?? `call_${turnNumber}_${index + 1}`;
  const first = { index, id, type: 'function', function: { name: call.name, arguments: '' } };
  const rest = pieces(argumentsText(call), chunkSize).map((piece) => ({ index, function: { arguments: piece } }));
  return [first, ...rest];
}

function argumentsText(call: ScriptedToolCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}

/** One of each in turn, until all are through. */
function mixed(lists: readonly (readonly object[])[]): readonly object[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, row) => lists.flatMap((list) => list.slice(row, row + 1))).flat();
}

/** Pieces of at most `size` characters; no character is split. */
function pieces(text: string, size: number): readonly string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(''));
}

function usageOf({ turn, inputCharacters }: ChunkOptions): object {
  const calls = (turn.toolCalls ?? []).map((call) => call.name + argumentsText(call)).join('');
  const answer = (turn.thinking ?? '') + (turn.text ?? '') + calls;
  const input = turn.usage?.inputTokens ?? Math.ceil(inputCharacters / 4);
  const output = turn.usage?.outputTokens ?? Math.ceil(answer.length / 4);
  const cached = turn.usage?.cachedInputTokens;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  };
}
