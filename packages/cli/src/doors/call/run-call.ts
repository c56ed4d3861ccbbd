import { randomUUID } from 'node:crypto';
import { createToolSystem, toParts, type CallEvent, type ToolSystem, type ToolSystemOptions } from '@tenon/core';
import { ExitCode, ExitFailure } from '../../exit-codes.js';
import { findToolOf } from '../../find-tool.js';
import { readInput } from '../../read-input.js';
import type { Surroundings } from '../../surroundings.js';
import { commandFailure } from '../../ui/failed-command.js';
import { createLiveView } from '../../ui/live-view.js';
import { createRefusals, type Refusals } from '../../ui/refusals.js';
import { safeBlock } from '../../ui/safe-lines.js';
import { sayLines, warn } from '../../ui/say.js';
import type { Turnstile } from '../../ui/turnstile.js';
import { denialLines } from '../../ui/end-lines.js';
import { jsonText } from '../../ui/json-line.js';
import { checkArguments } from './check-arguments.js';

export interface OneCall {
  /** As a person wrote it: `findToolOf` knows what is meant. */
  readonly toolName: string;
  /** JSON text, or `-` for standard input. */
  readonly argumentsText: string;
  readonly system: ToolSystemOptions;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly turnstile: Turnstile;
}

type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

/** One call through its whole life: its result on stdout, as the model would read it. */
export async function runCall(surroundings: Surroundings, call: OneCall): Promise<ExitCode> {
  const { out, err, interrupts } = surroundings;
  const armed = interrupts.arm();
  const signal = AbortSignal.any([armed.signal, out.closed]);
  try {
    const system = await createToolSystem(call.system);
    const takeOff = surroundings.exits.register(system.endCommands);
    try {
      await warn(err, system.notices);
      const view = createLiveView({ out, err, turnstile: call.turnstile, quiet: call.quiet || !err.isTerminal });
      const { name: toolName } = await findToolOf(system, call.toolName, (notices) => warn(err, notices), signal);
      const argumentsText = call.argumentsText === '-' ? await fromInput(surroundings, signal) : call.argumentsText;
      checkArguments(argumentsText);
      const request = { callId: randomUUID(), toolName, argumentsText };
      const refusals = createRefusals();
      let end: CallEnd | undefined;
      for await (const event of system.runCalls([request], signal)) {
        refusals.onEvent(event);
        if (event.type === 'tool-call-end') end = event;
        else await view.onEvent(event);
      }
      if (end === undefined) throw new ExitFailure(ExitCode.UNEXPECTED, 'The call did not end.');
      await show(surroundings, end, call.json, refusals);
      if (!call.quiet) await sayLines(err, jobLines(system));
      return out.closed.aborted ? ExitCode.OUTPUT_CLOSED : codeOf(end);
    } finally {
      await system.close();
      takeOff();
    }
  } finally {
    armed.release();
  }
}

/** There is no session that a job could run in. */
function jobLines({ config }: ToolSystem): string[] {
  const running = config
    .getJobs()
    .list()
    .filter(({ outcome }) => outcome === undefined);
  return running.map(({ id }) => `${id} is ended: here a job runs no longer than the call that started it`);
}

async function fromInput(surroundings: Surroundings, signal: AbortSignal): Promise<string> {
  const { text } = await readInput(surroundings.stdin(), false, signal);
  if (text !== undefined) return text;
  throw new ExitFailure(
    ExitCode.USAGE,
    'The arguments are to be read from standard input, but that is a terminal. Pipe them in.',
  );
}

async function show({ out, err }: Surroundings, end: CallEnd, json: boolean, refusals: Refusals): Promise<void> {
  if (json) return out.writeData(jsonText(end));
  const text = toParts([...end.content])
    .map((part) =>
      'text' in part ? part.text : `[${part.inlineData.mimeType}, ${part.inlineData.data.length} characters of base64]`,
    )
    .join('\n');
  const shown = out.isTerminal ? safeBlock(text) : text;
  await out.writeData(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
  if (end.status !== 'denied') return;
  const denial = {
    callId: end.callId,
    toolName: end.toolName,
    title: end.title,
    reason: end.verdict?.reason ?? end.error?.message ?? 'denied',
    rules: end.alwaysRules ?? [],
  };
  await sayLines(err, denialLines([denial], refusals));
}

function codeOf(end: CallEnd): ExitCode {
  // To its tool a command that ran is a success; a script that makes the call asks whether the command was one.
  if (commandFailure(end) !== undefined) return ExitCode.UNEXPECTED;
  const codes = {
    success: ExitCode.OK,
    error: ExitCode.UNEXPECTED,
    denied: ExitCode.DENIED,
    cancelled: ExitCode.INTERRUPTED,
  } as const;
  return codes[end.status];
}
