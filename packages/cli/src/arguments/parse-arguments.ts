import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearestName, ToolNames } from '@tenon/core';
import type { ExitFailure } from '../exit-codes.js';
import { COMMANDS, OPTIONS, type CommandName, type OptionDefinition } from './option-table.js';
import { usage } from './option-values.js';
import { toOptions, type Options, type Values } from './options.js';

export type { McpWords, Options, OutputFormat, SessionWish } from './options.js';

export interface ParsedArguments {
  /** `help` and `version` win over whatever else was asked. */
  readonly command: CommandName | 'help' | 'version';
  /** The words after the command: for `run` the prompt, for `help` the command in question, if any. */
  readonly words: readonly string[];
  readonly options: Options;
}

/** Reads the command line. @throws ExitFailure `USAGE` with one line that names the slip and the nearest right word. */
export function parseArguments(args: readonly string[]): ParsedArguments {
  const { values, words, literalWords } = splitArguments(args);
  const command = commandOf(words, literalWords, values.has('prompt'));
  const rest = command === 'run' ? [...words, ...literalWords] : [...words.slice(1), ...literalWords];
  const asked = values.has('help') ? 'help' : values.has('version') ? 'version' : command;
  if (asked === command && command !== 'help' && command !== 'version') {
    checkOptionsBelong(values, command);
    checkWords(command, rest);
  }
  // `tenon undo --help` is `tenon help undo`.
  const askedAbout = command === 'help' ? rest : command === 'run' ? [] : [command];
  return { command: asked, words: asked === 'help' ? askedAbout : rest, options: toOptions(values) };
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
      type: option.value === undefined || option.hasOptionalValue === true ? 'boolean' : 'string',
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
  const asValue = new Set<number>();
  for (const [place, token] of tokens.entries()) {
    if (token.kind === 'option-terminator') ended = true;
    else if (asValue.has(place)) continue;
    else if (token.kind === 'positional') (ended ? literalWords : words).push(token.value);
    else {
      const option = OPTIONS.find((known) => known.name === token.name);
      if (option === undefined) throw unknownOption(token.rawName, words);
      const next = tokens[place + 1];
      const follows = option.hasOptionalValue === true && token.inlineValue !== true && next?.kind === 'positional';
      if (follows && isSessionName(next.value)) asValue.add(place + 1);
      const value = follows && isSessionName(next.value) ? next.value : valueOf(option, token);
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

/** A prompt may stand behind `--resume`: only what can hardly be one is taken for the name of a session. */
function isSessionName(word: string): boolean {
  return (
    word.endsWith('.jsonl') || (/^[\da-f]{4,8}(-[\da-f]{0,4}){0,3}(-[\da-f]{0,12})?$/i.test(word) && /[\d-]/.test(word))
  );
}

function valueOf(option: OptionDefinition, token: OptionToken): string {
  if (option.hasOptionalValue === true && token.value === undefined) return '';
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

function commandOf(
  words: readonly string[],
  literalWords: readonly string[],
  hasPrompt: boolean,
): ParsedArguments['command'] {
  const [first, second] = words;
  if (first === undefined || hasPrompt) return 'run';
  const named = COMMANDS.find((name) => name === first && name !== 'run');
  if (named !== undefined) return named;
  // A lone word near a command is a slip, not a prompt; a sentence is a prompt.
  const count = words.length + literalWords.length;
  if (first === 'help' && count === 2 && second !== undefined) return isCommand(second, 'help ') ? 'help' : 'run';
  if (count > 1 || /\s/.test(first)) return 'run';
  if (first === 'help' || first === 'version') return first;
  isCommand(first, '');
  return 'run';
}

/** @throws ExitFailure `USAGE` for what is nearly one */
function isCommand(word: string, before: string): boolean {
  const known = [...COMMANDS.slice(1), ...(before === '' ? ['help', 'version'] : [])];
  if (known.includes(word)) return true;
  const meant = /\s/.test(word) ? undefined : nearestName(word, known);
  if (meant === undefined) return false;
  throw usage(
    `Unknown command "${word}". Did you mean "${before}${meant}"? To send it as a prompt: tenon -p "${before}${word}"`,
  );
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
  tools: [0, 2, 'at most one tool name, or: list, show NAME, check FILE'],
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
  acp: [0, 1, 'no further words, or config'],
  audit: [1, 2, `verify [SESSION] or show [SESSION]. ${AS_PROMPT}`],
  replay: [1, 1, `the session: an id, its beginning, or a log. ${AS_PROMPT}`],
  memory: [0, 0, `no further words. ${AS_PROMPT}`],
  skills: [0, 2, `list, show NAME or check. ${AS_PROMPT}`],
  agents: [0, 2, `list, show NAME or check. ${AS_PROMPT}`],
  extensions: [0, 2, `list, show NAME, check FOLDER, install FOLDER or uninstall NAME. ${AS_PROMPT}`],
  secrets: [0, 2, `list or explain NAME. ${AS_PROMPT}`],
  sessions: [0, 0, `no further words. ${AS_PROMPT}`],
  stats: [0, 0, `no further words. ${AS_PROMPT}`],
  doctor: [0, 0, `no further words. ${AS_PROMPT}`],
  demo: [0, 0, 'no further words'],
  start: [0, 0, 'no further words'],
};

function checkWords(command: CommandName, words: readonly string[]): void {
  if (command === 'run') return;
  const [least, most, sentence] = WORD_LIMITS[command];
  if (words.length < least || words.length > most) throw usage(`"tenon ${command}" takes ${sentence}.`);
}
