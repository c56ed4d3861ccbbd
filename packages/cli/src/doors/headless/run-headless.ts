import { createAgent, type AgentOptions } from '@tenon/core';
import type { OutputFormat } from '../../arguments/parse-arguments.js';
import { ExitCode } from '../../exit-codes.js';
import type { Prompt } from '../../read-prompt.js';
import type { Surroundings } from '../../surroundings.js';
import { shellQuoted, type PromptEnd } from '../../ui/end-lines.js';
import { warn } from '../../ui/say.js';
import type { Turnstile } from '../../ui/turnstile.js';
import type { EventReader } from './event-reader.js';
import { jsonReader } from './json.js';
import { exitCodeOf } from './outcome.js';
import { streamJsonReader } from './stream-json.js';
import { textReader } from './text.js';

export interface HeadlessRun {
  readonly prompt: Prompt;
  readonly agent: AgentOptions;
  readonly format: OutputFormat;
  readonly quiet: boolean;
  readonly turnstile: Turnstile;
  /** False where `tenon undo` alone would not find these changes. Default true. */
  readonly undoHint?: boolean;
}

/** One prompt from start to end. The first interruption cancels and waits for what runs to end; then the answer is given. */
export async function runHeadless(surroundings: Surroundings, run: HeadlessRun): Promise<ExitCode> {
  const { out, err, interrupts } = surroundings;
  const reader = readerOf(surroundings, run);
  const agent = await createAgent(run.agent);
  const takeOff = surroundings.exits.register(agent.endCommands);
  await warn(err, agent.notices);
  const armed = interrupts.arm();
  const signal = AbortSignal.any([armed.signal, out.closed]);
  let end: PromptEnd | undefined;
  try {
    for await (const event of agent.prompt(run.prompt.text, signal, { attach: run.prompt.attach, endsJobs: true })) {
      await reader.onEvent(event);
      if (event.type === 'prompt-end') end = event;
    }
    const code = end === undefined ? ExitCode.UNEXPECTED : exitCodeOf(end);
    await reader.onDone(code);
    return out.closed.aborted ? ExitCode.OUTPUT_CLOSED : code;
  } finally {
    armed.release();
    await agent.close();
    takeOff();
  }
}

function readerOf({ out, err, cwd }: Surroundings, run: HeadlessRun): EventReader {
  const { format, quiet, turnstile, undoHint = true } = run;
  if (format === 'json') return jsonReader(out);
  if (format === 'stream-json') return streamJsonReader(out);
  const [root = ''] = run.agent.roots;
  const place = root === cwd ? '' : ` --cwd ${shellQuoted(root)}`;
  return textReader({ out, err, quiet, turnstile, undoHint, place });
}
