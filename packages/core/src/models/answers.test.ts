import fc from 'fast-check';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collectAnswer, modelRequest } from '../testing/collect-answer.js';
import { createAnthropicMessagesModel } from './anthropic-messages.js';
import { createGeminiModel } from './gemini.js';
import type { HttpTransport } from './http-transport.js';
import type { FinishReason, ModelEvent, ModelPort } from './model.js';
import { createOpenAiChatModel } from './openai-chat.js';

/** The raw bytes of answers as servers send them: one answer a file, named after the protocol. */
const FOLDER = new URL('./answers/', import.meta.url);

const text = { type: 'string' };
const tools = [
  { name: 'read_file', description: '', parameters: { type: 'object', properties: { path: text } } },
  { name: 'list_directory', description: '', parameters: {} },
  {
    name: 'edit_file',
    description: '',
    parameters: { type: 'object', properties: { path: text, text, count: { type: 'integer' } } },
  },
];

interface Heard {
  readonly text?: string;
  readonly thinking?: string;
  readonly signatures?: readonly string[];
  readonly calls?: readonly (readonly [name: string, argumentsText: string])[];
  readonly finish: FinishReason;
}

const readA = ['read_file', '{"path":"/a"}'] as const;
const CONTENT = 'openai:reasoning_content';

const ANSWERS: Readonly<Record<string, Heard>> = {
  'openai-plain': { text: 'Grüße, 世界 😀', finish: 'stop' },
  'openai-crlf-comments': { text: 'one two', finish: 'stop' },
  'openai-empty-finish': { text: 'part one part two', finish: 'stop' },
  'openai-unknown-finish': { text: 'part one part two', finish: 'other' },
  'openai-model-length': { text: 'cut here by the', finish: 'length' },
  'openai-failed': { text: 'half', finish: 'failed' },
  'openai-parallel-calls': {
    calls: [
      ['read_file', '{"path":"/ä"}'],
      ['list_directory', '{}'],
    ],
    finish: 'tool-calls',
  },
  'openai-repeated-call': { calls: [readA], finish: 'tool-calls' },
  'openai-empty-object-first': { calls: [readA], finish: 'tool-calls' },
  'openai-function-call': { calls: [readA], finish: 'tool-calls' },
  'openai-decorated-name': { calls: [readA], finish: 'tool-calls' },
  'openai-reasoning-empty': { signatures: [CONTENT], calls: [readA], finish: 'tool-calls' },
  'openai-reasoning-details': {
    text: 'Four.',
    thinking: 'hm so',
    signatures: [
      'openai:reasoning',
      'openai-details:[{"type":"reasoning.text","text":"hm so","index":0,"signature":"sig"},{"type":"reasoning.encrypted","data":"AbCd==","id":"a","index":1}]',
    ],
    finish: 'stop',
  },
  'openai-think-tags': { text: 'The answer is 4.', thinking: '\nmusing <b> on', finish: 'stop' },
  'openai-think-end-alone': { text: 'The answer is 4.', thinking: 'First I muse.\n', finish: 'stop' },
  'openai-hermes-call': { text: 'I look.\n', calls: [readA], finish: 'tool-calls' },
  'openai-qwen-coder-call': {
    calls: [['edit_file', '{"path":"/a","text":"if (a < b) {\\n  go();\\n}","count":2}']],
    finish: 'tool-calls',
  },
  'openai-fenced-call': {
    text: 'Write it so:\n```xml\n<tool_call>\n{"name": "read_file", "arguments": {"path": "/a"}}\n</tool_call>\n```\nDone.',
    finish: 'stop',
  },
  'anthropic-thinking-call': {
    thinking: 'hm',
    signatures: ['anthropic:EqQB'],
    calls: [['read_file', '{"path": "/ä"}']],
    finish: 'tool-calls',
  },
  'anthropic-pause': { text: 'So far.', finish: 'pause' },
  'gemini-thought-call': { text: 'I look. 😀', thinking: 'hm', calls: [readA], finish: 'tool-calls' },
  'gemini-malformed-call': { finish: 'failed' },
  'gemini-safety': { finish: 'content-filter' },
};

function modelFor(name: string, pieces: readonly Uint8Array[]): ModelPort {
  const transport: HttpTransport = () =>
    Promise.resolve({
      status: 200,
      header: (header) => (header === 'content-type' ? 'text/event-stream' : undefined),
      body: (async function* () {
        for (const piece of pieces) yield await Promise.resolve(piece);
      })(),
    });
  const options = { model: 'm', baseUrl: 'http://127.0.0.1:1', transport };
  if (name.startsWith('anthropic')) return createAnthropicMessagesModel(options);
  return name.startsWith('gemini') ? createGeminiModel(options) : createOpenAiChatModel(options);
}

/** Joins the events into what was heard, so that the chunk boundaries do not matter. */
function heard(events: readonly ModelEvent[]): Heard {
  let said = '';
  let thinking = '';
  const signatures: string[] = [];
  const calls: [string, string][] = [];
  let finish: FinishReason | undefined;
  for (const event of events) {
    if (event.type === 'text-delta') said += event.text;
    if (event.type === 'text-was-thinking') [said, thinking] = ['', thinking + said];
    if (event.type === 'thinking-delta') {
      thinking += event.text;
      if (event.signature !== undefined) signatures.push(event.signature);
    }
    if (event.type === 'tool-call-delta') {
      const call = (calls[event.index] ??= ['', '']);
      call[0] += event.name ?? '';
      call[1] += event.argumentsText ?? '';
    }
    if (event.type === 'finish') finish = event.reason;
  }
  return {
    ...(said !== '' && { text: said }),
    ...(thinking !== '' && { thinking }),
    ...(signatures.length > 0 && { signatures }),
    ...(calls.length > 0 && { calls }),
    finish: finish ?? 'other',
  };
}

describe('answers as servers send them', () => {
  const names = readdirSync(FOLDER).map((file) => file.replace('.sse', ''));

  it('has an expectation for each', () => {
    expect(names.toSorted()).toEqual(Object.keys(ANSWERS).toSorted());
  });

  it.each(names)('%s is read the same however its bytes are cut', async (name) => {
    const bytes = readFileSync(new URL(`${name}.sse`, FOLDER));
    const request = modelRequest({ tools });
    expect(heard(await collectAnswer(modelFor(name, [bytes]), request))).toEqual(ANSWERS[name]);
    const cuts = fc.array(fc.nat(bytes.length), { maxLength: 40 }).map((list) => list.toSorted((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(fc.oneof(cuts, fc.constant([...bytes.keys()])), async (places) => {
        const pieces = [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
        expect(heard(await collectAnswer(modelFor(name, pieces), request))).toEqual(ANSWERS[name]);
      }),
      { numRuns: 25 },
    );
  });
});
