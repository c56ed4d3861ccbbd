import { describe, expect, it } from 'vitest';
import type { Message, ModelRequest } from './model.js';
import { OPENAI_NAMES, openAiBody } from './openai-request.js';
import { serverFacts, type ServerFacts } from './openai-servers.js';
import { createWireNames } from './wire-names.js';

function bodyOf(request: Partial<ModelRequest>, known: Partial<ServerFacts> = {}): ReturnType<typeof openAiBody> {
  const whole = { system: '', messages: [], tools: [], ...request };
  const facts = { ...serverFacts('host', 'model'), documents: true, ...known };
  return openAiBody(whole, createWireNames(whole, OPENAI_NAMES), facts);
}

const messagesOf = (...messages: Message[]): unknown => bodyOf({ messages })['messages'];
const image = { type: 'media', mimeType: 'image/png', data: 'AAAA' } as const;
const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

describe('openAiBody', () => {
  it('says up to where to cache, to servers that want to be told (S139)', () => {
    const call = { type: 'tool-call', id: 'c', name: 'ls', argumentsText: '{}' } as const;
    const result = {
      type: 'tool-result',
      callId: 'c',
      name: 'ls',
      isError: false,
      content: [{ type: 'text', text: 'a.ts' }],
    } as const;
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'look' }] },
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [result] },
    ];
    const cache = { cache_control: { type: 'ephemeral' } };
    expect(bodyOf({ system: 'Be brief.', messages }, { cachePoints: true })['messages']).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', ...cache }] },
      { role: 'user', content: [{ type: 'text', text: 'look', ...cache }] },
      { role: 'assistant', content: null, tool_calls: [expect.objectContaining({ id: 'c' })] },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'a.ts', ...cache }] },
    ]);
  });

  it('sends system, tools and text as the simplest form that every server takes', () => {
    const tool = { name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } };
    const body = bodyOf({
      system: 'Be brief.',
      tools: [tool],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    });
    expect(body).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'a\nb' },
      ],
      tools: [{ type: 'function', function: tool }],
    });
    expect(bodyOf({})).toEqual({ messages: [] });
  });

  it('sends calls with their arguments as text, and {} for arguments that are no object', () => {
    const message: Message = {
      role: 'assistant',
      content: [
        { type: 'tool-call', id: '1', name: 'read', argumentsText: '{"a":1}' },
        { type: 'tool-call', id: '2', name: 'read', argumentsText: '{"a":' },
      ],
    };
    expect(messagesOf(message)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: '1', type: 'function', function: { name: 'read', arguments: '{"a":1}' } },
          { id: '2', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
    ]);
  });

  it('sends reasoning back in the field it came in, and leaves out that of other providers', () => {
    const content = [
      { type: 'thinking', text: 'hm', signature: 'openai:reasoning_content' },
      { type: 'thinking', text: 'foreign', signature: 'anthropic:xyz' },
      { type: 'thinking', text: 'odd', signature: 'openai:role' },
      { type: 'text', text: 'yes' },
    ] as const;
    expect(messagesOf({ role: 'assistant', content })).toEqual([
      { role: 'assistant', content: 'yes', reasoning_content: 'hm' },
    ]);
  });

  const thought = (text: string, signature?: string) =>
    ({ type: 'thinking', text, ...(signature !== undefined && { signature }) }) as const;
  const said = (text: string) => ({ type: 'text', text }) as const;

  it.each([
    ['', {}],
    [' ', { blankReasoning: ' ' }],
  ])('gives every answer of a conversation with reasoning its field, with %j where there was none', (blank, facts) => {
    const messages: Message[] = [
      { role: 'assistant', content: [thought('hm', 'openai:reasoning_content'), said('a')] },
      { role: 'user', content: [said('go on')] },
      { role: 'assistant', content: [thought('', 'openai:reasoning_content'), said('b')] },
      { role: 'assistant', content: [said('c')] },
    ];
    expect(bodyOf({ messages }, facts)['messages']).toEqual([
      { role: 'assistant', content: 'a', reasoning_content: 'hm' },
      { role: 'user', content: 'go on' },
      { role: 'assistant', content: 'b', reasoning_content: blank },
      { role: 'assistant', content: 'c', reasoning_content: blank },
    ]);
  });

  it('sends the details of OpenRouter back as they came', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'AbC=', id: 'c0', index: 1 }];
    const content = [thought('', `openai-details:${JSON.stringify(details)}`), said('a')];
    expect(messagesOf({ role: 'assistant', content })).toEqual([
      { role: 'assistant', content: 'a', reasoning_details: details },
    ]);
  });

  it('sends thinking back in its tags to a model that wants it so, and to no other', () => {
    const messages: Message[] = [{ role: 'assistant', content: [thought('hm'), said('a')] }];
    expect(bodyOf({ messages }, { thinkTags: true })['messages']).toEqual([
      { role: 'assistant', content: '<think>hm</think>\na' },
    ]);
    expect(bodyOf({ messages })['messages']).toEqual([{ role: 'assistant', content: 'a' }]);
  });

  it('leaves out an answer in which nothing is', () => {
    expect(messagesOf({ role: 'assistant', content: [{ type: 'thinking', text: 'hm' }] })).toEqual([]);
  });

  it('puts the images of all results into one user message after them', () => {
    const result = (callId: string, content: readonly (typeof image | { type: 'text'; text: string })[]) =>
      ({ type: 'tool-result', callId, name: 'read_file', isError: false, content }) as const;
    const message: Message = {
      role: 'tool',
      content: [result('1', [image]), result('2', [{ type: 'text', text: 'plain' }]), result('3', [])],
    };
    expect(messagesOf(message)).toEqual([
      { role: 'tool', tool_call_id: '1', content: '[one attachment follows below]' },
      { role: 'tool', tool_call_id: '2', content: 'plain' },
      { role: 'tool', tool_call_id: '3', content: '(no output)' },
      { role: 'user', content: [{ type: 'text', text: 'Attached to the result of read_file (1):' }, imagePart] },
    ]);
  });

  it('sends images, sound and PDF of the user, and says what it cannot send', () => {
    const media = (mimeType: string) => ({ type: 'media', mimeType, data: 'AAAA' }) as const;
    const content = [image, media('audio/wav'), media('application/pdf'), media('video/mp4')];
    expect(messagesOf({ role: 'user', content })).toEqual([
      {
        role: 'user',
        content: [
          imagePart,
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'file', file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
          { type: 'text', text: '[video/mp4, about 3 bytes: this model cannot be shown it]' },
        ],
      },
    ]);
  });

  it('says in words what a server would refuse the whole request for: a PDF, a picture of another kind', () => {
    const content = ['application/pdf', 'image/svg+xml', 'image/bmp'].map(
      (mimeType) => ({ type: 'media', mimeType, data: 'AAAA' }) as const,
    );
    const sent = JSON.stringify(bodyOf({ messages: [{ role: 'user', content }] }, { documents: false })['messages']);
    expect(sent).toContain('pages:');
    expect(sent).toContain('[image/svg+xml, about 3 bytes');
    expect(sent).not.toContain('base64');
  });
});
