import { randomUUID } from 'node:crypto';
import { Failure, findMentions, ToolNames, type Agent, type CallEvent, type Part } from '@tenon/core';
import { switchModel, type SwitchContext } from '../switch-model.js';
import { fillCommand, fillText, hasBlanks, splitTemplate, type TemplatePart } from './fill-template.js';
import type { UserCommandFile } from './read-command-file.js';
import { fillSkill } from './skill-commands.js';
import type { FilledCommand } from './user-command.js';

export type { FilledCommand } from './user-command.js';

export interface UserCommandContext extends SwitchContext {
  /** Of the command, without the slash. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** What becomes of the calls in it, for a door that shows them. */
  readonly onEvent?: (event: CallEvent) => Promise<void>;
}

/**
 * Fills a user's command with what was typed behind it. Commands in it (`!{…}`, `` !`…` ``) are calls like those of the model:
 * judged by the rules, asked about where the person must be asked; what they print takes their place.
 * @throws Failure `not_run` when one of them does not run: then nothing is to be said to the model
 */
export async function runUserCommand(
  file: UserCommandFile,
  typed: string,
  context: UserCommandContext,
): Promise<FilledCommand> {
  if (file.skill !== undefined) return fillSkill(context.agent, file.skill, typed);
  const { template, wantsTools, model } = file;
  const parts = splitTemplate(template);
  const commands = parts.flatMap((part) => (part.kind === 'shell' ? [fillCommand(part.command, typed)] : []));
  const outputs = await runCommands(commands, context);
  const added = typed === '' || hasBlanks(template) ? '' : `\n\n${typed}`;
  const attach = parts.flatMap((part) => (part.kind === 'text' ? findMentions(fillText(part.text, typed)) : []));
  const switched = model === undefined ? undefined : await switchModel(model, context);
  const grantless = `/${context.name} names allowed tools; that grants nothing: your own rules judge its calls.`;
  return {
    notes: [...(wantsTools ? [grantless] : []), ...(switched === undefined ? [] : [switched.told])],
    prompt: {
      text: filled(parts, outputs, typed) + added,
      // Not from what commands printed: that is data.
      attach: [...new Set([...attach, ...findMentions(added)])],
    },
    ...(switched?.back !== undefined && { back: switched.back }),
  };
}

function filled(parts: readonly TemplatePart[], outputs: readonly string[], typed: string): string {
  let next = 0;
  return parts
    .map((part) => {
      if (part.kind === 'text') return fillText(part.text, typed);
      next += 1;
      return outputs[next - 1] ?? '';
    })
    .join('');
}

/** What each of them printed. @throws Failure `not_run` */
async function runCommands(
  commands: readonly string[],
  {
    agent,
    signal,
    name,
    onEvent,
  }: Pick<UserCommandContext, 'signal' | 'name' | 'onEvent'> & { readonly agent: Pick<Agent, 'runCalls'> },
): Promise<readonly string[]> {
  if (commands.length === 0) return [];
  const calls = commands.map((command) => ({
    callId: `command-${randomUUID()}`,
    toolName: ToolNames.SHELL,
    argumentsText: JSON.stringify({ command, description: `for /${name}` }),
  }));
  const outputs = new Map<string, string>();
  for await (const event of agent.runCalls(calls, signal)) {
    await onEvent?.(event);
    if (event.type !== 'tool-call-end') continue;
    const output = textOf(event.content);
    if (event.status !== 'success')
      throw new Failure('not_run', `/${name} was not said, for its command did not run: ${event.title}\n${output}`);
    outputs.set(event.callId, output);
  }
  return calls.map(({ callId }) => outputs.get(callId) ?? '');
}

function textOf(content: readonly Part[]): string {
  return content
    .map((part) => ('text' in part ? part.text : ''))
    .join('')
    .trim();
}
