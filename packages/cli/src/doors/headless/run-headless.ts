import { createAgent, endingWithAnswer, type Agent, type AgentOptions, type AnswerSchema } from '@tenon/core';
import type { OutputFormat } from '../../arguments/parse-arguments.js';
import { ExitCode } from '../../exit-codes.js';
import type { Prompt } from '../../read-prompt.js';
import type { Say } from '../../slash/user/create-say.js';
import type { Surroundings } from '../../surroundings.js';
import { shellQuoted } from '../../ui/end-lines.js';
import { warn } from '../../ui/say.js';
import type { Turnstile } from '../../ui/turnstile.js';
import type { EventReader } from './event-reader.js';
import { jsonReader } from './json.js';
import { exitCodeOf } from './outcome.js';
import { playPrompt } from './play-prompt.js';
import { streamJsonReader } from './stream-json.js';
import { textReader } from './text.js';

export interface HeadlessRun {
  readonly prompt: Prompt;
  readonly agent: AgentOptions;
  readonly format: OutputFormat;
  /** With `stream-json`: words and output as they come. */
  readonly includePartial?: boolean;
  /** What the answer must be. */
  readonly schema?: AnswerSchema | undefined;
  readonly quiet: boolean;
  readonly turnstile: Turnstile;
  /** What `/name words` comes to. Absent: it is said as it is. */
  readonly say?: Say;
  /** False where `tenon undo` alone would not find these changes. Default true. */
  readonly undoHint?: boolean;
}

/** One prompt from start to end. The first interruption cancels and waits for what runs to end; then the answer is given. */
export async function runHeadless(surroundings: Surroundings, run: HeadlessRun): Promise<ExitCode> {
  const { out, interrupts } = surroundings;
  const reader = readerOf(surroundings, run);
  const { agent, close } = await openForRun(surroundings, run.agent);
  const armed = interrupts.arm();
  const signal = AbortSignal.any([armed.signal, out.closed]);
  const { prompt, schema } = run;
  try {
    const said = await run.say?.(agent, prompt, signal);
    await warn(surroundings.err, said?.notes ?? []);
    const play = { ...prompt, ...said?.prompt, endsJobs: true, schema, signal };
    const { end, answer } = await playPrompt(agent, play, (event) => reader.onEvent(event));
    const code = end === undefined ? ExitCode.UNEXPECTED : exitCodeOf(end, answer);
    await reader.onDone(code, answer);
    return out.closed.aborted ? ExitCode.OUTPUT_CLOSED : code;
  } finally {
    armed.release();
    await close();
  }
}

/** An agent whose commands end with the process, and whose notices were shown. */
export async function openForRun(
  { exits, err }: Surroundings,
  options: AgentOptions,
): Promise<{ readonly agent: Agent; readonly close: () => Promise<void> }> {
  const agent = await createAgent({ ...options, model: endingWithAnswer(options.model) });
  const takeOff = exits.register(agent.endCommands);
  await warn(err, [...agent.notices, ...agent.sessionProblems]);
  return {
    agent,
    close: async () => {
      await agent.close();
      takeOff();
    },
  };
}

function readerOf({ out, err, cwd }: Surroundings, run: HeadlessRun): EventReader {
  const { format, quiet, turnstile, undoHint = true } = run;
  if (format === 'json') return jsonReader(out);
  if (format === 'stream-json') return streamJsonReader(out, run.includePartial === true);
  const [root = ''] = run.agent.roots;
  const place = root === cwd ? '' : ` --cwd ${shellQuoted(root)}`;
  return textReader({ out, err, quiet, turnstile, undoHint, place });
}
