import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from './model.js';
import { createTextReader } from './text-reader.js';

const tools = [
  {
    name: 'read_file',
    description: '',
    parameters: { properties: { path: { type: 'string' }, limit: { type: 'integer' } } },
  },
  { name: 'list_directory', description: '', parameters: {} },
];

interface Read {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly string[];
}

/** Reads an answer whose text comes in these pieces. */
function read(
  pieces: readonly string[],
  options: { readonly readsCalls?: boolean; readonly native?: boolean } = {},
): Read {
  const reader = createTextReader({ tools, fromWire: (name) => name, readsCalls: options.readsCalls ?? true });
  const native: ModelEvent[] =
    options.native === true ? [{ type: 'tool-call-delta', index: 0, id: 'a', name: 'list_directory' }] : [];
  const events = [
    ...pieces.map((text): ModelEvent => ({ type: 'text-delta', text })),
    ...native,
    { type: 'finish', reason: 'stop' } as const,
  ].flatMap((event) => reader(event));
  let [text, thinking] = ['', ''];
  for (const event of events) {
    if (event.type === 'text-delta') text += event.text;
    if (event.type === 'thinking-delta') thinking += event.text;
    if (event.type === 'text-was-thinking') [text, thinking] = ['', text];
  }
  const calls = events.flatMap((event) =>
    event.type === 'tool-call-delta' ? [`${event.name ?? ''} ${event.argumentsText ?? ''}`] : [],
  );
  return { text, thinking, calls };
}

const CALL = 'read_file {"path":"/a","limit":5}';
const JSON_CALL = '{"name": "read_file", "arguments": {"path": "/a", "limit": 5}}';

const FORMS: readonly (readonly [form: string, text: string])[] = [
  ['Hermes and Qwen', `<tool_call>\n${JSON_CALL}\n</tool_call>`],
  ['Hermes without its end', `<tool_call>\n${JSON_CALL}`],
  [
    'Hermes with arguments as a text',
    `<tool_call>{"name":"read_file","arguments":"{\\"path\\":\\"/a\\",\\"limit\\":5}"}</tool_call>`,
  ],
  [
    'Qwen3-Coder',
    '<tool_call>\n<function=read_file>\n<parameter=path>\n/a\n</parameter>\n<parameter=limit>\n5\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'Qwen3-Coder without its opening tag',
    '<function=read_file>\n<parameter=path>\n/a\n</parameter>\n<parameter=limit>\n5\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'Qwen3-Coder with a parameter that does not end',
    '<function=read_file><parameter=path>/a<parameter=limit>5</function>',
  ],
  [
    'GLM',
    '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>/a</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>5</arg_value>\n</tool_call>',
  ],
  [
    'MiniMax',
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">/a</parameter>\n<parameter name="limit">5</parameter>\n</invoke>\n</minimax:tool_call>',
  ],
  ['Mistral', `[TOOL_CALLS][${JSON_CALL}]`],
  ['Mistral, newer', '[TOOL_CALLS]read_file[ARGS]{"path": "/a", "limit": 5}'],
  ['Mistral, newer, with an id', '[TOOL_CALLS]read_file[CALL_ID]abc123def[ARGS]{"path": "/a", "limit": 5}</s>'],
  [
    'Llama',
    '<|python_tag|>{"type": "function", "name": "read_file", "parameters": {"path": "/a", "limit": 5}}<|eom_id|>',
  ],
  ['Llama, as a function', '<function=read_file>{"path": "/a", "limit": 5}</function>'],
  ['Llama, as the whole answer', '{"name": "read_file", "parameters": {"path": "/a", "limit": 5}}'],
  [
    'DeepSeek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "/a", "limit": 5}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    'DeepSeek, newer',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "/a", "limit": 5}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>read_file<|tool_call_argument_begin|>{"path": "/a", "limit": 5}<|tool_call_end|><|tool_calls_section_end|>',
  ],
];

describe('calls in text', () => {
  it.each(FORMS)('are read in the form of %s', (_, text) => {
    expect(read([text])).toEqual({ text: '', thinking: '', calls: [CALL] });
  });

  it('keep the text around them, and are read one after the other', () => {
    const [, form = ''] = FORMS[0] ?? [];
    expect(read([`I look.\n${form}\n${form}\nThen I say more.`])).toEqual({
      text: 'I look.\nThen I say more.',
      thinking: '',
      calls: [CALL, CALL],
    });
    expect(read([`[TOOL_CALLS]read_file[ARGS]{"path":"/a"}[TOOL_CALLS]list_directory[ARGS]{}`]).calls).toEqual([
      'read_file {"path":"/a"}',
      'list_directory {}',
    ]);
  });

  const quoted = FORMS.filter(([form]) => !/whole answer|Mistral|Llama$/.test(form));
  it.each([
    ['a fence', (text: string) => `So:\n\`\`\`xml\n${text.replaceAll('```', '')}\n\`\`\`\nDone.`],
    ['an outer fence', (text: string) => `So:\n\`\`\`\`\n\`\`\`\n${text.replaceAll('```', '')}\n\`\`\`\`\nDone.`],
    ['a fence of tildes', (text: string) => `~~~\n${text}\n~~~\n`],
    ['code', (text: string) => `Write \`${text.replaceAll(/[`\n]/g, '')}\` then.`],
    ['a quotation', (text: string) => `> ${text.replaceAll('\n', '\n> ')}\n`],
    ['quotation marks', (text: string) => `It says "${text.replaceAll('\n', '')}".`],
  ])('are text within %s', (_, around) => {
    for (const [form, text] of quoted) {
      const whole = around(text);
      expect(read([whole]), form).toEqual({ text: whole, thinking: '', calls: [] });
    }
  });

  it.each([
    ['a tool that was not offered', '<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>'],
    ['one of two tools that was not', `<tool_call>[${JSON_CALL}, {"name": "x", "arguments": {}}]</tool_call>`],
    ['what is no JSON', 'See <tool_call>not a call</tool_call> here.'],
    ['an answer in JSON', '{"name": "Ada", "age": 36}'],
    ['JSON that is cut', '{"name": "read_file", "parameters": {"pa'],
    ['comparisons and lists', 'if (a < b) { x[0] = {"name": 1}; } [TOOLS] <function> <tool>'],
  ])('are none in %s', (_, text) => {
    expect(read([text])).toEqual({ text, thinking: '', calls: [] });
  });

  it('are text beside calls in the provider’s own form, and where a setting says so', () => {
    const [, form = ''] = FORMS[0] ?? [];
    expect(read([form], { native: true })).toEqual({ text: form, thinking: '', calls: ['list_directory '] });
    expect(read([form], { readsCalls: false })).toEqual({ text: form, thinking: '', calls: [] });
  });

  it('end the search in an answer that is about them', () => {
    const text = '<tool_call>no</tool_call> '.repeat(50_000);
    expect(read([text]).text).toBe(text);
    const open = '<tool_call>'.repeat(50_000);
    expect(read([open]).text).toBe(open);
  });
});

describe('thinking in text', () => {
  it.each([
    ['<think>hm</think>\n\nFour.', 'hm', 'Four.'],
    ['\n<thinking>hm</thinking>Four.', 'hm', 'Four.'],
    ['<think>\n\n</think>\n\nFour.', '\n\n', 'Four.'],
    ['I muse.\n</think>\n\nFour.', 'I muse.\n', 'Four.'],
    ['I muse.</think>\nFour.', 'I muse.', 'Four.'],
    ['</think>Four.', '', 'Four.'],
    ['<think>never ended', 'never ended', ''],
    ['<think>a</think>\nOne.\n<think>b</think>\nTwo.', 'ab', 'One.\nTwo.'],
  ])('%j', (answer, thinking, text) => {
    expect(read([answer])).toEqual({ text, thinking, calls: [] });
  });

  it.each([
    'Wrap it in <think> and </think> as R1 does.',
    'Use `</think>` here.\nMore.',
    '```\n<think>\nx\n</think>\n```\n',
    '> </think>\n',
    '  indented first line\n',
  ])('is none in %j', (answer) => {
    expect(read([answer])).toEqual({ text: answer, thinking: '', calls: [] });
  });
});

describe('createTextReader', () => {
  it('reads the same however the text is cut, and loses none of it', () => {
    const word = fc.constantFrom(
      ...FORMS.map(([, text]) => text),

      '<think>',
      '</think>',
      '```\n',
      '\n',
      ' ',
      '<',
      '{',
      '[',
      '"',
      '`',
      'x',
      '> ',
      '<tool_call>',
      '</tool_call>',
      'ä😀',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 30 }), (words, dice) => {
        const whole = words.join('');
        const places = dice.map((die) => die % (whole.length + 1)).toSorted((a, b) => a - b);
        const pieces = [0, ...places].map((from, index) => whole.slice(from, places[index]));
        expect(read(pieces)).toEqual(read([whole]));
        const plain = read([whole], { readsCalls: false });
        const letters = (text: string): number => text.replaceAll(/\s|<\/?think>/g, '').length;
        expect(letters(plain.text + plain.thinking)).toBe(letters(whole));
      }),
    );
  });
});
