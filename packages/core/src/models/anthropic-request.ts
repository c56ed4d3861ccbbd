import { CACHE_POINT, cachePositions } from './cache-points.js';
import { joinTurns } from './join-turns.js';
import { mediaAsText } from './media-text.js';
import type {
  MediaBlock,
  Message,
  ModelRequest,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
} from './model.js';
import { ownSignature } from './signatures.js';
import { objectSchema } from './tool-schemas.js';
import { argumentsObject } from './wire-json.js';
import type { WireObject } from './wire-json.js';
import type { NameRule, WireNames } from './wire-names.js';

export const ANTHROPIC_NAMES: NameRule = { refused: /[^a-zA-Z0-9_-]/, maxLength: 64 };

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly WireObject[];
}

/**
 * System, messages and tools of a Messages request. Cache points after the system prompt (which covers the tools) and in the
 * conversation make each turn pay only for what is new.
 */
export function anthropicBody(request: ModelRequest, names: WireNames): WireObject {
  const system = request.system.trim() === '' ? [] : [{ type: 'text', text: request.system, ...CACHE_POINT }];
  const tools = request.tools.map((tool) => ({
    name: names.toWire(tool.name),
    description: tool.description,
    input_schema: objectSchema(tool.parameters),
  }));
  return {
    ...(system.length === 0 ? {} : { system }),
    messages: withCachePoints(merged(request.messages.map((message) => wireMessage(message, names)))),
    ...(tools.length === 0 ? {} : { tools }),
  };
}

function wireMessage(message: Message, names: WireNames): WireMessage {
  if (message.role === 'user') return { role: 'user', content: message.content.flatMap(wireContent) };
  if (message.role === 'tool') return { role: 'user', content: message.content.map(wireResult) };
  return { role: 'assistant', content: message.content.flatMap((block) => assistantBlock(block, names)) };
}

/** All results of one answer must stand in one message, and a message must not be empty. */
function merged(messages: readonly WireMessage[]): readonly WireMessage[] {
  return joinTurns(
    messages,
    ({ content }) => content.length === 0,
    ({ role, content }, next) => ({ role, content: [...content, ...next.content] }),
  );
}

function withCachePoints(messages: readonly WireMessage[]): readonly WireMessage[] {
  const positions = cachePositions(messages);
  return messages.map(({ role, content }, index) => {
    if (!positions.includes(index)) return { role, content };
    return { role, content: [...content.slice(0, -1), { ...content.at(-1), ...CACHE_POINT }] };
  });
}

/** Text of white space alone is refused by the API. */
function wireContent(block: TextBlock | MediaBlock): WireObject[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
  const source = { type: 'base64', media_type: block.mimeType, data: block.data };
  if (IMAGE_TYPES.includes(block.mimeType)) return [{ type: 'image', source }];
  if (block.mimeType === 'application/pdf') return [{ type: 'document', source }];
  return [{ type: 'text', text: mediaAsText(block) }];
}

function assistantBlock(block: TextBlock | ThinkingBlock | ToolCallBlock, names: WireNames): WireObject[] {
  if (block.type === 'text') return wireContent(block);
  if (block.type === 'thinking') return thinkingBlock(block);
  const input = argumentsObject(block.argumentsText);
  return [{ type: 'tool_use', id: wireId(block.id), name: names.toWire(block.name), input }];
}

/** Thinking without this provider's signature would be refused. */
function thinkingBlock(block: ThinkingBlock): WireObject[] {
  const redacted = ownSignature('anthropic-redacted', block.signature);
  if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }];
  const signature = ownSignature('anthropic', block.signature);
  return signature === undefined ? [] : [{ type: 'thinking', thinking: block.text, signature }];
}

function wireResult(result: ToolResultBlock): WireObject {
  const content = result.content.flatMap(wireContent);
  return {
    type: 'tool_result',
    tool_use_id: wireId(result.callId),
    content: content.length === 0 ? [{ type: 'text', text: '(no output)' }] : content,
    ...(result.isError ? { is_error: true } : {}),
  };
}

/** Ids made by other providers may hold characters that this API refuses; different ids stay different. */
function wireId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, (character) => `_x${character.charCodeAt(0).toString(16)}`);
}
