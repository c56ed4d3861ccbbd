import {
  count,
  errorMessage,
  Failure,
  type AgentServers,
  type Part,
  type PromptRequest,
  type ServerOverview,
  type ServerPrompt,
} from '@tenon/core';

/** What came of a command about servers: lines for the person, or a prompt of a server with which to go on. */
export type ServerAnswer = { readonly shown: string } | { readonly content: readonly Part[] };

/** Runs `/mcp …` and `/alias:prompt …`. Undefined where the text is neither. What servers say is in it as it came. */
export async function serverCommand(
  text: string,
  servers: AgentServers,
  signal: AbortSignal,
): Promise<ServerAnswer | undefined> {
  const aliases = servers.list().map(({ alias }) => alias);
  const [word = ''] = text.split(/\s/, 1);
  const rest = text.slice(word.length).trim();
  const alias = aliases.find((each) => word.startsWith(`/${each}:`));
  if (word !== '/mcp' && alias === undefined) return undefined;
  try {
    if (alias === undefined) return { shown: await mcp(rest, servers, signal) };
    const name = word.slice(alias.length + 2);
    return { content: await servers.prompt(await requestOf({ alias, name, rest }, servers, signal), signal) };
  } catch (thrown) {
    if (signal.aborted) return { shown: 'Cancelled.\n' };
    if (!(thrown instanceof Failure)) throw thrown;
    return { shown: `${errorMessage(thrown)}\n` };
  }
}

async function mcp(rest: string, servers: AgentServers, signal: AbortSignal): Promise<string> {
  const [action, alias, ...more] = rest.split(/\s+/);
  if (action === 'reconnect' && alias !== undefined && more.length === 0) {
    await servers.reconnect(alias, signal);
    return `The server "${alias}" is connected again.\n`;
  }
  if (rest !== '') return 'Write /mcp, or /mcp reconnect NAME.\n';
  const list = servers.list();
  if (list.length === 0) return 'There are no servers. `tenon mcp add` adds one.\n';
  const prompts = await servers.prompts(signal);
  return list.map((server) => serverLines(server, prompts)).join('');
}

function serverLines(
  { alias, state, reason, isListed, tools, held, logFile }: ServerOverview,
  all: readonly ServerPrompt[],
): string {
  const prompts = all.filter((prompt) => prompt.alias === alias);
  const listed = isListed ? [count(tools.length, 'tool')] : state === 'ready' ? ['tools not listed yet'] : [];
  const facts = [state, ...listed, ...(held.length === 0 ? [] : [`${held.length} held back`])].join(', ');
  return [
    `${alias}: ${facts}`,
    ...(reason === undefined ? [] : [`  ${reason}`]),
    ...(held.length === 0 ? [] : [`  held back: ${held.join(', ')} (tenon mcp accept ${alias})`]),
    ...(tools.length === 0 ? [] : [`  tools: ${tools.join(', ')}`]),
    ...prompts.map((prompt) => `  ${usage(prompt)}${prompt.description === '' ? '' : `  ${prompt.description}`}`),
    ...(state === 'ready' ? [] : [`  log: ${logFile}`]),
    '',
  ].join('\n');
}

function usage({ alias, name, arguments: all }: ServerPrompt): string {
  const words = all.map((each) => (each.required ? `${each.name}=…` : `[${each.name}=…]`));
  return [`/${alias}:${name}`, ...words].join(' ');
}

interface Typed {
  readonly alias: string;
  readonly name: string;
  readonly rest: string;
}

/** Words of the form `key=value`; a prompt with one argument alone takes other words as that. */
async function requestOf(
  { alias, name, rest }: Typed,
  servers: AgentServers,
  signal: AbortSignal,
): Promise<PromptRequest> {
  const { args, others } = parseArguments(rest);
  if (others === '') return { alias, name, args };
  const known = (await servers.prompts(signal)).find((prompt) => prompt.alias === alias && prompt.name === name);
  const [only, ...more] = known?.arguments ?? [];
  if (only !== undefined && more.length === 0) return { alias, name, args: { [only.name]: rest } };
  throw new Failure(
    'mcp_prompt_incomplete',
    `Write arguments as key=value: /${alias}:${name} key=value key="two words"`,
  );
}

/** `key=value`, `key="with \\"blanks\\""` and `key='as it is'`; `others`: what is none of that. */
export function parseArguments(text: string): {
  readonly args: Readonly<Record<string, string>>;
  readonly others: string;
} {
  const args: [string, string][] = [];
  const others = text.replaceAll(
    /(?<=^|\s)([\w.-]+)=(?:"((?:\\.|[^"\\])*)"|'([^']*)'|(\S*))(?=\s|$)/g,
    (_, key: string, double: string | undefined, single: string | undefined, bare: string | undefined) => {
      args.push([key, double?.replaceAll(/\\(.)/g, '$1') ?? single ?? bare ?? '']);
      return '';
    },
  );
  return { args: Object.fromEntries(args), others: others.trim() };
}
