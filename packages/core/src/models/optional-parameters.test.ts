import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, textOf } from '../testing/collect-answer.js';
import { asEventStream, startEventServer, type EventServer } from '../testing/event-server.js';
import type { AdapterOptions } from './adapter-options.js';
import { createAnthropicMessagesModel } from './anthropic-messages.js';
import { createGeminiModel } from './gemini.js';
import { createOpenAiChatModel } from './openai-chat.js';
import { OptionalParameters } from './optional-parameters.js';
import { refusedParameters } from './refused-parameters.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const KNOWN = [
  { path: 'stream_options', names: ['stream options'] },
  { path: 'parallel_tool_calls' },
  { path: 'temperature' },
  { path: 'max_tokens', instead: 'max_completion_tokens', isWish: true },
  { path: 'max_completion_tokens', instead: 'max_tokens', isWish: true },
  { path: 'reasoning_effort', isWish: true },
] as const;
const SENT = {
  model: 'm',
  stream_options: { include_usage: true },
  parallel_tool_calls: true,
  temperature: 0,
  max_tokens: 100,
  reasoning_effort: 'high',
};
const ALL = Object.keys(SENT).sort();

const said = (message: string, more: object = {}): object => ({ error: { message, ...more } });
const extra = (name: string): object => ({
  type: 'extra_forbidden',
  loc: ['body', name],
  msg: 'Extra inputs are not permitted',
  input: SENT,
});
const python = (name: string): string =>
  `[{'type': 'extra_forbidden', 'loc': ('body', '${name}'), 'msg': 'Extra inputs are not permitted', 'input': 1}]`;

/** The server, its answer, and the parameters that the answer refuses. */
const REFUSALS: readonly (readonly [string, object | string, readonly string[]])[] = [
  [
    'OpenAI',
    said("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", {
      param: 'max_tokens',
      code: 'unsupported_parameter',
    }),
    ['max_tokens'],
  ],
  [
    'Copilot',
    said("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", {
      code: 'invalid_request_body',
    }),
    ['max_tokens'],
  ],
  [
    'OpenAI',
    said(
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      { param: 'temperature', code: 'unsupported_value' },
    ),
    ['temperature'],
  ],
  [
    'OpenAI',
    said("Unknown parameter: 'parallel_tool_calls'.", { param: 'parallel_tool_calls', code: 'unknown_parameter' }),
    ['parallel_tool_calls'],
  ],
  [
    'OpenAI',
    said("Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.", {
      param: 'parallel_tool_calls',
    }),
    ['parallel_tool_calls'],
  ],
  ['OpenAI', said('Unrecognized request argument supplied: reasoning_effort', { param: null }), ['reasoning_effort']],
  [
    'Azure',
    said('Unrecognized request argument supplied: stream_options. Please contact us through a support request.'),
    ['stream_options'],
  ],
  [
    'new-api',
    said("Unknown parameter: 'stream_options'. (request id: 2024)", {
      param: 'stream_options',
      code: 'unknown_parameter',
    }),
    ['stream_options'],
  ],
  ['FastAPI', { detail: [extra('stream_options')] }, ['stream_options']],
  [
    'Pydantic 1',
    { detail: [{ loc: ['body', 'stream_options'], msg: 'extra fields not permitted', type: 'value_error.extra' }] },
    ['stream_options'],
  ],
  [
    'Mistral',
    { object: 'error', message: { detail: [extra('stream_options'), extra('parallel_tool_calls')] }, code: 3001 },
    ['parallel_tool_calls', 'stream_options'],
  ],
  [
    'vLLM',
    { object: 'error', message: python('parallel_tool_calls'), type: 'BadRequestError', param: null, code: 400 },
    ['parallel_tool_calls'],
  ],
  ['vLLM', said('Stream options can only be defined when `stream=True`.'), ['stream_options']],
  [
    'Fireworks',
    said("Extra inputs are not permitted, field: 'stream_options', value: {'include_usage': True}"),
    ['stream_options'],
  ],
  [
    'NIM',
    {
      status: 422,
      detail:
        'body -> stream_options\n  Extra inputs are not permitted (type=extra_forbidden)\nbody -> n\n  Extra inputs are not permitted (type=extra_forbidden)',
    },
    ['stream_options'],
  ],
  ['Databricks', { error_code: 'BAD_REQUEST', message: 'unknown field "stream_options"' }, ['stream_options']],
  ['Go', 'json: unknown field "parallel_tool_calls"', ['parallel_tool_calls']],
  [
    'TGI',
    'Failed to deserialize the JSON body into the target type: unknown field `stream_options`, expected one of `model`, `max_tokens`, `temperature` at line 1',
    ['stream_options'],
  ],
  [
    'Bedrock',
    {
      message:
        'Malformed input request: #: extraneous key [stream_options] is not permitted, please reformat your input and try again.',
    },
    ['stream_options'],
  ],
  ['Groq', said("property 'stream_options' is unsupported"), ['stream_options']],
  [
    'LiteLLM',
    said(
      "litellm.UnsupportedParamsError: bedrock does not support parameters: ['parallel_tool_calls'], for model=x. To drop these, set `litellm.drop_params=True`.",
    ),
    ['parallel_tool_calls'],
  ],
  ['LiteLLM', said("create() got an unexpected keyword argument 'stream_options'"), ['stream_options']],
  ['Cohere', { message: "invalid request: parameter 'stream_options' is not a valid field" }, ['stream_options']],
  [
    'Anthropic',
    { type: 'error', error: { type: 'invalid_request_error', message: '`temperature` is deprecated for this model.' } },
    ['temperature'],
  ],
  ['a gateway that quotes JSON', said(JSON.stringify(said('Unsupported parameter: temperature'))), ['temperature']],
  ['a server with max_tokens only', said("Extra inputs are not permitted: 'temperature'"), ['temperature']],
  // These are not refused parameters:
  [
    'a limit that is too high',
    said('max_tokens is too large: 100000. This model supports at most 4096.', {
      param: 'max_tokens',
      code: 'invalid_value',
    }),
    [],
  ],
  [
    'an effort that the model has not',
    said(
      "Unsupported value: 'reasoning_effort' does not support 'high' with this model. Supported values are: 'low'.",
      { param: 'reasoning_effort', code: 'unsupported_value' },
    ),
    [],
  ],
  ['an effort in other words', said('This model does not support `reasoning_effort` value `none`.'), []],
  [
    'a literal',
    {
      detail: [
        { type: 'literal_error', loc: ['body', 'reasoning_effort'], msg: "Input should be 'low'", input: 'xhigh' },
      ],
    },
    [],
  ],
  [
    'the field of a message',
    said("messages.0.temperature: Extra inputs are not permitted, field: 'messages[0].max_tokens'"),
    [],
  ],
  [
    'a field of a tool',
    {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'tools', 0, 'temperature'],
          msg: 'Extra inputs are not permitted',
          input: SENT,
        },
      ],
    },
    [],
  ],
  ['another name', said("Unknown parameter: 'max_tokens_to_sample', 'my_temperature'"), []],
  ['something else', said('the model is not supported'), []],
  ['nothing', '', []],
];

const refusedBy = (status: number, answer: object | string): readonly string[] => {
  const parameters = new OptionalParameters(KNOWN);
  const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const refused = refusedParameters({ status, body }, parameters.in(SENT));
  parameters.refuse(refused);
  const left = parameters.fit(SENT);
  expect(parameters.in(left).filter((one) => refused.includes(one))).toEqual([]);
  return ALL.filter((name) => !(name in left));
};

describe('what a server refuses', () => {
  it.each(REFUSALS)('is read from the words of %s: %j', (_, answer, gone) => {
    expect(refusedBy(400, answer)).toEqual(gone);
    expect(refusedBy(422, answer)).toEqual(gone);
    expect(refusedBy(500, answer)).toEqual(gone);
  });

  it('is nothing where the key, the account or the pace is at fault', () => {
    for (const status of [401, 403, 429])
      expect(refusedBy(status, said("Unknown parameter: 'temperature'"))).toEqual([]);
  });
});

async function serverThat(
  refuse: (body: Record<string, unknown>) => object | undefined,
  answer: object,
): Promise<EventServer> {
  const server = await startEventServer((request, response) => {
    const refusal = refuse(request.body as Record<string, unknown>);
    if (refusal === undefined)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(asEventStream([answer]));
    else response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
  });
  closers.push(() => server.close());
  return server;
}

const bodies = ({ requests }: EventServer, names: readonly string[]): object[] =>
  requests.map(({ body }) => Object.fromEntries(names.map((name) => [name, (body as Record<string, unknown>)[name]])));

const CHAT = { choices: [{ delta: { content: 'fine' }, finish_reason: 'stop' }] };

describe('a model', () => {
  it('is asked again at once, and never again with what its server refused', async () => {
    const server = await serverThat((body) => {
      for (const name of ['stream_options', 'max_tokens'])
        if (name in body) return said(`Unknown parameter: '${name}'.`);
      return undefined;
    }, CHAT);
    const model = createOpenAiChatModel({ baseUrl: server.origin, model: 'm', maxOutputTokens: 7 });
    for (let count = 0; count < 2; count += 1) expect(textOf(await collectAnswer(model))).toBe('fine');
    expect(bodies(server, ['stream_options', 'max_tokens', 'max_completion_tokens'])).toEqual([
      { stream_options: { include_usage: true }, max_tokens: 7 },
      { max_tokens: 7 },
      { max_completion_tokens: 7 },
      { max_completion_tokens: 7 },
    ]);
  });

  it('goes without a limit where both names are refused', async () => {
    const server = await serverThat((body) => {
      for (const name of ['max_tokens', 'max_completion_tokens']) if (name in body) return { detail: [extra(name)] };
      return undefined;
    }, CHAT);
    const model = createOpenAiChatModel({ baseUrl: server.origin, model: 'm', maxOutputTokens: 7 });
    expect(textOf(await collectAnswer(model))).toBe('fine');
    expect(server.requests).toHaveLength(3);
  });

  it('tells a refusal of what is not there', async () => {
    const server = await serverThat(() => said("Unknown parameter: 'temperature'."), CHAT);
    const model = createOpenAiChatModel({ baseUrl: server.origin, model: 'm' });
    await expect(collectAnswer(model)).rejects.toThrow("answered 400: Unknown parameter: 'temperature'.");
    expect(server.requests).toHaveLength(1);
  });

  it('of Anthropic that knows no effort is asked without it', async () => {
    const server = await serverThat(
      (body) =>
        'output_config' in body
          ? { error: { message: 'This model does not support the effort parameter.' } }
          : undefined,
      { type: 'message_stop' },
    );
    const options: AdapterOptions = {
      baseUrl: server.origin,
      model: 'claude-opus-4-6',
      apiKey: 'k',
      reasoningEffort: 'low',
    };
    await collectAnswer(createAnthropicMessagesModel(options));
    expect(bodies(server, ['output_config', 'thinking'])).toEqual([
      { output_config: { effort: 'low' }, thinking: { type: 'adaptive' } },
      { thinking: { type: 'adaptive' } },
    ]);
  });

  it('of Gemini that cannot think is asked without it', async () => {
    const words = `Unknown name "thinkingLevel" at 'generation_config.thinking_config': Cannot find field.`;
    const server = await serverThat(
      (body) =>
        JSON.stringify(body).includes('thinkingConfig') ? said(`Invalid JSON payload received. ${words}`) : undefined,
      { candidates: [{ content: { parts: [{ text: 'fine' }] }, finishReason: 'STOP' }] },
    );
    const options: AdapterOptions = {
      baseUrl: server.origin,
      model: 'gemini-3-pro',
      apiKey: 'k',
      reasoningEffort: 'low',
      maxOutputTokens: 7,
    };
    expect(textOf(await collectAnswer(createGeminiModel(options)))).toBe('fine');
    expect(bodies(server, ['generationConfig'])).toEqual([
      { generationConfig: { maxOutputTokens: 7, thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } } },
      { generationConfig: { maxOutputTokens: 7 } },
    ]);
  });
});
