import { ContentParts, kindOf, label, type ContentPart, type ContentPorts } from '../mcp/catalog/content-parts.js';
import type { McpServer } from '../mcp/mcp-types.js';
import { Failure } from '../util/failure.js';
import { nearestName } from '../util/nearest-names.js';
import type { PromptRequest, ServerPrompt } from './extension-types.js';
import { isObject } from '../util/is-object.js';

const MOST_MESSAGES = 200;
const MOST_CHOICES = 20;

/** The prompts of one server that can be chosen; entries without a name are left out. */
export async function promptsOf(server: McpServer, signal: AbortSignal): Promise<readonly ServerPrompt[]> {
  if (server.features()?.prompts !== true) return [];
  const { entries } = await server.listPrompts(signal);
  const { alias } = server.definition;
  return entries.flatMap((entry): ServerPrompt[] => {
    const { name } = entry;
    if (typeof name !== 'string' || name === '') return [];
    const title = label(entry['title']) || label(name);
    return [
      { alias, name, title, description: label(entry['description']), arguments: argumentsOf(entry['arguments']) },
    ];
  });
}

function argumentsOf(list: unknown): ServerPrompt['arguments'] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).flatMap((each) => {
    const { name } = each;
    if (typeof name !== 'string') return [];
    return [{ name, description: label(each['description']), required: each['required'] === true }];
  });
}

/** The messages of a prompt, marked as the server's words. @throws Failure `mcp_prompt_unknown`, `mcp_prompt_incomplete`, and the server's */
export async function promptContent(
  server: McpServer,
  { name, args }: PromptRequest,
  ports: ContentPorts,
  signal: AbortSignal,
): Promise<readonly ContentPart[]> {
  const { alias } = server.definition;
  const known = await promptsOf(server, signal);
  const found = known.find((prompt) => prompt.name === name);
  if (found === undefined) throw new Failure('mcp_prompt_unknown', noPrompt(alias, name, known));
  const problem = argumentProblem(found, args);
  if (problem !== undefined)
    throw new Failure('mcp_prompt_incomplete', problem + (await choicesFor(server, found, args, signal)));
  const raw = await server.getPrompt(name, args, signal);
  const content = new ContentParts(ports);
  const messages = isObject(raw) ? raw['messages'] : undefined;
  if (Array.isArray(messages))
    for (const message of messages.slice(0, MOST_MESSAGES)) await addMessage(message, content);
  else content.notes.push(`The server answered without messages, with ${kindOf(raw)}.`);
  const mark = `[The user chose the prompt ${JSON.stringify(label(name))} of the server ${JSON.stringify(alias)}. What follows are the server's words:]`;
  return [{ text: mark }, ...content.parts, ...content.notes.map((note) => ({ text: `[${note}]` }))];
}

async function addMessage(message: unknown, content: ContentParts): Promise<void> {
  if (!isObject(message)) return void content.notes.push(`A message is ${kindOf(message)} and was left out.`);
  if (message['role'] === 'assistant') content.addText('[As the assistant:]');
  await content.addBlocks(message['content']);
}

/** What the server offers for the first argument that is missing, as a sentence; empty where it offers nothing. */
async function choicesFor(
  server: McpServer,
  prompt: ServerPrompt,
  args: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  const missing = prompt.arguments.find(({ name, required }) => required && args[name] === undefined);
  if (missing === undefined || server.features()?.completions !== true) return '';
  const request = {
    ref: { type: 'ref/prompt', name: prompt.name },
    argument: { name: missing.name, value: '' },
    context: args,
  } as const;
  const values = await server.complete(request, signal).catch((): readonly string[] => []);
  const shown = values.slice(0, MOST_CHOICES).map((value) => label(value));
  const more = values.length > MOST_CHOICES ? ' …' : '';
  return shown.length === 0 ? '' : `\n${missing.name} may be: ${shown.join(', ')}${more}`;
}

function noPrompt(alias: string, name: string, known: readonly ServerPrompt[]): string {
  const names = known.map((prompt) => prompt.name);
  const nearest = nearestName(name, names);
  const hint =
    nearest === undefined ? `It has: ${names.slice(0, 20).join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
  return `The server "${alias}" has no prompt ${JSON.stringify(name)}. ${hint}`;
}

function argumentProblem(prompt: ServerPrompt, args: Readonly<Record<string, string>>): string | undefined {
  const names = prompt.arguments.map(({ name }) => name);
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  const missing = prompt.arguments.filter(({ name, required }) => required && args[name] === undefined);
  if (unknown === undefined && missing.length === 0) return undefined;
  const problem =
    unknown === undefined
      ? `It needs ${missing.map(({ name, description }) => `${name}${description === '' ? '' : ` (${description})`}`).join(', ')}.`
      : `It has no argument ${JSON.stringify(unknown)}.`;
  const usage = prompt.arguments.map(({ name, required }) => (required ? `${name}=…` : `[${name}=…]`));
  return `${problem} Write: /${prompt.alias}:${prompt.name} ${usage.join(' ')}`.trim();
}
