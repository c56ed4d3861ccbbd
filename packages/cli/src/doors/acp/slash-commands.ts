import { RequestError, type AvailableCommand } from '@agentclientprotocol/sdk';
import {
  count,
  createPainter,
  errorMessage,
  Failure,
  joinSafe,
  ModelError,
  openUndo,
  safeText,
  type Agent,
  type ContextReport,
  type Part,
  type RevertReport,
  type ServerPrompt,
  type SessionUsage,
  fenced,
} from '@tenon/core';
import { wordSelection } from '../../changed-calls.js';
import type { UserCommand } from '../../slash/user/load-user-commands.js';
import type { UserCommandFile } from '../../slash/user/read-command-file.js';
import type { FilledCommand } from '../../slash/user/run-user-command.js';
import { diffLines, revertLines } from '../../ui/changes-view.js';
import { safeLine } from '../../ui/safe-lines.js';

export interface SlashContext {
  readonly agent: Agent;
  /** Whose changes are shown and taken back. */
  readonly project: { readonly roots: readonly string[]; readonly tenonHome: string };
  readonly models: readonly string[];
  readonly setMode: (mode: string) => void;
  readonly setModel: (model: string) => Promise<void>;
  /** Those that users wrote as files. */
  readonly userCommands: readonly UserCommand[];
  /** @throws Failure `not_run` when a command in it does not run */
  readonly fill: (file: UserCommandFile, words: string, name: string) => Promise<FilledCommand>;
}

/** What came of a command. Markdown for the person; or what the model is asked in its place. */
export type SlashAnswer =
  | { readonly kind: 'shown'; readonly text: string; readonly forModel?: string }
  | { readonly kind: 'compact'; readonly focus: string | undefined }
  | { readonly kind: 'prompt'; readonly content: readonly Part[] }
  | ({ readonly kind: 'filled' } & FilledCommand);

interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  readonly run: (words: string, context: SlashContext) => SlashAnswer | Promise<SlashAnswer>;
}

/** Paths of one undo that the model is told. */
const MOST_PATHS = 20;

const COMMANDS: readonly SlashCommand[] = [
  {
    name: 'compact',
    description: 'Make the conversation shorter now',
    hint: 'what the summary should keep above all',
    run: (words) => ({ kind: 'compact', focus: words === '' ? undefined : words }),
  },
  {
    name: 'context',
    description: "What fills the model's window",
    run: (_, { agent }) => shown(contextText(agent.context())),
  },
  { name: 'cost', description: 'What the session has used', run: (_, { agent }) => shown(usageText(agent.usage())) },
  {
    name: 'mode',
    description: 'Show or set what goes without a question',
    hint: 'plan, default, auto_edit or yolo',
    run: (words, { agent, setMode }) => {
      if (words !== '') setMode(words.toLowerCase().replaceAll('-', '_'));
      return shown(`The mode is ${words === '' ? '' : 'now '}${agent.config.getApprovalMode()}.`);
    },
  },
  {
    name: 'model',
    description: 'Show or choose the model',
    hint: 'its name',
    run: async (words, { agent, models, setModel }) => {
      if (words !== '') await setModel(words);
      const others = words === '' && models.length > 0 ? ` There are: ${models.join(', ')}.` : '';
      return shown(`The model is ${words === '' ? '' : 'now '}${safeLine(agent.model.label)}.${others}`);
    },
  },
  { name: 'diff', description: 'What calls changed', hint: 'N, an id, or --turn', run: diffAnswer },
  {
    name: 'undo',
    description: 'Take changes back',
    hint: 'N, an id, or --turn',
    run: (words, context) => revert('undo', words, context),
  },
  { name: 'redo', description: 'Take the last undo back', run: (words, context) => revert('redo', words, context) },
  { name: 'tools', description: 'What the model may call', run: (_, { agent }) => shown(toolsText(agent)) },
  {
    name: 'mcp',
    description: 'Servers with their tools and prompts',
    run: (_, { agent }) => shown(serversText(agent)),
  },
];

/** Of the commands that are built in; what users write cannot take them. */
export const OWN_NAMES: readonly string[] = COMMANDS.map(({ name }) => name);

/** What is there by now, what users wrote and prompts of servers with it. */
export function availableCommands(
  userCommands: readonly UserCommand[],
  prompts: readonly ServerPrompt[],
): AvailableCommand[] {
  const own = COMMANDS.map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint !== undefined && { input: { hint } }),
  }));
  const ofServers = prompts.map(({ alias, name, title, description, arguments: all }) => ({
    name: `${alias}:${name}`,
    description: safeLine(description || title || `A prompt of the server ${alias}`),
    ...(all.length > 0 && {
      input: { hint: safeLine(all.map((each) => (each.required ? `${each.name}=…` : `[${each.name}=…]`)).join(' ')) },
    }),
  }));
  const ofUsers = userCommands.map(({ name, sentence, usage }) => ({
    name,
    description: safeLine(sentence),
    ...(usage !== undefined && { input: { hint: safeLine(usage) } }),
  }));
  return [...own, ...ofUsers, ...ofServers];
}

/** Runs `/name words`. Undefined where there is no such command: then it is a prompt like any other. */
export async function slashCommand(
  text: string,
  context: SlashContext,
  signal: AbortSignal,
): Promise<SlashAnswer | undefined> {
  const [, name = '', rest = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  if (name === '') return undefined;
  const words = rest.trim();
  try {
    const command = COMMANDS.find((each) => each.name === name);
    if (command !== undefined) return await command.run(words, context);
    return (await userCommand(name, words, context)) ?? (await serverPrompt(name, words, context.agent, signal));
  } catch (thrown) {
    const isMeant = thrown instanceof Failure || thrown instanceof RequestError || thrown instanceof ModelError;
    if (signal.aborted || !isMeant) throw thrown;
    return shown(errorMessage(thrown));
  }
}

async function userCommand(
  name: string,
  words: string,
  { userCommands, fill }: SlashContext,
): Promise<SlashAnswer | undefined> {
  const command = userCommands.find((each) => each.name.toLowerCase() === name.toLowerCase());
  const file = await command?.open();
  if (command === undefined || file === undefined) return undefined;
  if ('refusal' in file) return shown(file.refusal);
  return { kind: 'filled', ...(await fill(file, words, command.name)) };
}

async function serverPrompt(
  name: string,
  words: string,
  { mcp }: Agent,
  signal: AbortSignal,
): Promise<SlashAnswer | undefined> {
  const alias = mcp
    .list()
    .map((server) => server.alias)
    .find((each) => name.startsWith(`${each}:`));
  if (alias === undefined) return undefined;
  const own = name.slice(alias.length + 1);
  const known = (await mcp.prompts(signal)).find((prompt) => prompt.alias === alias && prompt.name === own);
  const args = argumentsOf(words, known);
  return { kind: 'prompt', content: await mcp.prompt({ alias, name: own, args }, signal) };
}

/** `key=value`, quoted where there are blanks; a prompt with one argument takes all words as that. */
export function argumentsOf(words: string, prompt: ServerPrompt | undefined): Readonly<Record<string, string>> {
  const pairs = [...words.matchAll(/(?<=^|\s)([\w.-]+)=(?:"((?:\\.|[^"\\])*)"|(\S*))/g)].map(
    ([, key = '', quoted, bare = '']) => [key, quoted?.replaceAll(/\\(.)/g, '$1') ?? bare] as const,
  );
  const [only, second] = prompt?.arguments ?? [];
  if (pairs.length === 0 && words !== '' && only !== undefined && second === undefined) return { [only.name]: words };
  return Object.fromEntries(pairs);
}

function shown(text: string, forModel?: string): SlashAnswer {
  return { kind: 'shown', text, ...(forModel !== undefined && { forModel }) };
}

function contextText({ window, used, compactsAt, parts }: ContextReport): string {
  const rows = [...new Set(parts.map(({ kind }) => kind))].map((kind) => {
    const tokens = parts.reduce((sum, part) => sum + (part.kind === kind ? part.tokens : 0), 0);
    return `| ${kind} | ${tokens.toLocaleString('en-US')} |`;
  });
  const at = compactsAt === undefined ? '' : ` It is made shorter at ${compactsAt.toLocaleString('en-US')}.`;
  const head = `About ${used.toLocaleString('en-US')} of ${window.toLocaleString('en-US')} tokens are in use.${at}`;
  return rows.length === 0 ? head : [head, '', '| what | tokens |', '| --- | ---: |', ...rows].join('\n');
}

function usageText({ inputTokens, cachedInputTokens, outputTokens, requests, cost }: SessionUsage): string {
  const tokens = `${inputTokens.toLocaleString('en-US')} tokens in (${cachedInputTokens.toLocaleString('en-US')} cached), ${outputTokens.toLocaleString('en-US')} out`;
  const money = cost === undefined ? '' : ` It cost ${cost.toFixed(cost < 1 ? 4 : 2)} by the prices of the settings.`;
  return `${count(requests, 'request')}: ${tokens}.${money}`;
}

function toolsText({ config }: Agent): string {
  const tools = config.getToolRegistry().getAllTools();
  return tools
    .map(({ name, description }) => `- \`${name}\`: ${safeLine(description.split(/(?<=\.)\s/, 1).join(''))}`)
    .join('\n');
}

function serversText({ mcp }: Agent): string {
  const servers = mcp.list();
  if (servers.length === 0) return 'There are no servers.';
  const lines = servers.map(({ alias, state, reason, tools }) => {
    const why = reason === undefined ? '' : `: ${safeLine(reason)}`;
    return `- ${safeLine(alias)}: ${state}, ${count(tools.length, 'tool')}${why}`;
  });
  return lines.join('\n');
}

async function diffAnswer(words: string, { agent, project }: SlashContext): Promise<SlashAnswer> {
  await agent.config.getFileChanges().catchUp();
  const look = { paint: createPainter(false), colour: false, columns: Infinity };
  return shown(fenced(diffLines(await openUndo(project).diff(wordSelection(words)), look), 'diff'));
}

async function revert(verb: 'undo' | 'redo', words: string, { agent, project }: SlashContext): Promise<SlashAnswer> {
  await agent.config.getFileChanges().catchUp();
  const undo = openUndo(project);
  const report = await (verb === 'undo' ? undo.undo(wordSelection(words)) : undo.redo());
  const problems = report.problems.map((problem) => safeText`${safeLine(problem)}\n`);
  const text = fenced(joinSafe([...problems, revertLines(report, '/')], safeText``));
  return report.entryId === undefined ? shown(text) : shown(text, noteOf(report));
}

function noteOf({ kind, files }: RevertReport): string {
  const paths = files.filter(({ result }) => result !== 'left' && result !== 'unchanged').map(({ path }) => path);
  const some = paths.slice(0, MOST_PATHS).join(', ') + (paths.length > MOST_PATHS ? ' and others' : '');
  const what = kind === 'undo' ? 'took back changes of' : 'made changes again that had been taken back, in';
  return `[The user ${what}: ${some}. Read these files again before you rely on them.]`;
}
