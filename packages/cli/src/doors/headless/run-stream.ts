import type { Agent, AgentOptions, AnswerSchema, ApprovalMode, SubagentEvent } from '@tenon/core';
import { errorMessage, Failure } from '@tenon/core';
import { ExitCode } from '../../exit-codes.js';
import { MAX_PROMPT_BYTES } from '../../read-input.js';
import type { Prompt } from '../../read-prompt.js';
import { trySetMode } from '../../slash/set-mode.js';
import type { Say } from '../../slash/user/create-say.js';
import type { FilledCommand } from '../../slash/user/run-user-command.js';
import type { Surroundings } from '../../surroundings.js';
import { jsonLine } from '../../ui/json-line.js';
import { createQuestionDesk, type QuestionDesk } from './answered-by-lines.js';
import type { EventReader } from './event-reader.js';
import { readMessage, type InputMessage, type UserMessage } from './input-message.js';
import { exitCodeOf } from './outcome.js';
import { playPrompt } from './play-prompt.js';
import { createQueue, type Queue } from './prompt-queue.js';
import { readLines, type InputLine } from './read-lines.js';
import { openForRun } from './run-headless.js';
import { streamJsonReader, type DoorEvent } from './stream-json.js';

/** So many prompts wait at once; then no further line is read until one of them begins. */
const MOST_WAITING = 1000;

export interface StreamRun {
  readonly agent: AgentOptions;
  /** Of the command line: comes before those of the input. */
  readonly prompt?: Prompt | undefined;
  readonly includePartial: boolean;
  readonly schema?: AnswerSchema | undefined;
  /** Lines of the input answer what no rule decides; else it is denied. */
  readonly asksByLines: boolean;
  /** What `/name words` comes to. Absent: it is said as it is. */
  readonly say?: Say;
}

interface Waiting extends UserMessage {
  /** The line of the input; 0: the command line. */
  readonly line: number;
}

/** What both sides of a run share: lines come in while a prompt runs. */
interface Desk {
  readonly agent: Agent;
  readonly queue: Queue<Waiting>;
  readonly questions: QuestionDesk;
  readonly tell: (event: DoorEvent | Notice) => Promise<void>;
  /** What was said meanwhile and the model has not read yet. */
  readonly steered: { readonly line: number; readonly text: string }[];
  /** Of the prompt that runs. */
  running: AbortController | undefined;
  cancelledByLine: boolean;
  hasWrongLines: boolean;
}

interface Notice {
  readonly type: 'notice';
  readonly level: 'info' | 'warning';
  readonly text: string;
}

/**
 * Prompts as lines of standard input, one after the other, until it ends; lines that come meanwhile steer, cancel or answer.
 * Ends with the code of the last prompt, or `USAGE` when that is 0 but some line was wrong.
 */
export async function runStream(surroundings: Surroundings, run: StreamRun): Promise<ExitCode> {
  const { out, interrupts } = surroundings;
  const tell = (event: DoorEvent | Notice | SubagentEvent): Promise<void> => out.writeData(jsonLine(event));
  const questions = createQuestionDesk((event) => void tell(event));
  const options = run.asksByLines ? { ...run.agent, approver: questions.approver } : run.agent;
  const { agent, close } = await openForRun(surroundings, options);
  questions.follow(agent);
  const desk: Desk = {
    agent,
    queue: createQueue(MOST_WAITING),
    questions,
    tell,
    steered: [],
    running: undefined,
    cancelledByLine: false,
    hasWrongLines: false,
  };
  const armed = interrupts.arm();
  const finished = new AbortController();
  const signal = AbortSignal.any([armed.signal, out.closed]);
  try {
    const { prompt } = run;
    if (prompt !== undefined) await desk.queue.add({ ...prompt, type: 'user', content: [], line: 0 });
    const lines = readLines(surroundings.stdin(), MAX_PROMPT_BYTES, AbortSignal.any([signal, finished.signal]));
    const reading = readAll(lines, desk);
    const code = await work(desk, { ...run, signal, reader: streamJsonReader(out, run.includePartial) });
    finished.abort();
    await reading;
    for (const { line } of desk.steered)
      await complain(desk, line, 'The prompt had ended before the model could read it.');
    if (out.closed.aborted) return ExitCode.OUTPUT_CLOSED;
    if (armed.signal.aborted) return ExitCode.INTERRUPTED;
    return code === ExitCode.OK && desk.hasWrongLines ? ExitCode.USAGE : code;
  } finally {
    finished.abort();
    armed.release();
    await close();
  }
}

interface Work {
  readonly signal: AbortSignal;
  readonly say?: Say;
  readonly reader: EventReader;
  readonly schema?: AnswerSchema | undefined;
}

async function work(desk: Desk, { signal, reader, schema, say }: Work): Promise<ExitCode> {
  let code: ExitCode = ExitCode.OK;
  for (;;) {
    const waiting = await desk.queue.take();
    if (waiting === undefined || signal.aborted) return code;
    const { line, id, ...words } = waiting;
    const running = new AbortController();
    const until = AbortSignal.any([signal, running.signal]);
    desk.running = running;
    desk.cancelledByLine = false;
    const filled = await fill(desk, waiting, say, until);
    if (filled === undefined) {
      desk.running = undefined;
      continue;
    }
    const content = [...words.content, ...(filled.prompt.content ?? [])];
    const prompt = { ...words, ...filled.prompt, content };
    await desk.tell({ type: 'prompt-start', line, ...(id !== undefined && { id }) });
    const play = { ...prompt, endsJobs: false, schema, signal: until };
    const { end, answer } = await playPrompt(desk.agent, play, async (event) => {
      // From here on nobody reads what steers: it is the next prompt.
      if (event.type === 'prompt-end' && schema === undefined) desk.running = undefined;
      if (event.type === 'user-message' && event.isSteering === true) forget(desk, event.text);
      desk.questions.note(event);
      await reader.onEvent(event);
    });
    filled.back?.();
    desk.running = undefined;
    code = end === undefined ? ExitCode.UNEXPECTED : exitCodeOf(end, answer);
    await reader.onDone(code, answer);
    // Who cancels on purpose is not told that something went wrong.
    if (desk.cancelledByLine && code === ExitCode.INTERRUPTED) code = ExitCode.OK;
  }
}

/** What is said in truth; undefined for a command that cannot be said, which is told. */
async function fill(
  desk: Desk,
  { text, attach, line }: Waiting,
  say: Say | undefined,
  signal: AbortSignal,
): Promise<Omit<FilledCommand, 'notes'> | undefined> {
  try {
    const said = await say?.(desk.agent, { text, attach }, signal);
    for (const note of said?.notes ?? []) await desk.tell(notice(note));
    return said ?? { prompt: { text, attach } };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    await complain(desk, line, thrown.message);
    return undefined;
  }
}

function forget({ steered }: Desk, text: string): void {
  const place = steered.findIndex((each) => each.text === text);
  if (place !== -1) steered.splice(place, 1);
}

async function readAll(lines: AsyncIterable<InputLine>, desk: Desk): Promise<void> {
  try {
    for await (const line of lines) {
      const read = 'problem' in line ? ({ ok: false, problem: line.problem } as const) : readMessage(line.text);
      if (read.ok && read.message.type === 'end') return;
      const problem = read.ok ? await follow(read.message, line.number, desk) : read.problem;
      if (problem !== undefined) await complain(desk, line.number, problem);
    }
  } catch (thrown) {
    await complain(desk, 0, `Standard input cannot be read: ${errorMessage(thrown)}`);
  } finally {
    desk.queue.end();
    desk.questions.close();
  }
}

async function complain(desk: Desk, line: number, message: string): Promise<void> {
  desk.hasWrongLines = true;
  await desk.tell({ type: 'input-error', line, message });
}

/** Does what a line says; what is wrong with that, if anything. */
async function follow(message: InputMessage, line: number, desk: Desk): Promise<string | undefined> {
  switch (message.type) {
    case 'user':
      await desk.queue.add({ ...message, line });
      return undefined;
    case 'steer':
      // Between two prompts there is nothing to steer: then it is a prompt.
      if (desk.running !== undefined && desk.agent.steer(message.text)) desk.steered.push({ line, text: message.text });
      else await desk.queue.add({ type: 'user', text: message.text, attach: [], content: [], line });
      return undefined;
    case 'cancel':
      desk.cancelledByLine = desk.running !== undefined;
      if (desk.running === undefined) await desk.tell(notice('There is no prompt to cancel.'));
      desk.running?.abort(new DOMException('Cancelled.', 'AbortError'));
      return undefined;
    case 'set-mode':
      return setMode(message.mode, desk);
    case 'approval':
      return desk.questions.answer(message.callId, message.answer)
        ? undefined
        : `Nothing is asked about a call ${JSON.stringify(message.callId)}. It may have been answered, or cancelled.`;
    case 'end':
    default:
      return undefined;
  }
}

async function setMode(mode: ApprovalMode, desk: Desk): Promise<string | undefined> {
  const problem = trySetMode(desk.agent, mode);
  if (problem === undefined)
    await desk.tell(notice(`The approval mode is ${desk.agent.config.getApprovalMode()} now.`));
  return problem;
}

function notice(text: string): Notice {
  return { type: 'notice', level: 'info', text };
}
