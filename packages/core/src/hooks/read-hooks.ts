import { hookAddressProblem } from './http-address.js';
import {
  HOOK_EVENTS,
  type CommandHook,
  type HookDefinition,
  type HookDialect,
  type HookEventName,
  type HttpHook,
} from './hook-types.js';
import { CALL_EVENTS, readCondition, readMatcher } from './match-hook.js';
import { isObject } from '../util/is-object.js';

interface ReadHooksContext {
  /** Where they are written, for people. */
  readonly origin: string;
  /** For those that do not say it themselves. */
  readonly dialect: HookDialect;
}

interface ReadHooks {
  readonly hooks: readonly HookDefinition[];
  /** Hooks that are not used: a sentence each. */
  readonly refusals: readonly string[];
  /** What of a hook that is used does not count. */
  readonly warnings: readonly string[];
}

const DEFAULT_MS = 60_000;
/** Whoever closes a session waits for these. */
const DEFAULT_END_MS = 10_000;
/** From here on a number is meant in milliseconds: nobody waits a quarter of an hour for a hook. */
const MILLISECONDS = 1000;
const LONGEST_MS = 3_600_000;
const NAME_LENGTH = 80;

const GROUP_KEYS: ReadonlySet<string> = new Set(['matcher', 'hooks', 'sequential', 'description']);
const HOOK_KEYS: ReadonlySet<string> = new Set([
  'type',
  'command',
  'args',
  'shell',
  'env',
  'url',
  'headers',
  'allowedEnvVars',
  'timeout',
  'name',
  'description',
  'statusMessage',
  'failClosed',
  'async',
  'names',
  'if',
]);

type Fields = Readonly<Record<string, unknown>>;

function isHookEvent(name: string): name is HookEventName {
  return HOOK_EVENTS.some((event) => event === name);
}

/** The hooks of one event: `[{ "matcher": …, "hooks": [{ "type": "command", … }] }]`. Pure. */
export function readHookGroups(event: HookEventName, groups: unknown, context: ReadHooksContext): ReadHooks {
  const hooks: HookDefinition[] = [];
  const refusals: string[] = [];
  const warnings: string[] = [];
  const place = `${context.origin}: hooks.${event}`;
  if (!Array.isArray(groups)) return { hooks, refusals: [`${place} must be a list.`], warnings };
  for (const [index, group] of groups.entries()) {
    const at = `${place}[${index}]`;
    if (!isObject(group) || !Array.isArray(group['hooks'])) {
      refusals.push(`${at} must be an object with a list of "hooks".`);
      continue;
    }
    warnings.push(...unknownKeys(at, group, GROUP_KEYS));
    const { matcher } = group;
    const problem = matcherProblem(event, matcher);
    if (problem !== undefined) {
      refusals.push(`${at}.matcher is not used: ${problem}`);
      continue;
    }
    for (const [number, raw] of group['hooks'].entries()) {
      const where = `${at}.hooks[${number}]`;
      const read = readHook(event, raw, { ...context, matcher: typeof matcher === 'string' ? matcher : undefined });
      if (typeof read === 'string') refusals.push(`${where} is not used: ${read}`);
      else {
        hooks.push(read);
        if (isObject(raw)) warnings.push(...unknownKeys(where, raw, HOOK_KEYS));
      }
    }
  }
  return { hooks, refusals, warnings };
}

/** `hooks` of a file of Claude Code or Qwen Code. Events that Tenon does not have are told, and no fault of the file. Pure. */
export function readForeignHooks(value: unknown, context: ReadHooksContext): ReadHooks {
  if (value === undefined) return { hooks: [], refusals: [], warnings: [] };
  if (!isObject(value)) return { hooks: [], refusals: [`${context.origin}: "hooks" must be an object.`], warnings: [] };
  const known = HOOK_EVENTS.map((event) => readHookGroups(event, value[event] ?? [], context));
  const unknown = Object.keys(value).filter((name) => !isHookEvent(name) && Array.isArray(value[name]));
  const told =
    unknown.length === 0 ? [] : [`${context.origin}: Tenon has no hooks for ${unknown.map(shown).join(', ')}.`];
  return {
    hooks: known.flatMap(({ hooks }) => hooks),
    refusals: known.flatMap(({ refusals }) => refusals),
    warnings: [...known.flatMap(({ warnings }) => warnings), ...told],
  };
}

interface OneContext extends ReadHooksContext {
  readonly matcher: string | undefined;
}

/** The hook, or why there is none. */
function readHook(event: HookEventName, raw: unknown, context: OneContext): HookDefinition | string {
  if (!isObject(raw)) return 'it is no object.';
  const { type, failClosed, names } = raw;
  if (failClosed !== undefined && typeof failClosed !== 'boolean') return '"failClosed" must be true or false.';
  if (names !== undefined && !isDialect(names)) return '"names" must be tenon, claude or qwen.';
  const isAsync = raw['async'];
  if (isAsync !== undefined && typeof isAsync !== 'boolean') return '"async" must be true or false.';
  if (isAsync === true && failClosed === true) return 'what nobody waits for ("async") cannot be "failClosed".';
  const timeoutMs = timeoutOf(event, raw['timeout']);
  if (timeoutMs === undefined) return '"timeout" must be a number of seconds above 0.';
  const condition = raw['if'];
  if (condition !== undefined && typeof condition !== 'string') return '"if" must be a rule.';
  const problem = conditionProblem(event, condition);
  if (problem !== undefined) return `"if": ${problem}`;
  const common = {
    event,
    origin: context.origin,
    ...(context.matcher !== undefined && { matcher: context.matcher }),
    ...(condition !== undefined && { condition }),
    timeoutMs,
    failClosed: failClosed === true,
    ...(isAsync === true && { isAsync }),
    dialect: isDialect(names) ? names : context.dialect,
  };
  if (type === 'command' || (type === undefined && raw['command'] !== undefined)) return readCommand(raw, common);
  if (type === 'http') return readHttp(raw, common);
  return `hooks of type ${shown(type)} are not known; there are command and http.`;
}

type Common = Omit<CommandHook, 'kind' | 'name' | 'command' | 'args' | 'shell' | 'env'>;

function readCommand(raw: Fields, common: Common): CommandHook | string {
  const { command, args, shell, env } = raw;
  if (typeof command !== 'string' || command.trim() === '') return '"command" must be a text.';
  if (args !== undefined && !isTexts(args)) return '"args" must be a list of texts.';
  if (shell !== undefined && shell !== 'bash' && shell !== 'powershell') return '"shell" must be bash or powershell.';
  if (env !== undefined && !isTextMap(env)) return '"env" must be an object of texts.';
  return {
    kind: 'command',
    ...common,
    name: nameOf(raw, isTexts(args) ? [command, ...args].join(' ') : command),
    command,
    ...(isTexts(args) && { args }),
    ...(shell !== undefined && { shell }),
    ...(isTextMap(env) && { env }),
  };
}

function readHttp(raw: Fields, common: Common): HttpHook | string {
  const { url, headers = {}, allowedEnvVars = [] } = raw;
  if (typeof url !== 'string') return '"url" must be an address.';
  const problem = hookAddressProblem(url);
  if (problem !== undefined) return `"url": ${problem}`;
  if (!isTextMap(headers)) return '"headers" must be an object of texts.';
  if (!isTexts(allowedEnvVars)) return '"allowedEnvVars" must be a list of names.';
  return { kind: 'http', ...common, name: nameOf(raw, new URL(url).host), url, headers, allowedEnvVars };
}

function nameOf(raw: Fields, otherwise: string): string {
  const given = typeof raw['name'] === 'string' && raw['name'].trim() !== '' ? raw['name'] : otherwise;
  const name = given.trim().replaceAll(/\s+/g, ' ');
  return name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH)}…`;
}

/** Seconds, as Claude Code has it; Qwen Code's older files have milliseconds. */
function timeoutOf(event: HookEventName, value: unknown): number | undefined {
  if (value === undefined) return event === 'SessionEnd' ? DEFAULT_END_MS : DEFAULT_MS;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  return Math.min(LONGEST_MS, value >= MILLISECONDS ? value : value * 1000);
}

function matcherProblem(event: HookEventName, matcher: unknown): string | undefined {
  if (matcher === undefined) return undefined;
  if (typeof matcher !== 'string') return 'it must be a text.';
  const read = readMatcher(event, matcher);
  return 'problem' in read ? read.problem : undefined;
}

function conditionProblem(event: HookEventName, condition: string | undefined): string | undefined {
  if (condition === undefined) return undefined;
  if (!CALL_EVENTS.has(event)) return 'only hooks about calls have one.';
  const read = readCondition(condition);
  return 'problem' in read ? read.problem : undefined;
}

function unknownKeys(place: string, given: Fields, known: ReadonlySet<string>): string[] {
  const strange = Object.keys(given).filter((key) => !known.has(key));
  return strange.length === 0 ? [] : [`${place}: ${strange.map(shown).join(', ')} is not known here, and left out.`];
}

function isDialect(value: unknown): value is HookDialect {
  return value === 'tenon' || value === 'claude' || value === 'qwen';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\0'));
}

function isTextMap(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((item) => typeof item === 'string' && !item.includes('\0'));
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
