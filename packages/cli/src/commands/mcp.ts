import { nearestName } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';

const ACTIONS = [
  'list',
  'get',
  'add',
  'add-json',
  'import',
  'remove',
  'enable',
  'disable',
  'status',
  'test',
  'accept',
  'login',
  'logout',
  'serve',
] as const;
type Action = (typeof ACTIONS)[number];

interface Words {
  readonly least: number;
  readonly most: number;
  readonly takes: string;
  /** The options of `tenon mcp` alone that go with it. */
  readonly options: readonly string[];
}

const NAME = { least: 1, most: 1, takes: 'the name of one server', options: ['scope'] };
const WORDS: Readonly<Record<Action, Words>> = {
  list: { least: 0, most: 0, takes: 'no further words', options: [] },
  get: { ...NAME, options: [] },
  add: {
    least: 2,
    most: 1000,
    takes: 'a name and an address, or a name and behind -- a command: tenon mcp add files -- npx -y some-server',
    options: ['scope', 'transport', 'env', 'headers', 'trust'],
  },
  'add-json': {
    least: 2,
    most: 2,
    takes: `a name and its JSON: tenon mcp add-json files '{"command": "npx"}'`,
    options: ['scope'],
  },
  import: {
    least: 0,
    most: 2,
    takes: 'nothing, or a tool or a file, and behind it the name of one of its servers',
    options: ['scope', 'yes', 'as'],
  },
  remove: NAME,
  enable: NAME,
  disable: NAME,
  status: { least: 0, most: 1, takes: 'at most one name', options: [] },
  test: { ...NAME, options: [] },
  accept: { least: 0, most: 2, takes: 'nothing, or a server, or a server and a tool', options: [] },
  login: { ...NAME, options: [] },
  logout: { ...NAME, options: [] },
  serve: { least: 0, most: 0, takes: 'no further words', options: ['http', 'tokenFile', 'tools'] },
};
const FLAGS: Readonly<Record<string, string>> = { headers: '--header', tokenFile: '--token-file' };

/** `tenon mcp WHAT …`: the servers whose tools are used, and Tenon as such a server. */
export async function mcpCommand(
  surroundings: Surroundings,
  words: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const [first = '', ...rest] = words;
  const action = actionOf(first, rest, options);
  const [name = '', ...more] = rest;
  switch (action) {
    case 'list':
      return (await import('./mcp-list.js')).listServers(surroundings, options);
    case 'get':
      return (await import('./mcp-list.js')).showServer(surroundings, options, name);
    case 'add':
      return (await import('./mcp-add.js')).addServer(surroundings, options, { name, words: more });
    case 'add-json':
      return (await import('./mcp-add.js')).addServerJson(surroundings, options, { name, json: more[0] ?? '' });
    case 'import': {
      const [from, server] = rest;
      const given = { ...(from !== undefined && { from }), ...(server !== undefined && { name: server }) };
      return (await import('./mcp-import.js')).importServers(surroundings, options, given);
    }
    case 'remove':
      return (await import('./mcp-change.js')).removeServer(surroundings, options, name);
    case 'enable':
    case 'disable':
      return (await import('./mcp-change.js')).switchServer(surroundings, options, { name, isOn: action === 'enable' });
    case 'status':
      return (await import('./mcp-status.js')).serverStatus(surroundings, options, rest[0]);
    case 'test':
      return (await import('./mcp-status.js')).testServer(surroundings, options, name);
    case 'accept': {
      const [server, tool] = rest;
      const given = { ...(server !== undefined && { name: server }), ...(tool !== undefined && { tool }) };
      return (await import('./mcp-accept.js')).acceptChanges(surroundings, options, given);
    }
    case 'login':
    case 'logout':
      return (await import('./mcp-sign-in.js')).signInOrOut(surroundings, options, { name, isIn: action === 'login' });
    case 'serve': {
      const { http, tokenFile, tools = [] } = options.mcp ?? {};
      const given = { tools, ...(http !== undefined && { http }), ...(tokenFile !== undefined && { tokenFile }) };
      return (await import('../doors/mcp-serve/serve-mcp.js')).serveMcp(surroundings, options, given);
    }
    default:
      return action satisfies never;
  }
}

function actionOf(
  first: string,
  rest: readonly string[],
  { mcp = { env: [], headers: [], tools: [] } }: Options,
): Action {
  const action = ACTIONS.find((name) => name === first);
  if (action === undefined) {
    const meant = nearestName(first, ACTIONS);
    const hint = meant === undefined ? `It takes ${ACTIONS.join(', ')}.` : `Did you mean "${meant}"?`;
    throw usage(`"tenon mcp" does not take "${first}". ${hint} A prompt goes behind -p, in quotes.`);
  }
  const { least, most, takes, options } = WORDS[action];
  if (rest.length < least || rest.length > most) throw usage(`"tenon mcp ${action}" takes ${takes}.`);
  for (const [key, value] of Object.entries(mcp)) {
    const isGiven = !Array.isArray(value) || value.length > 0;
    if (isGiven && !options.includes(key)) {
      const others = ACTIONS.filter((other) => WORDS[other].options.includes(key)).map((other) => `tenon mcp ${other}`);
      throw usage(
        `${FLAGS[key] ?? `--${key}`} does not go with "tenon mcp ${action}"; it belongs to: ${others.join(', ')}.`,
      );
    }
  }
  return action;
}

function usage(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}
