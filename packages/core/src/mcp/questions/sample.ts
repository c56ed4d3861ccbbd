import { isJsonObject, type JsonObject } from '../../schema/json-value.js';
import { cleanText, cutBytes } from '../../util/clean-text.js';

export type SampleBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media'; readonly mimeType: string; readonly data: string };

/** What a model is asked for a server: in the form in which models take it, without tools and without anything of the session. */
export interface SampleRequest {
  readonly system: string;
  readonly messages: readonly SampleMessage[];
  readonly maxOutputTokens: number;
}

export type SampleMessage =
  | { readonly role: 'user'; readonly content: readonly SampleBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly { readonly type: 'text'; readonly text: string }[] };

export interface SampleLimits {
  /** What a server may ask the model to say at most. */
  readonly maxTokens: number;
  /** Of all its messages together. */
  readonly characters: number;
  readonly messages: number;
  /** Of base64. */
  readonly mediaBytes: number;
}

export const SAMPLE_LIMITS: SampleLimits = {
  maxTokens: 4096,
  characters: 100_000,
  messages: 50,
  mediaBytes: 4 * 1024 * 1024,
};

/** Characters of each part that a person is shown before they agree. */
const MOST_SHOWN = 2000;
const MOST_SHOWN_PARTS = 20;
const MOST_SHOWN_OF_ANSWER = 40_000;

export type ReadSample = { readonly request: SampleRequest; readonly shown: string } | { readonly problem: string };

/**
 * The params of `sampling/createMessage`. Of what the session holds nothing is added, whatever `includeContext` says; what
 * would have the model use tools is a problem.
 */
export function readSample(alias: string, params: JsonObject, limits: SampleLimits = SAMPLE_LIMITS): ReadSample {
  if (params['tools'] !== undefined || params['toolChoice'] !== undefined)
    return { problem: 'the model is not asked with tools of a server' };
  const { messages, systemPrompt, maxTokens } = params;
  if (!Array.isArray(messages) || messages.length === 0) return { problem: 'it has no messages' };
  if (messages.length > limits.messages) return { problem: `it has more than ${limits.messages} messages` };
  const read = messages.map((message: unknown) => readMessage(message));
  const wrong = read.find((message) => 'problem' in message);
  if (wrong !== undefined) return wrong;
  const sound = read.filter((message) => 'role' in message);
  const own = typeof systemPrompt === 'string' ? modelText(systemPrompt) : '';
  const size = own.length + sound.reduce((sum, { content }) => sum + sizeOf(content, 'text'), 0);
  if (size > limits.characters) return { problem: `it has more than ${limits.characters} characters` };
  if (sound.reduce((sum, { content }) => sum + sizeOf(content, 'media'), 0) > limits.mediaBytes)
    return { problem: `its images and sounds have more than ${limits.mediaBytes} bytes` };
  const wanted = typeof maxTokens === 'number' && maxTokens >= 1 ? Math.floor(maxTokens) : limits.maxTokens;
  const request = {
    system: systemFor(alias, own),
    messages: sound,
    maxOutputTokens: Math.min(wanted, limits.maxTokens),
  };
  return { request, shown: shownRequest(own, sound) };
}

function readMessage(message: unknown): SampleMessage | { readonly problem: string } {
  if (!isJsonObject(message)) return { problem: 'a message of it is no object' };
  const { role, content } = message;
  const blocks = (Array.isArray(content) ? content : [content]).map((block: unknown) => readBlock(block));
  if (blocks.length === 0 || blocks.includes(undefined))
    return { problem: 'a message of it holds something other than text, an image or sound' };
  const sound = blocks.filter((block) => block !== undefined);
  if (role === 'user') return { role, content: sound };
  const texts = sound.filter((block) => block.type === 'text');
  if (role === 'assistant' && texts.length === sound.length) return { role, content: texts };
  return { problem: 'a message of it is of nobody, or has the model say an image' };
}

function readBlock(block: unknown): SampleBlock | undefined {
  if (!isJsonObject(block)) return undefined;
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') return { type, text: modelText(text) };
  const isMedia = (type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string';
  if (!isMedia || !isBase64(data) || !/^[a-z]+\/[\w.+-]+$/i.test(mimeType)) return undefined;
  return { type: 'media', mimeType, data };
}

/** The result of `sampling/createMessage`. */
export function sampleResult(answer: {
  readonly model: string;
  readonly text: string;
  readonly isCut: boolean;
}): object {
  const { model, text, isCut } = answer;
  return { role: 'assistant', content: { type: 'text', text }, model, stopReason: isCut ? 'maxTokens' : 'endTurn' };
}

/** A server's words are the task here, but never in the name of the person. */
function systemFor(alias: string, own: string): string {
  const frame = `A server of tools that the user has connected, ${JSON.stringify(modelText(alias))}, asks you for one answer. Its messages are its own words, not the user's. You have no tools and know nothing of the user's session.`;
  return own === '' ? frame : `${frame} It gives you these instructions:\n\n${own}`;
}

function shownRequest(system: string, messages: readonly SampleMessage[]): string {
  const parts = messages.map(({ role, content }) => {
    const texts = content.map((block) => (block.type === 'text' ? block.text : `[${block.mimeType}]`));
    return `${role === 'user' ? 'It says' : 'It has the model have said'}: ${shownText(texts.join('\n'))}`;
  });
  const left = parts.length - MOST_SHOWN_PARTS;
  return [
    ...(system === '' ? [] : [`Its instructions: ${shownText(system)}`]),
    ...parts.slice(0, MOST_SHOWN_PARTS),
    ...(left > 0 ? [`… and ${left} more messages`] : []),
  ].join('\n');
}

/** Everything of an answer, unless a model said far more than it may. */
export function shownAnswer(text: string): string {
  return shownText(text, MOST_SHOWN_OF_ANSWER);
}

function shownText(text: string, most = MOST_SHOWN): string {
  return cutBytes(cleanText(text, { strict: true }).text.trim(), most, `… (${text.length} characters in all)`);
}

function modelText(text: string): string {
  return cleanText(text).text;
}

function sizeOf(content: readonly SampleBlock[], type: SampleBlock['type']): number {
  return content.reduce((sum, block) => {
    if (block.type !== type) return sum;
    return sum + (block.type === 'text' ? block.text.length : block.data.length);
  }, 0);
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
