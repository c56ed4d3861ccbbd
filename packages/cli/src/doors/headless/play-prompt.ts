import { askForAnswer, type Agent, type AgentEvent, type Answered, type AnswerSchema, type Part } from '@tenon/core';
import type { PromptEnd } from '../../ui/end-lines.js';

export interface Play {
  readonly text: string;
  readonly attach: readonly string[];
  readonly content?: readonly Part[];
  /** Background jobs end with the prompt. */
  readonly endsJobs: boolean;
  /** What the answer must be. */
  readonly schema?: AnswerSchema | undefined;
  readonly signal: AbortSignal;
}

export interface Played {
  /** Undefined when the agent was closed on the way. */
  readonly end?: PromptEnd;
  readonly answer?: Answered<unknown>;
}

/** One prompt to its end, event by event; with a schema, on to an answer that is one. */
export async function playPrompt(
  agent: Agent,
  { text, schema, signal, ...options }: Play,
  onEvent: (event: AgentEvent) => Promise<void>,
): Promise<Played> {
  const ends: PromptEnd[] = [];
  const tell = async (event: AgentEvent): Promise<void> => {
    if (event.type === 'prompt-end') ends.push(event);
    await onEvent(event);
  };
  const played = (): Played => {
    const last = ends.at(-1);
    // What was denied before the model was reminded of its answer was denied all the same.
    return last === undefined ? {} : { end: { ...last, denials: ends.flatMap(({ denials }) => denials) } };
  };
  if (schema === undefined) {
    for await (const event of agent.prompt(text, signal, options)) await tell(event);
    return played();
  }
  const events = askForAnswer<unknown>(agent, { text, schema, signal, options });
  for (let next = await events.next(); ; next = await events.next()) {
    if (next.done === true) return { ...played(), answer: next.value };
    await tell(next.value);
  }
}
