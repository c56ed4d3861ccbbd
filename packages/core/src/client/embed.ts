import type { Agent } from '../agent-types.js';
import type { AgentEvent } from '../agent/events.js';
import { Failure } from '../util/failure.js';
import { readAnswerSchema } from './answer-schema.js';
import { askForAnswer } from './ask-for-answer.js';
import type { AskOptions, EmbeddedAgent, Reply, SendOptions } from './client-types.js';
import { replyOf, type PromptEnd } from './reply.js';

/** An agent as a program talks to it. Its model must be `endingWithAnswer`. */
export function embed(agent: Agent, notices: readonly string[]): EmbeddedAgent {
  const send = (text: string, { signal, ...options }: SendOptions = {}): AsyncIterable<AgentEvent> =>
    agent.prompt(text, signal, { endsJobs: true, ...options });

  async function ask(text: string, options?: SendOptions): Promise<Reply>;
  async function ask<T>(text: string, options: AskOptions<T>): Promise<Reply & { readonly json: T }>;
  async function ask<T>(text: string, options: SendOptions | AskOptions<T> = {}): Promise<Reply> {
    if ('schema' in options) return askForData(agent, text, options);
    const ends: PromptEnd[] = [];
    for await (const event of send(text, options)) if (event.type === 'prompt-end') ends.push(event);
    return replyOf(ends);
  }

  const close = (): Promise<void> => agent.close();
  return {
    agent,
    notices: [...notices, ...agent.notices, ...agent.sessionProblems],
    send,
    ask,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function askForData<T>(
  agent: Agent,
  text: string,
  options: AskOptions<T>,
): Promise<Reply & { readonly json: T }> {
  const { schema, parse, signal, ...more } = options;
  const events = askForAnswer(agent, {
    text,
    schema: readAnswerSchema(schema),
    options: { endsJobs: true, ...more },
    ...(parse !== undefined && { parse }),
    ...(signal !== undefined && { signal }),
  });
  const ends: PromptEnd[] = [];
  for (;;) {
    const next = await events.next();
    if (next.done !== true) {
      if (next.value.type === 'prompt-end') ends.push(next.value);
      continue;
    }
    const reply = replyOf(ends);
    if (next.value.isValid) return { ...reply, json: next.value.value };
    throw new Failure('no_valid_answer', `There is no valid answer (${reply.stopReason}): ${next.value.problem}`);
  }
}
