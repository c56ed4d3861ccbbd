import { findMentions, type Agent, type AgentEvent, type JobEvent } from '@tenon/core';
import type { NextPrompt } from './prompt-runner.js';

/** Says to the model what a person said, with what it must be told beside it. */
export interface PromptSource {
  /** Goes before the next prompt. */
  note(text: string): void;
  run(prompt: NextPrompt, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** What the model can read while it works: no more than words. */
  steer(text: string): boolean;
}

export function createPromptSource(agent: Pick<Agent, 'prompt' | 'steer'>): PromptSource {
  const notes: string[] = [];
  return {
    note: (text) => void notes.push(text),
    async *run({ text, content = [], attach = findMentions(text), whenPromptEnds }, signal) {
      try {
        // A person who types does not wait for servers that still start.
        yield* agent.prompt(text, signal, { notes: notes.splice(0), attach, content, waitsForServers: false });
      } finally {
        whenPromptEnds?.();
      }
    },
    // Files go with a prompt only, and notes before one.
    steer: (text) => notes.length === 0 && findMentions(text).length === 0 && agent.steer(text),
  };
}

/** What happens to jobs is told at once between prompts; it comes up again in the stream of the next one. */
export function jobNews(show: (event: JobEvent) => void): {
  readonly atOnce: (event: JobEvent) => void;
  /** True for what was told already. */
  readonly isTold: (event: AgentEvent) => boolean;
} {
  const told = new Set<string>();
  return {
    atOnce(event) {
      told.add(JSON.stringify(event));
      show(event);
    },
    isTold: (event) => (event.type === 'job-end' || event.type === 'job-wait') && told.delete(JSON.stringify(event)),
  };
}
