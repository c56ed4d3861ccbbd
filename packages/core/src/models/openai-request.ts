import { CACHE_POINT, cachePositions } from './cache-points.js';
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
import { reasoningFields, withReasoningEverywhere } from './openai-reasoning.js';
import type { ServerFacts } from './openai-servers.js';
import { ownSignature } from './signatures.js';
import { objectSchema } from './tool-schemas.js';
import { argumentsJson, parseJson } from './wire-json.js';
import type { WireObject } from './wire-json.js';
import type { NameRule, WireNames } from './wire-names.js';

export const OPENAI_NAMES: NameRule = { refused: /[^a-zA-Z0-9_-]/, maxLength: 64 };

/** Servers answer 400 to any other picture. */
const SHOWN_IMAGES = /^image\/(png|jpeg|gif|webp)$/;

/** The messages and tools of a chat-completions request. */
export function openAiBody(request: ModelRequest, names: WireNames, facts: ServerFacts): WireObject {
  const messages = withReasoningEverywhere(
    request.messages.flatMap((message) => wireMessages(message, names, facts)),
    facts.blankReasoning,
  );
  const system = request.system === '' ? [] : [{ role: 'system', content: request.system }];
  const tools = request.tools.map((tool) => ({
    type: 'function',
    function: {
      name: names.toWire(tool.name),
      description: tool.description,
      parameters: objectSchema(tool.parameters),
    },
  }));
  const all = facts.cachePoints
    ? [...system.map(withCachePoint), ...withCachePoints(messages)]
    : [...system, ...messages];
  // An empty list of tools is refused by OpenAI.
  return { messages: all, ...(tools.length === 0 ? {} : { tools }) };
}

interface WireMessage extends WireObject {
  readonly role: string;
  readonly content: string | null | readonly WireObject[];
}

function withCachePoints(messages: readonly WireMessage[]): WireMessage[] {
  const positions = cachePositions(messages);
  return messages.map((message, index) => (positions.includes(index) ? withCachePoint(message) : message));
}

/** Only parts can have one. */
function withCachePoint(message: WireMessage): WireMessage {
  const { content } = message;
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return { ...message, content: [...parts.slice(0, -1), { ...parts.at(-1), ...CACHE_POINT }] };
}

function wireMessages(message: Message, names: WireNames, facts: ServerFacts): WireMessage[] {
  if (message.role === 'user') return [{ role: 'user', content: userContent(message.content, facts) }];
  if (message.role === 'assistant') return assistantMessage(message.content, names, facts);
  return toolMessages(message.content, facts);
}

/** Text alone stays a string, which every server takes. */
function userContent(content: readonly (TextBlock | MediaBlock)[], facts: ServerFacts): string | WireObject[] {
  if (content.every((block) => block.type === 'text')) return content.map((block) => block.text).join('\n');
  return content.map((block) => (block.type === 'text' ? { type: 'text', text: block.text } : mediaPart(block, facts)));
}

function mediaPart(block: MediaBlock, { documents }: ServerFacts): WireObject {
  const url = `data:${block.mimeType};base64,${block.data}`;
  if (SHOWN_IMAGES.test(block.mimeType)) return { type: 'image_url', image_url: { url } };
  if (documents && block.mimeType === 'application/pdf') {
    return { type: 'file', file: { filename: 'document.pdf', file_data: url } };
  }
  const audio = /^audio\/(?:x-)?(wav|mp3|mpeg)$/.exec(block.mimeType)?.[1];
  if (audio !== undefined) {
    return { type: 'input_audio', input_audio: { data: block.data, format: audio === 'wav' ? 'wav' : 'mp3' } };
  }
  return { type: 'text', text: mediaAsText(block) };
}

function assistantMessage(
  content: readonly (TextBlock | ThinkingBlock | ToolCallBlock)[],
  names: WireNames,
  { thinkTags }: ServerFacts,
): WireMessage[] {
  const thoughts = thinkTags
    ? content.filter((block) => block.type === 'thinking' && block.signature === undefined)
    : [];
  const tagged = thoughts.map((block) => ('text' in block ? `<think>${block.text}</think>\n` : '')).join('');
  const text = tagged + content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const calls = content.filter((block) => block.type === 'tool-call');
  // Servers refuse an assistant message with nothing in it, as an aborted answer leaves one.
  if (text === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...reasoningFields(content),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => wireCall(call, names)) }),
    },
  ];
}

function wireCall(call: ToolCallBlock, names: WireNames): WireObject {
  const extra = parseJson(ownSignature('openai-call', call.signature) ?? '');
  return {
    id: call.id,
    type: 'function',
    function: { name: names.toWire(call.name), arguments: argumentsJson(call.argumentsText) },
    ...(extra === undefined ? {} : { extra_content: extra }),
  };
}

/** The tool role carries text only: media follow in a user message, after all results of the answer. */
function toolMessages(content: readonly ToolResultBlock[], facts: ServerFacts): WireMessage[] {
  const results: WireMessage[] = [];
  const media: WireObject[] = [];
  for (const result of content) {
    const texts = result.content.filter((block) => block.type === 'text').map((block) => block.text);
    const shown = result.content.filter((block) => block.type === 'media');
    if (shown.length > 0) {
      texts.push(`[${shown.length === 1 ? 'one attachment follows' : `${shown.length} attachments follow`} below]`);
      media.push({ type: 'text', text: `Attached to the result of ${result.name} (${result.callId}):` });
      media.push(...shown.map((block) => mediaPart(block, facts)));
    }
    // Some servers refuse an empty result.
    results.push({ role: 'tool', tool_call_id: result.callId, content: texts.join('\n') || '(no output)' });
  }
  return media.length === 0 ? results : [...results, { role: 'user', content: media }];
}
