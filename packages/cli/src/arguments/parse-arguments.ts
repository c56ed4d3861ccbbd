import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearestName, parseApprovalMode, ToolNames, type ApprovalMode, type Rule, type RuleList } from '@tenon/core';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { COMMANDS, OPTIONS, type CommandName, type OptionDefinition } from './option-table.js';

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface Options {
  readonly prompt?: string;
  readonly outputFormat: OutputFormat;
  readonly approvalMode?: ApprovalMode;
  /** The rules of `--allow`, `--ask` and `--deny`, in that order of lists. */
  readonly rules: readonly Rule[];
  readonly model?: string;
  readonly maxTurns?: number;
  readonly cwd?: string;
  readonly addDirs: readonly string[];
  /** The calls of the last turn. */
  readonly turn?: true;
  /** The calls after this one. */
  readonly to?: string;
  readonly dryRun?: true;
  /** All there are. */
  readonly all?: true;
  /** Of `tenon trust`. */
  readonly yes?: true;
  readonly revoke?: true;
  readonly list?: true;
  /** Files of servers, or their JSON. */
  readonly mcpConfigs?: readonly string[];
  readonly strictMcpConfig?: true;
  /** Of `tenon mcp`. */
  readonly mcp?: McpWords;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** The options that go with `tenon mcp` alone. */
export interface McpWords {
  readonly scope?: (typeof SCOPES)[number];
  readonly transport?: (typeof TRANSPORTS)[number];
  /** `NAME=value`. */
  readonly env: readonly string[];
  /** `Name: value`. */
  readonly headers: readonly string[];
  readonly trust?: true;
  /** A port; 0: any. */
  readonly http?: number;
  readonly tokenFile?: string;
  readonly tools: readonly string[];
  /** Everything without a question. */
  readonly yes?: true;
  /** Another name. */
  readonly as?: string;
}

const SCOPES = ['user', 'project', 'mcp.json'] as const;
const TRANSPORTS = ['stdio', 'http', 'sse'] as const;

export interface ParsedArguments {
  /** `help` and `version` win over whatever else was asked. */
  readonly command: CommandName | 'help' | 'version';
  /** The words after the command; for `run` those of the prompt. */
  readonly words: readonly string[];
  readonly options: Options;
}

type Values = ReadonlyMap<string, readonly string[]>;

/** Reads the command line. @throws ExitFailure `USAGE` with one line that names the slip and the nearest right word. */
export function parseArguments(args: readonly string[]): ParsedArguments {
  const { values, words, literalWords } = splitArguments(args);
  const command = commandOf(words, literalWords, values.has('prompt'));
  const rest = command === 'run' ? [...words, ...literalWords] : [...words.slice(1), ...literalWords];
  const asked = values.has('help') ? 'help' : values.has('version') ? 'version' : command;
  if (asked === command) {
    checkOptionsBelong(values, command);
    checkWords(command, rest);
  }
  return { command: asked, words: rest, options: toOptions(values) };
}

interface SplitArguments {
  readonly values: Values;
  readonly words: readonly string[];
  /** What stood behind `--`: never a command. */
  readonly literalWords: readonly string[];
}

function splitArguments(args: readonly string[]): SplitArguments {
  const config: NonNullable<ParseArgsConfig['options']> = {};
  for (const option of OPTIONS) {
    config[option.name] = {
      type: option.value === undefined ? 'boolean' : 'string',
      ...(option.short === undefined ? {} : { short: option.short }),
    };
  }
  const { tokens } = parseArgs({
    args: [...args],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const words: string[] = [];
  const literalWords: string[] = [];
  let ended = false;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') ended = true;
    else if (token.kind === 'positional') (ended ? literalWords : words).push(token.value);
    else {
      const option = OPTIONS.find((known) => known.name === token.name);
      if (option === undefined) throw unknownOption(token.rawName, words);
      const value = valueOf(option, token);
      const earlier = option.repeatable === true ? (values.get(option.name) ?? []) : [];
      values.set(option.name, [...earlier, value]);
    }
  }
  return { values, words, literalWords };
}

interface OptionToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function valueOf(option: OptionDefinition, token: OptionToken): string {
  if (option.value === undefined) {
    if (token.value !== undefined) throw usage(`${token.rawName} takes no value.`);
    return '';
  }
  // Otherwise `--model --quiet` would ask for a model named `--quiet`.
  const looksLikeOption = token.inlineValue !== true && /^--?[a-z][\w-]*(=.*)?$/i.test(token.value ?? '');
  if (token.value === undefined || looksLikeOption) {
    const form = `${token.rawName}=${option.value}`;
    const hint = looksLikeOption
      ? ` If ${token.value} is meant as the value, write --${option.name}=${token.value}.`
      : '';
    throw usage(`${token.rawName} needs a value: ${form}.${hint}`);
  }
  if (option.name !== 'prompt' && token.value.trim() === '')
    throw usage(`${token.rawName} needs a value that is not empty.`);
  return token.value;
}

function unknownOption(rawName: string, words: readonly string[]): ExitFailure {
  const [command, action, name] = words;
  if (command === 'mcp' && action === 'add' && words.length > 3)
    return usage(
      `Unknown option ${rawName}. Options of the server's own command go behind --: tenon mcp add ${name ?? 'NAME'} -- ${words.slice(3).join(' ')} ${rawName} …`,
    );
  const known = OPTIONS.flatMap((option) => [
    `--${option.name}`,
    ...(option.short === undefined ? [] : [`-${option.short}`]),
  ]);
  // One letter is near every other letter; a guess would only mislead.
  const meant = rawName.length > 3 ? nearestName(rawName, known) : undefined;
  return usage(
    `Unknown option ${rawName}. ${meant === undefined ? '`tenon --help` lists the options.' : `Did you mean ${meant}?`}`,
  );
}

function commandOf(words: readonly string[], literalWords: readonly string[], hasPrompt: boolean): CommandName {
  const [first] = words;
  if (first === undefined || hasPrompt) return 'run';
  const named = COMMANDS.find((name) => name === first && name !== 'run');
  if (named !== undefined) return named;
  // A lone word near a command is a slip, not a prompt; a sentence is a prompt.
  const lone = words.length === 1 && literalWords.length === 0 && !/\s/.test(first);
  const meant = lone ? nearestName(first, COMMANDS.slice(1)) : undefined;
  if (meant !== undefined) {
    throw usage(`Unknown command "${first}". Did you mean "${meant}"? To send it as a prompt: tenon -p ${first}`);
  }
  return 'run';
}

function checkOptionsBelong(values: Values, command: CommandName): void {
  for (const name of values.keys()) {
    const option = OPTIONS.find((known) => known.name === name);
    if (option !== undefined && !option.commands.includes(command)) {
      const place = command === 'run' ? 'a prompt' : `"tenon ${command}"`;
      const others = option.commands.map((other) => (other === 'run' ? 'a prompt' : `tenon ${other}`)).join(', ');
      throw usage(`--${name} does not go with ${place}; it belongs to: ${others}.`);
    }
  }
}

/** Prompts may well begin with these words. */
const AS_PROMPT = 'A prompt goes behind -p, in quotes';

const WORD_LIMITS: Readonly<Record<Exclude<CommandName, 'run'>, readonly [number, number, string]>> = {
  tools: [0, 1, 'at most one tool name'],
  call: [2, 2, `a tool and its arguments as JSON, such as: tenon call ${ToolNames.LS} '{"path": "/tmp"}'`],
  config: [0, 0, 'no further words'],
  undo: [0, 1, `at most one number or id. ${AS_PROMPT}`],
  redo: [0, 0, `no further words. ${AS_PROMPT}`],
  log: [0, 1, `at most one number. ${AS_PROMPT}`],
  diff: [0, 1, `at most one number or id. ${AS_PROMPT}`],
  policy: [1, 2, `explain 'CALL', test, lint, simulate SESSION, grants, revoke RULE|N or revoke --all. ${AS_PROMPT}`],
  trust: [0, 0, `no further words. ${AS_PROMPT}`],
  mcp: [
    1,
    1000,
    `list, get NAME, add NAME -- COMMAND, add NAME URL, remove NAME, status, test NAME and others. ${AS_PROMPT}`,
  ],
  demo: [0, 0, 'no further words'],
  start: [0, 0, 'no further words'],
};

function checkWords(command: CommandName, words: readonly string[]): void {
  if (command === 'run') return;
  const [least, most, sentence] = WORD_LIMITS[command];
  if (words.length < least || words.length > most) throw usage(`"tenon ${command}" takes ${sentence}.`);
}

function toOptions(values: Values): Options {
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  const optional = <K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } =>
    value === undefined ? {} : ({ [key]: value } as { [P in K]?: T });
  return {
    ...optional('prompt', last('prompt')),
    outputFormat: oneOf('output-format', last('output-format') ?? 'text', OUTPUT_FORMATS),
    ...optional('approvalMode', modeOf('mode', last('mode')) ?? modeOf('approval-mode', last('approval-mode'))),
    rules: (['allow', 'ask', 'deny'] as const).flatMap((list) => rulesOf(values, list)),
    ...optional('model', last('model')),
    ...optional('maxTurns', wholeNumber('max-turns', last('max-turns'))),
    ...optional('cwd', last('cwd')),
    addDirs: values.get('add-dir') ?? [],
    ...optional('turn', values.has('turn') || undefined),
    ...optional('to', last('to')),
    ...optional('dryRun', values.has('dry-run') || undefined),
    ...optional('all', values.has('all') || undefined),
    ...optional('yes', values.has('yes') || undefined),
    ...optional('revoke', values.has('revoke') || undefined),
    ...optional('list', values.has('list') || undefined),
    ...optional('mcpConfigs', values.get('mcp-config')),
    ...optional('strictMcpConfig', values.has('strict-mcp-config') || undefined),
    ...optional('mcp', mcpWords(values)),
    json: values.has('json'),
    quiet: values.has('quiet'),
  };
}

function mcpWords(values: Values): McpWords | undefined {
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  const [transport, port, tokenFile] = [last('transport'), last('http'), last('token-file')];
  const scope = scopeOf(values);
  const as = last('as');
  const words: McpWords = {
    ...(scope !== undefined && { scope }),
    ...(values.has('yes') && { yes: true }),
    ...(as !== undefined && { as }),
    ...(transport !== undefined && { transport: oneOf('transport', transport, TRANSPORTS) }),
    env: values.get('env') ?? [],
    headers: values.get('header') ?? [],
    ...(values.has('trust') && { trust: true }),
    ...(port !== undefined && { http: portOf(port) }),
    ...(tokenFile !== undefined && { tokenFile }),
    tools: (values.get('tools') ?? []).flatMap((names) => names.split(',').map((name) => name.trim())),
  };
  const isNothing = Object.values(words).every((value) => Array.isArray(value) && value.length === 0);
  return isNothing ? undefined : words;
}

function scopeOf(values: Values): McpWords['scope'] {
  const named = values.get('scope')?.at(-1);
  const given = [
    ...(named === undefined ? [] : [oneOf('scope', named, SCOPES)]),
    ...(['user', 'project'] as const).filter((name) => values.has(name)),
  ];
  if (new Set(given).size > 1) throw usage('Of --scope, --user and --project only one goes at a time.');
  return given[0];
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw usage(`--http must be a port from 0 to 65535, not "${text}".`);
}

function rulesOf(values: Values, list: RuleList): Rule[] {
  return (values.get(list) ?? []).map((text) => ({ list, text, origin: 'command line' }));
}

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const meant = nearestName(value, choices);
  throw usage(
    `--${name} must be one of ${choices.join(', ')}, not "${value}".${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  );
}

function modeOf(name: string, text: string | undefined): ApprovalMode | undefined {
  if (text === undefined) return undefined;
  return parseApprovalMode(text) ?? oneOf(name, text, ['plan', 'default', 'auto_edit', 'yolo'] as const);
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0) return value;
  throw usage(`--${name} must be a whole number above 0, not "${text}".`);
}

function usage(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}
