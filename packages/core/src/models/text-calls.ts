import type { ModelTool } from './model.js';
import { asObject, asText, at, parseJson } from './wire-json.js';
import type { WireObject } from './wire-json.js';

/** A call that a model wrote as text. */
export interface TextCall {
  readonly name: string;
  readonly argumentsText: string;
}

/** A form of calls: from `open` to `close`, or to the end of the answer if there is no `close`. */
export interface TextCallForm {
  readonly open: string;
  readonly close?: string;
  /** Set if it counts only as the first word of an answer, because it is too unspecific elsewhere. */
  readonly isWholeAnswer?: true;
  /** @param inside the text with `open`, without `close` */
  readonly read: (inside: string, tools: readonly ModelTool[]) => readonly TextCall[];
}

const afterOpen =
  (open: string, read: (text: string, tools: readonly ModelTool[]) => readonly TextCall[]): TextCallForm['read'] =>
  (inside, tools) =>
    read(inside.slice(open.length), tools);

const row = (open: string, close: string | undefined, read: TextCallForm['read']): TextCallForm => ({
  open,
  ...(close === undefined ? {} : { close }),
  read: afterOpen(open, read),
});

/** The forms that models were trained on. A server without a reader for a form passes it on as text. */
export const TEXT_CALL_FORMS: readonly TextCallForm[] = [
  // Hermes and Qwen: JSON. Qwen3-Coder: tags in it. GLM: a name and pairs of keys and values.
  row('<tool_call>', '</tool_call>', (text, tools) => firstOf([jsonCalls, taggedCalls, keyedCalls], text, tools)),
  row('<minimax:tool_call>', '</minimax:tool_call>', (text, tools) => taggedCalls(text, tools)),
  // Qwen3-Coder without the tag around it, and Llama, with JSON inside.
  { open: '<function=', close: '</function>', read: (inside, tools) => taggedCalls(inside, tools) },
  row('[TOOL_CALLS]', undefined, (text) => mistralCalls(text)),
  row('<|python_tag|>', undefined, (text) => text.split(/;(?=\s*\{)/).flatMap((part) => jsonCalls(part))),
  row('<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>', (text) => markedCalls(text, DEEPSEEK_CALL)),
  row('<|tool_calls_section_begin|>', '<|tool_calls_section_end|>', (text) => markedCalls(text, KIMI_CALL)),
  { open: '{', isWholeAnswer: true, read: (inside) => jsonCalls(inside) },
];

function firstOf(
  readers: readonly TextCallForm['read'][],
  text: string,
  tools: readonly ModelTool[],
): readonly TextCall[] {
  for (const read of readers) {
    const calls = read(text, tools);
    if (calls.length > 0) return calls;
  }
  return [];
}

/** Tokens of a chat template that a server let through at the end. */
const END_TOKENS = /(?:<\|[a-z_]+\|>|<\/s>)\s*$/;

/** `{"name": …, "arguments": {…}}`, or a list of these. */
function jsonCalls(text: string): readonly TextCall[] {
  const json = parseJson(text.replace(END_TOKENS, '').trim());
  const calls = (Array.isArray(json) ? (json as readonly unknown[]) : [json]).map(jsonCall);
  return calls.includes(undefined) ? [] : calls.flatMap((call) => call ?? []);
}

function jsonCall(value: unknown): TextCall | undefined {
  const called = asObject(at(value, 'function')) ?? value;
  const name = asText(at(called, 'name'));
  const given = at(called, 'arguments') ?? at(called, 'parameters');
  // Some models write the arguments as a text that holds JSON.
  const args = asObject(given) ?? asObject(parseJson(asText(given) ?? ''));
  return name === undefined || args === undefined ? undefined : { name, argumentsText: JSON.stringify(args) };
}

const TAGGED_CALL = /<(?:function=|invoke name=")([^">\s]+)"?>([^]*?)(?:<\/(?:function|invoke)>|$)/g;
const TAGGED_VALUE = /<parameter(?:=| name=")([^">]+)"?>\n?([^]*?)\n?(?:<\/parameter>|(?=<parameter[= ])|$)/g;

/** `<function=NAME><parameter=KEY>VALUE</parameter></function>`, also with `<invoke name="…">`, or with JSON inside. */
function taggedCalls(text: string, tools: readonly ModelTool[]): readonly TextCall[] {
  return Array.from(text.matchAll(TAGGED_CALL), ([, name = '', body = '']): TextCall => {
    const json = asObject(parseJson(body.trim()));
    if (json !== undefined) return { name, argumentsText: JSON.stringify(json) };
    return pairedCall(
      name,
      Array.from(body.matchAll(TAGGED_VALUE), ([, key = '', value = '']) => [key, value]),
      tools,
    );
  });
}

const KEYED_VALUE = /<arg_key>([^]*?)<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>/g;

/** A name, then `<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>`. */
function keyedCalls(text: string, tools: readonly ModelTool[]): readonly TextCall[] {
  const name = /^\s*([\w.-]+)\s*(?:<arg_key>|$)/.exec(text)?.[1];
  if (name === undefined) return [];
  const pairs = Array.from(text.matchAll(KEYED_VALUE), ([, key = '', value = '']) => [key.trim(), value] as const);
  return [pairedCall(name, pairs, tools)];
}

/** Types the values: text parameters of the tool stay text, the others are read as JSON. */
function pairedCall(
  name: string,
  pairs: readonly (readonly [string, string])[] | readonly string[][],
  tools: readonly ModelTool[],
): TextCall {
  const schema = tools.find((tool) => tool.name === name)?.parameters;
  const args: Record<string, unknown> = {};
  for (const [key = '', value = ''] of pairs) {
    const types = [at(schema, 'properties', key, 'type')].flat();
    args[key] = types.includes('string') || schema === undefined ? value : (parseJson(value) ?? value);
  }
  return { name, argumentsText: JSON.stringify(args satisfies WireObject) };
}

/** A list of JSON calls, or `NAME[ARGS]{…}` as often as there are calls. */
function mistralCalls(text: string): readonly TextCall[] {
  const listed = jsonCalls(text);
  if (listed.length > 0) return listed;
  return text.split('[TOOL_CALLS]').flatMap((part) => {
    const [, name, args = ''] = /^\s*([\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(\{[^]*)$/.exec(part) ?? [];
    return name === undefined ? [] : knownCall(name, args);
  });
}

const DEEPSEEK_CALL =
  /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]+)(?:<｜tool▁sep｜>|\s*```json)([^]*?)(?:```\s*)?<｜tool▁call▁end｜>/g;
const KIMI_CALL = /<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>([^]*?)<\|tool_call_end\|>/g;

function markedCalls(text: string, form: RegExp): readonly TextCall[] {
  return Array.from(text.matchAll(form)).flatMap(([, name = '', args = '']) => knownCall(name, args));
}

function knownCall(name: string, args: string): readonly TextCall[] {
  const json = asObject(parseJson(args.replace(END_TOKENS, '').trim()));
  return json === undefined ? [] : [{ name, argumentsText: JSON.stringify(json) }];
}
