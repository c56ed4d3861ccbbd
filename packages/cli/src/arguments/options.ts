import { REASONING_EFFORTS, type ApprovalMode, type ReasoningEffort, type Rule, type RuleList } from '@tenon/core';
import { amount, modeOf, oneOf, portOf, usage, wholeNumber } from './option-values.js';

const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

const INPUT_FORMATS = ['text', 'stream-json'] as const;
type InputFormat = (typeof INPUT_FORMATS)[number];

const APPROVALS = ['nobody', 'stdin'] as const;

/** The earlier session that goes on. */
export interface SessionWish {
  /** `choose`: the person picks one. */
  readonly from: 'newest' | 'choose' | 'named';
  /** With `named`: an id, its beginning, or a log. */
  readonly name?: string;
  /** It stays as it is; what follows is a new session that begins as its copy. */
  readonly isFork: boolean;
}

export interface Options {
  readonly prompt?: string;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: InputFormat;
  /** Who answers questions while lines are read. */
  readonly approvals: (typeof APPROVALS)[number];
  /** A file or the JSON itself: what the final answer must be. */
  readonly jsonSchema?: string;
  /** Deltas and live output are part of `stream-json`. */
  readonly includePartial?: true;
  readonly session?: SessionWish;
  readonly approvalMode?: ApprovalMode;
  /** The rules of `--allow`, `--ask` and `--deny`, in that order of lists. */
  readonly rules: readonly Rule[];
  readonly model?: string;
  readonly effort?: ReasoningEffort;
  readonly maxTurns?: number;
  /** Tool calls. */
  readonly maxCalls?: number;
  readonly maxSeconds?: number;
  /** In the currency of the prices in the settings. */
  readonly maxCost?: number;
  /** Plain lines from top to bottom, nothing drawn over. */
  readonly plain?: true;
  /** The same, and words in place of signs. */
  readonly screenReader?: true;
  readonly theme?: string;
  readonly cwd?: string;
  readonly addDirs: readonly string[];
  /** The calls of the last turn. */
  readonly turn?: true;
  /** The calls after this one. */
  readonly to?: string;
  readonly dryRun?: true;
  /** What was then or later. */
  readonly days?: number;
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

/** What the command line says, by the long name of the option; a switch that was given has an empty value. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** @throws ExitFailure `USAGE` for a value that is not one of its option */
export function toOptions(values: Values): Options {
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  const optional = <K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } =>
    value === undefined ? {} : ({ [key]: value } as { [P in K]?: T });
  const inputFormat = oneOf('input-format', last('input-format') ?? 'text', INPUT_FORMATS);
  // Who writes JSON lines reads them too.
  const usualFormat = inputFormat === 'text' ? 'text' : 'stream-json';
  return {
    ...optional('prompt', last('prompt')),
    outputFormat: oneOf('output-format', last('output-format') ?? usualFormat, OUTPUT_FORMATS),
    inputFormat,
    approvals: oneOf('approvals', last('approvals') ?? 'nobody', APPROVALS),
    ...optional('jsonSchema', last('json-schema')),
    ...optional('includePartial', values.has('include-partial') || undefined),
    ...optional('session', sessionWish(values)),
    ...optional('approvalMode', modeOf('mode', last('mode')) ?? modeOf('approval-mode', last('approval-mode'))),
    rules: (['allow', 'ask', 'deny'] as const).flatMap((list) => rulesOf(values, list)),
    ...optional('model', last('model')),
    ...optional('effort', effortOf(last('effort'))),
    ...optional('maxTurns', wholeNumber('max-turns', last('max-turns'))),
    ...optional('maxCalls', wholeNumber('max-calls', last('max-calls'))),
    ...optional('maxSeconds', wholeNumber('max-seconds', last('max-seconds'))),
    ...optional('maxCost', amount('max-cost', last('max-cost'))),
    ...optional('plain', values.has('plain') || undefined),
    ...optional('screenReader', values.has('screen-reader') || undefined),
    ...optional('theme', last('theme')),
    ...optional('cwd', last('cwd')),
    addDirs: values.get('add-dir') ?? [],
    ...optional('turn', values.has('turn') || undefined),
    ...optional('to', last('to')),
    ...optional('dryRun', values.has('dry-run') || undefined),
    ...optional('days', wholeNumber('days', last('days'))),
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

function effortOf(text: string | undefined): ReasoningEffort | undefined {
  return text === undefined ? undefined : oneOf('effort', text, REASONING_EFFORTS);
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

function sessionWish(values: Values): SessionWish | undefined {
  const named = values.get('resume')?.at(-1);
  const isFork = values.has('fork');
  if (values.has('continue') && named !== undefined) throw usage('Of --continue and --resume only one goes at a time.');
  if (values.has('continue')) return { from: 'newest', isFork };
  if (named !== undefined) return named === '' ? { from: 'choose', isFork } : { from: 'named', name: named, isFork };
  if (isFork) throw usage('--fork goes with --continue or --resume: it says which session is copied.');
  return undefined;
}

function rulesOf(values: Values, list: RuleList): Rule[] {
  return (values.get(list) ?? []).map((text) => ({ list, text, origin: 'command line' }));
}
