import type { ServerPrompt } from '@tenon/core';
import type { Command, CommandContext, Completion } from './command.js';
import { findCommand } from './find-command.js';

/** Most that are offered at once. */
const MOST = 50;

/**
 * What can be typed next in a line that begins with a slash; `text` is what stands before the cursor. As long as the name is
 * typed, names that fit, loosely; behind it what the command takes. `insert` stands for the last word, the slash with it.
 * Never rejects: a server that does not answer offers nothing.
 */
export async function completeCommand(text: string, context: CommandContext): Promise<readonly Completion[]> {
  const found = /^\s*\/(\S*)(\s[\s\S]*)?$/.exec(text);
  if (found === null) return [];
  const [, name = '', rest] = found;
  try {
    if (rest === undefined) return await names(name, context);
    const typed = rest.trimStart();
    const command = findCommand(name, context.commands());
    if (command !== undefined) return ((await command.complete?.(typed, context)) ?? []).slice(0, MOST);
    return await serverArguments(name, typed, context);
  } catch {
    return [];
  }
}

/** What may follow the name that is typed, for a hint behind the cursor; undefined where nothing may, or something does. */
export function commandHint(text: string, commands: readonly Command[]): string | undefined {
  const name = /^\s*\/(\S+)\s*$/.exec(text)?.[1];
  return name === undefined ? undefined : findCommand(name, commands)?.usage;
}

interface Named {
  readonly name: string;
  /** Under which it is looked for. */
  readonly key: string;
  readonly detail: string;
  readonly usage: string;
}

async function names(typed: string, context: CommandContext): Promise<readonly Completion[]> {
  const all = [...context.commands().flatMap(namesOf), ...(await serverPrompts(context)).map(namedPrompt)];
  const found = typed === '' ? all.filter(({ key, name }) => key === name) : await fitting(typed, all);
  const seen = new Set<string>();
  return found
    .filter(({ name }) => !seen.has(name) && seen.add(name))
    .slice(0, MOST)
    .map(({ name, usage, detail }) => ({ insert: `/${name}`, label: `/${name}${usage}`, detail }));
}

/** Names that begin so come first, in their order; then those that have its letters in theirs. */
async function fitting(typed: string, all: readonly Named[]): Promise<readonly Named[]> {
  const { go } = await import('fuzzysort');
  const lower = typed.toLowerCase();
  const begin = all.filter(({ key }) => key.toLowerCase().startsWith(lower));
  const loose = go(typed, all, { key: 'key', limit: MOST, threshold: 0.2 }).map(({ obj }) => obj);
  return [...begin, ...loose];
}

function namesOf({ name, aliases = [], usage, sentence }: Command): Named[] {
  const shown = usage === undefined ? '' : ` ${usage}`;
  return [name, ...aliases].map((key) => ({ name, key, detail: sentence, usage: shown }));
}

function namedPrompt({ alias, name, description, arguments: all }: ServerPrompt): Named {
  const words = all.map((each) => (each.required ? `${each.name}=…` : `[${each.name}=…]`));
  const full = `${alias}:${name}`;
  return { name: full, key: full, detail: description, usage: words.length === 0 ? '' : ` ${words.join(' ')}` };
}

/** Of servers that are connected; none is waited for. */
async function serverPrompts({ agent, signal }: CommandContext): Promise<readonly ServerPrompt[]> {
  if (!agent.mcp.list().some(({ state }) => state === 'ready')) return [];
  return agent.mcp.prompts(signal);
}

/** Of a prompt of a server: the names of its arguments that are not there yet, and for one with `=` what the server offers. */
async function serverArguments(name: string, typed: string, context: CommandContext): Promise<readonly Completion[]> {
  const prompt = (await serverPrompts(context)).find((each) => `${each.alias}:${each.name}` === name);
  if (prompt === undefined) return [];
  const words = typed.split(/\s+/);
  const word = words.pop() ?? '';
  const equals = word.indexOf('=');
  if (equals === -1) {
    const open = prompt.arguments.filter((each) => !words.some((other) => other.startsWith(`${each.name}=`)));
    return open
      .filter((each) => each.name.startsWith(word))
      .map((each) => ({ insert: `${each.name}=`, label: `${each.name}=`, detail: each.description }));
  }
  const argument = word.slice(0, equals);
  const args = Object.fromEntries(words.map((each) => each.split('=', 2)).filter(([, value]) => value !== undefined));
  const request = { alias: prompt.alias, name: prompt.name, args, argument, value: word.slice(equals + 1) };
  const values = await context.agent.mcp.complete(request, context.signal);
  return values.slice(0, MOST).map((value) => {
    const shown = /\s/.test(value) ? JSON.stringify(value) : value;
    return { insert: `${argument}=${shown}`, label: value };
  });
}
