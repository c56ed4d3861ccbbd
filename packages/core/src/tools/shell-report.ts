import { constants } from 'node:os';
import { displayPath } from '../files/display-path.js';
import type { CommandChanges } from '../files/file-changes.js';
import type { CommandOutcome } from '../process/command-types.js';
import { plainOutput } from '../process/plain-output.js';

export interface ReportContext {
  readonly command: string;
  readonly timeoutMs: number;
  /** Names of the tools that can open the file with the whole output. */
  readonly openWith: readonly string[];
}

/** Files that are named; the rest is counted. */
const MAX_CHANGED = 20;

/** Share of characters that are no text from which an output is called binary and not shown. */
const BINARY_SHARE = 0.3;

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
  ].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const names = rows.slice(0, MAX_CHANGED).map(({ kind, path }) => `${kind} ${oneLine(displayPath(path, folder))}`);
  const counts = `${grouped(modified.length)} M, ${grouped(created.length)} A, ${grouped(deleted.length)} D`;
  const more = rows.length - names.length;
  const rest = more > 0 ? ` and ${grouped(more)} more (in all ${counts})` : '';
  const lines = rows.length === 0 ? [] : [`Changed files: ${names.join(', ')}${rest}`];
  return uncovered === undefined ? lines : [...lines, `Note: ${oneLine(uncovered)}`];
}

/** A file name may hold anything; what it says must not look like another line of the report. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '\ufffd');
}

function describeOutput(outcome: CommandOutcome, context: ReportContext): string {
  const { head, tail, omittedBytes } = outcome;
  if (isBinary(head + tail)) {
    return `[binary output of ${grouped(outcome.totalBytes)} bytes, not shown${savedTo(outcome, context)}]`;
  }
  if (omittedBytes === 0) return withoutLastNewline(plainOutput(head));
  const omitted = `[… ${grouped(omittedBytes)} bytes omitted${savedTo(outcome, context)} …]`;
  return [withoutLastNewline(plainOutput(head)), omitted, withoutLastNewline(plainOutput(tail))].join('\n');
}

function savedTo({ spoolFile, spooledBytes, totalBytes }: CommandOutcome, { openWith }: ReportContext): string {
  if (spoolFile === undefined) return '';
  const what =
    spooledBytes === undefined || spooledBytes >= totalBytes ? 'all of it' : `its first ${grouped(spooledBytes)} bytes`;
  const verb = what === 'all of it' ? 'is' : 'are';
  return `; ${what} ${verb} in ${spoolFile}, which ${openWith.join(' and ')} can open`;
}

function notes(outcome: CommandOutcome, { command, timeoutMs }: ReportContext): string[] {
  const { ending, exitCode, signal, endedProcesses } = outcome;
  const how = signal === null ? '' : ` (${signal})`;
  const lines: string[] = [];
  if (ending === 'timed-out')
    lines.push(`Ended by: time limit after ${timeoutMs / 1000} s${how}. A longer \`timeout\` may help.`);
  else if (ending === 'cancelled') lines.push(`Ended by: cancelled${how}`);
  else if (signal !== null)
    lines.push(`Ended by: signal ${signal}${SIGNAL_WORDS[signal] === undefined ? '' : `, ${SIGNAL_WORDS[signal]}`}`);
  else if (exitCode !== null && exitCode !== 0) lines.push(`Exit code: ${exitCode}${meaningOf(exitCode, command)}`);
  if (endedProcesses > 0) {
    const processes =
      endedProcesses === 1
        ? '1 process that the command left running was'
        : `${endedProcesses} processes that the command left running were`;
    lines.push(`${processes} ended`);
  }
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
  const signal = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  if (signal !== undefined) return ` (${signal})`;
  return '';
}

function isBinary(text: string): boolean {
  const odd = text.match(/[\0-\x06\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0;
  return odd > text.length * BINARY_SHARE;
}

function withoutLastNewline(text: string): string {
  return text.replace(/\n$/, '');
}

/** 52428800 → `52,428,800`, whatever the locale. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
