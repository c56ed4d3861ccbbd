import { matchesPieces } from '../policy/command-pattern.js';
import type { Rule } from '../policy/rule.js';
import { WEB_SEARCH_TOOL } from '../policy/tool-aliases.js';
import { isObject } from '../util/is-object.js';
import type { ForeignAgent, OtherKind } from './foreign-places.js';

/** A deny or ask rule as its format states it. */
export type WrittenRule = Pick<Rule, 'text' | 'unless'> & { readonly list: 'ask' | 'deny' };

/** The reader for another agent's settings. */
interface ForeignFormat {
  readonly isToml?: true;
  readonly rules: (value: Tree) => readonly WrittenRule[];
  /** Returns the names of tools that the model must not have. */
  readonly excluded?: (value: Tree) => readonly string[];
  readonly others: (value: Tree) => Readonly<Partial<Record<OtherKind, number>>>;
}

type Tree = Readonly<Record<string, unknown>>;

const LISTS: ForeignFormat = {
  rules: permissionLists,
  excluded: (value) => [...textsIn(at(value, 'tools.exclude')), ...textsIn(value['excludeTools'])],
  others: (value) => ({
    'allow rule':
      sizeOf(at(value, 'permissions.allow')) + sizeOf(at(value, 'tools.allowed')) + sizeOf(value['allowedTools']),
    hook: hooksIn(value['hooks']),
    'environment variable': sizeOf(value['env']),
    model: sizeOf(at(value, 'model.name') ?? value['model']),
    server: sizeOf(value['mcpServers']),
  }),
};

/** The readers for each agent's settings: deny rules, ask rules, and what else is in them. `FOREIGN_PLACES` says where they are. */
export const FOREIGN_FORMATS: Readonly<Record<ForeignAgent, ForeignFormat>> = {
  'Claude Code': LISTS,
  'Qwen Code': LISTS,
  'Gemini CLI': LISTS,
  OpenCode: {
    rules: (value) => [...opencodeRules(value['permission']), ...opencodeTools(value['tools'])],
    others: (value) => ({
      'allow rule': Object.values(opencodeLists(value['permission']))
        .flat()
        .filter(([, action]) => action === 'allow').length,
      model: sizeOf(value['model']),
      server: sizeOf(value['mcp']),
    }),
  },
  Codex: {
    isToml: true,
    rules: codexRules,
    others: (value) => ({
      hook: hooksIn(value['hooks']),
      'environment variable': sizeOf(at(value, 'shell_environment_policy.set')),
      model: sizeOf(value['model']),
      server: sizeOf(value['mcp_servers']),
    }),
  },
};

function permissionLists(value: Tree): WrittenRule[] {
  return (['deny', 'ask'] as const).flatMap((list) =>
    textsIn(at(value, `permissions.${list}`)).map((text) => ({ list, text })),
  );
}

/** OpenCode's names for its permissions, and the rule name that means the same. */
const OPENCODE_NAMES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  edit: 'Edit',
  patch: 'ApplyPatch',
  read: 'Read',
  glob: 'Glob',
  grep: 'Grep',
  list: 'LS',
  webfetch: 'WebFetch',
  websearch: 'WebSearch',
  task: 'Task',
  skill: 'Skill',
  lsp: 'lsp',
  todowrite: 'TodoWrite',
};
/** These are about situations, not about what a call does; Tenon asks in them anyway. */
const OPENCODE_SITUATIONS: ReadonlySet<string> = new Set(['external_directory', 'doom_loop', 'question']);

/** Returns the patterns and actions of each permission; `*` alone stands for all permissions that are not named. */
function opencodeLists(permission: unknown): Readonly<Record<string, readonly (readonly [string, unknown])[]>> {
  const given = typeof permission === 'string' ? { '*': permission } : isObject(permission) ? permission : {};
  const { '*': all, ...named } = given;
  const rest = Object.keys(OPENCODE_NAMES).filter((name) => !Object.hasOwn(named, name));
  const whole = typeof all === 'string' ? rest.map((name): [string, unknown] => [name, all]) : [];
  return Object.fromEntries(
    [...whole, ...Object.entries(named)].map(([name, actions]) => [
      name,
      isObject(actions) ? Object.entries(actions) : [['*', actions] as const],
    ]),
  );
}

/** Reads OpenCode's rules. There the last matching pattern decides, so a narrower allow pattern further down is an exception. */
function opencodeRules(permission: unknown): WrittenRule[] {
  return Object.entries(opencodeLists(permission)).flatMap(([name, actions]) =>
    OPENCODE_SITUATIONS.has(name)
      ? []
      : actions.flatMap(([pattern, action], index): WrittenRule[] => {
          if (action !== 'deny' && action !== 'ask') return [];
          const isException = ([other, each]: readonly [string, unknown]): boolean =>
            (each === 'allow' || (each === 'ask' && action === 'deny')) && matchesPieces(pattern.split('*'), other);
          const unless = actions
            .slice(index + 1)
            .filter(isException)
            .map(([other]) => other);
          return [{ list: action, text: ruleFor(name, pattern), ...(unless.length > 0 && { unless }) }];
        }),
  );
}

function opencodeTools(tools: unknown): WrittenRule[] {
  const off = isObject(tools) ? Object.entries(tools).filter(([, isOn]) => isOn === false) : [];
  return off.map(([name]) => ({ list: 'deny', text: ruleFor(name, '*') }));
}

function ruleFor(name: string, pattern: string): string {
  const tool = (Object.hasOwn(OPENCODE_NAMES, name) ? OPENCODE_NAMES[name] : undefined) ?? name;
  return pattern === '*' ? tool : `${tool}(${pattern})`;
}

/** Reads Codex's rules: tools of disabled servers, the web search, and what the chosen profile denies. */
function codexRules(value: Tree): WrittenRule[] {
  const servers = isObject(value['mcp_servers']) ? Object.entries(value['mcp_servers']) : [];
  const tools = servers.flatMap(([alias, server]) =>
    textsIn(isObject(server) ? server['disabled_tools'] : []).map((tool) => `${alias}__${tool}`),
  );
  // The key is the tool's name.
  const isWithoutSearch = value[WEB_SEARCH_TOOL] === 'disabled' || at(value, `tools.${WEB_SEARCH_TOOL}`) === false;
  const profiles = value['permissions'];
  const profile = isObject(profiles) ? profiles[String(value['default_permissions'])] : undefined;
  const paths = deniedIn(isObject(profile) ? profile['filesystem'] : undefined);
  const hosts = deniedIn(isObject(profile) ? at(profile, 'network.domains') : undefined);
  const texts = [
    ...tools,
    ...(isWithoutSearch ? ['WebSearch'] : []),
    ...paths.flatMap((path) => [`Read(${path})`, `Edit(${path})`]),
    ...hosts.map((host) => `WebFetch(domain:${host})`),
  ];
  return texts.map((text) => ({ list: 'deny', text }));
}

/** Returns the denied names, also those of tables such as `":workspace_roots"`. */
function deniedIn(table: unknown): string[] {
  if (!isObject(table)) return [];
  return Object.entries(table).flatMap(([name, access]) => {
    if (isObject(access)) return deniedIn(access);
    return access === 'deny' || access === 'none' ? [name.startsWith('/') ? `/${name}` : name] : [];
  });
}

function at(value: Tree, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

/** Returns the texts of a list; a single text is a list of one. Other items cannot be read as rules, but are kept to be reported. */
function textsIn(list: unknown): string[] {
  if (typeof list === 'string') return [list];
  return Array.isArray(list) ? list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))) : [];
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  return value === undefined || value === null || value === '' ? 0 : 1;
}

/** Counts the hooks in lists of groups by event. */
function hooksIn(value: unknown): number {
  const groups = isObject(value) ? Object.values(value).flat() : [];
  return groups.reduce<number>(
    (sum, group) => sum + (isObject(group) && Array.isArray(group['hooks']) ? group['hooks'].length : 1),
    0,
  );
}
