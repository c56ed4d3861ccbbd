import { createAnthropicBlocks } from './anthropic-blocks.js';
import type { AnswerDecoder } from './answer-stream.js';
import { createFinishMark } from './finish-mark.js';
import type { TokenUsage } from './model.js';
import { asCount, asObject, at } from './wire-json.js';
import type { WireObject } from './wire-json.js';

/** Events of the Messages stream (`message_start` … `message_stop`) to events of the port. */
export function createAnthropicDecoder(fromWire: (name: string) => string): AnswerDecoder {
  const blocks = createAnthropicBlocks(fromWire);
  let usage: WireObject = {};
  const finish = createFinishMark();
  let isStopped = false;

  return {
    get phase() {
      return isStopped ? 'complete' : finish.phase;
    },
    push: (payload) => {
      switch (payload['type']) {
        case 'message_start':
          usage = grown(usage, asObject(at(payload, 'message', 'usage')));
          return [];
        case 'content_block_start':
          return blocks.start(payload['index'], payload['content_block']);
        case 'content_block_delta':
          return blocks.continue(payload['index'], payload['delta']);
        case 'content_block_stop':
          return blocks.stop(payload['index']);
        case 'message_delta':
          usage = grown(usage, asObject(payload['usage']));
          finish.note(at(payload, 'delta', 'stop_reason'));
          return [];
        case 'message_stop':
          isStopped = true;
          return [];
        default:
          // `ping`, and kinds that are yet to come.
          return [];
      }
    },
    end: () => {
      const counted = usageOf(usage);
      return [
        ...(counted === undefined ? [] : [{ type: 'usage', usage: counted } as const]),
        { type: 'finish', reason: finish.reason(blocks.callCount() > 0) },
      ];
    },
  };
}

/** Counts only grow within an answer; gateways send 0 for those that they said before. */
function grown(before: WireObject, now: WireObject | undefined): WireObject {
  const counts = Object.entries(now ?? {}).filter(
    ([name, value]) => (asCount(value) ?? -1) >= (asCount(before[name]) ?? 0),
  );
  return { ...before, ...Object.fromEntries(counts) };
}

/** Anthropic counts tokens read from and written to its cache apart from the rest of the input. */
function usageOf(wire: WireObject): TokenUsage | undefined {
  const input = asCount(wire['input_tokens']);
  const output = asCount(wire['output_tokens']);
  if (input === undefined && output === undefined) return undefined;
  const cached = asCount(wire['cache_read_input_tokens']);
  const written = asCount(wire['cache_creation_input_tokens']);
  return {
    inputTokens: (input ?? 0) + (cached ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
  };
}
