import { displayPath } from '../files/display-path.js';
import { compareNames } from '../util/compare-names.js';
import type { CommandChanges } from '../files/file-changes.js';
import type { AttendEnd, Silence } from '../process/attend-command.js';
import type { CommandOutcome } from '../process/command-types.js';
import type { Job, JobOutput } from '../process/jobs/job.js';
import { fitEnds } from '../output/budget.js';
import { plainOutput } from '../process/plain-output.js';
import { signalName } from '../process/signal-name.js';
import { groupDigits } from '../util/group-digits.js';
import { secondsText } from '../util/seconds.js';
import { ToolNames } from './tool-names.js';

export interface ReportContext {
  readonly command: string;
  readonly timeoutMs: number;
  /** Names of the tools that can open the file with the whole output. */
  readonly openWith: readonly string[];
  /** What it asked when it waited for input. */
  readonly prompt?: string;
}

/** Files that are named; the rest is counted. */
const MAX_CHANGED = 20;
/** The most tokens of output whose middle is left out; as much as a read of a file shows. */
const MOST_OUTPUT_TOKENS = 11_000;
/** The most tokens of a whole result; the lines after the output are short. */
export const MOST_REPORT_TOKENS = 11_400;

/** Share of characters that are no text from which an output is called binary and not shown. */
const BINARY_SHARE = 0.3;
/** What is binary says so at its beginning. */
const BINARY_LOOK = 4096;
/** A duration is told from here on. */
const LONG_MS = 5000;

/** A signal that a program gets by its own fault or somebody else's hand, in words. */
const SIGNAL_WORDS: Readonly<Record<string, string>> = {
  SIGSEGV: 'it accessed memory it may not',
  SIGABRT: 'it aborted itself',
  SIGKILL: 'killed, perhaps for want of memory',
  SIGPIPE: 'its reader went away',
};

/** What the model is told of a command: the output first, then one line for each thing that it must know. */
export function describeOutcome(outcome: CommandOutcome, context: ReportContext): string {
  if (outcome.ending === 'not-started') return outcome.startError ?? 'The command could not be started.';
  const output = describeOutput(outcome, context);
  return [...(output === '' ? ['(no output)'] : [output]), ...notes(outcome, context)].join('\n');
}

/** `Changed files: M src/a.ts, A b.txt, D c` by path, and what undo does not cover; a line for each, or none. */
export function describeChanges({ created, modified, deleted, uncovered }: CommandChanges, folder: string): string[] {
  const rows = [
    ...modified.map((path) => ({ kind: 'M', path })),
    ...created.map((path) => ({ kind: 'A', path })),
    ...deleted.map((path) => ({ kind: 'D', path })),
  ].sort((a, b) => compareNames(a.path, b.path));
  const names = rows.slice(0, MAX_CHANGED).map(({ kind, path }) => `${kind} ${oneLine(displayPath(path, folder))}`);
  const counts = `${groupDigits(modified.length)} M, ${groupDigits(created.length)} A, ${groupDigits(deleted.length)} D`;
  const more = rows.length - names.length;
  const rest = more > 0 ? ` and ${groupDigits(more)} more (in all ${counts})` : '';
  const lines = rows.length === 0 ? [] : [`Changed files: ${names.join(', ')}${rest}`];
  return uncovered === undefined ? lines : [...lines, `Note: ${oneLine(uncovered)}`];
}

/** A file name may hold anything; what it says must not look like another line of the report. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '\ufffd');
}

/** What the model is told of a command that goes on, or of what came of it since the last look. */
export function describeBackground(
  job: Job,
  { head, tail, omittedBytes }: JobOutput,
  context: ReportContext & { readonly end: Exclude<AttendEnd, { kind: 'exit' }>; readonly isBackground: boolean },
): string {
  const { end, isBackground, timeoutMs } = context;
  const totalBytes = job.live.totalBytes;
  const output = describeOutput({ head, tail, omittedBytes, totalBytes, ...job.live.spooled }, context);
  const limit = `${timeoutMs / 1000} s`;
  const state = isBackground
    ? `Runs in the background as ${job.id}.`
    : `Still running after ${seconds(job.live.durationMs)}: it goes on in the background as ${job.id}.`;
  const said = [state, ...job.live.notes];
  if (end.kind === 'port') said.push(`Port ${end.port} answers.`);
  else if (end.kind === 'pattern') said.push(`Ready: ${JSON.stringify(end.line.slice(0, 200))}.`);
  else if (end.kind === 'input') said.push(describeWaiting(job, end.prompt));
  else if (isBackground && timeoutMs > SHORT_LOOK_MS) said.push(`It was not ready within ${limit}.`);
  const next = `Wait for it with ${ToolNames.JOB_OUTPUT}, end it with ${ToolNames.JOB_STOP}.`;
  return [output === '' ? '(no output yet)' : output, ...said, next].join('\n');
}

/** How long the start of a command in the background is watched. */
export const SHORT_LOOK_MS = 1000;

/** A program waits for somebody to type: what it asks and what can be done. */
export function describeWaiting(job: Pick<Job, 'live'>, prompt: string): string {
  const what = prompt === '' ? 'It waits for input.' : `It waits for input: ${prompt}`;
  if (job.live.stdin === undefined)
    return `${what}\nNobody can answer it. End it with ${ToolNames.JOB_STOP}, and use an option such as -y.`;
  return `${what}\nAnswer with ${ToolNames.JOB_INPUT}, or end it and use an option such as -y.`;
}

/** The newest output while nothing more comes. */
export function withSilence(newest: string, { seconds: count, isBusy }: Silence): string {
  const lines = newest === '' || newest.endsWith('\n') ? newest : `${newest}\n`;
  return `${lines}[no output for ${count} s, still running, ${isBusy ? 'busy' : 'idle'}]`;
}

/** Output as the model reads it, with what was left out; empty when there is none. */
export function describeOutput(
  outcome: Pick<CommandOutcome, 'head' | 'tail' | 'omittedBytes' | 'totalBytes' | 'spoolFile' | 'spooledBytes'>,
  context: Pick<ReportContext, 'openWith'>,
): string {
  if (isBinary(outcome.head.slice(0, BINARY_LOOK)) || isBinary(outcome.head + outcome.tail)) {
    return `[binary output of ${groupDigits(outcome.totalBytes)} bytes, not shown${savedTo(outcome, context)}]`;
  }
  if (outcome.omittedBytes === 0) return withoutLastNewline(plainOutput(outcome.head));
  const { head, tail } = fitEnds(outcome.head, outcome.tail, MOST_OUTPUT_TOKENS);
  const cutBytes = Buffer.byteLength(outcome.head + outcome.tail) - Buffer.byteLength(head + tail);
  const omittedBytes = outcome.omittedBytes + cutBytes;
  const omitted = `[… ${groupDigits(omittedBytes)} bytes omitted${savedTo(outcome, context)} …]`;
  return [withoutLastNewline(plainOutput(head)), omitted, withoutLastNewline(plainOutput(tail))].join('\n');
}

function savedTo(
  { spoolFile, spooledBytes, totalBytes }: Pick<CommandOutcome, 'spoolFile' | 'spooledBytes' | 'totalBytes'>,
  { openWith }: Pick<ReportContext, 'openWith'>,
): string {
  if (spoolFile === undefined) return '';
  const what =
    spooledBytes === undefined || spooledBytes >= totalBytes
      ? 'all of it'
      : `its first ${groupDigits(spooledBytes)} bytes`;
  const verb = what === 'all of it' ? 'is' : 'are';
  return `; ${what} ${verb} in ${spoolFile}, which ${openWith.join(' and ')} can open`;
}

function notes(outcome: CommandOutcome, { command, timeoutMs, prompt = '' }: ReportContext): string[] {
  const { ending, exitCode, signal, endedProcesses } = outcome;
  const how = signal === null ? '' : ` (${signal})`;
  const lines: string[] = [...(outcome.notes ?? [])];
  if (ending === 'timed-out')
    lines.push(`Ended by: time limit after ${timeoutMs / 1000} s${how}. A longer \`timeout\` may help.`);
  else if (ending === 'cancelled') lines.push(`Ended by: cancelled${how}`);
  else if (ending === 'stopped') lines.push(`Ended by: stopped${how}`);
  else if (ending === 'waits-for-input') {
    const asked = prompt === '' ? '' : `: ${prompt}`;
    lines.push(`Ended because it waits for input${asked}`, 'Use an option such as -y, or start it with tty or input.');
  } else if (signal !== null)
    lines.push(`Ended by: signal ${signal}${SIGNAL_WORDS[signal] === undefined ? '' : `, ${SIGNAL_WORDS[signal]}`}`);
  else if (exitCode !== null && exitCode !== 0) lines.push(`Exit code: ${exitCode}${meaningOf(exitCode, command)}`);
  if (endedProcesses > 0) {
    const processes =
      endedProcesses === 1
        ? '1 process that the command left running was'
        : `${endedProcesses} processes that the command left running were`;
    lines.push(`${processes} ended`);
  }
  if (outcome.durationMs >= LONG_MS && ending === 'exited') lines.push(`Took ${seconds(outcome.durationMs)}`);
  return lines;
}

/** Exit codes that are an answer and not a failure, and those of the shell itself. */
function meaningOf(exitCode: number, command: string): string {
  const program = /^\s*([\w./-]+)(?![\w./-])[^;&|\n]*$/.exec(command)?.[1]?.split('/').at(-1);
  if (exitCode === 1 && program !== undefined) {
    if (/^(?:[efz]?grep|rg|ag|ack)$/.test(program)) return ' (no match)';
    if (/^(?:diff|cmp)$/.test(program)) return ' (the inputs differ)';
    if (program === 'test') return ' (the condition is false)';
  }
  if (exitCode === 126) return ' (found, but not executable)';
  if (exitCode === 127) return ' (a program was not found)';
  // How a shell reports that one of its commands died by a signal.
  const signal = signalName(exitCode - 128);
  return signal === null ? '' : ` (${signal})`;
}

function isBinary(text: string): boolean {
  const odd = text.match(/[\0-\x06\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0;
  return odd > text.length * BINARY_SHARE;
}

function withoutLastNewline(text: string): string {
  return text.replace(/\n$/, '');
}

function seconds(milliseconds: number): string {
  return secondsText(milliseconds < 9950 ? milliseconds : Math.round(milliseconds / 1000) * 1000);
}
