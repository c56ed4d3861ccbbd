import {
  countDiff,
  createPainter,
  diffView,
  joinSafe,
  safeText,
  shortenText,
  splitLines,
  type AgentEvent,
  type CallEvent,
  type Painter,
  type Safe,
  type ToolResultDisplay,
} from '@tenon/core';
import type { Output } from '../output.js';
import { safeBlock, safeLine } from './safe-lines.js';
import type { Turnstile } from './turnstile.js';

export interface LiveViewOptions {
  /** Where the model's words go when it is a terminal. */
  readonly out: Output;
  /** Where everything else goes. */
  readonly err: Output;
  readonly turnstile: Turnstile;
  readonly quiet: boolean;
}

/** Shows a run as it happens: the words, the calls, what they changed. */
export interface LiveView {
  onEvent(event: AgentEvent): Promise<void>;
}

/** Longest output of one call that is shown; the model gets all of it within its budget. */
const SHOWN_LINES = 12;
const SHOWN_DIFF_LINES = 60;
const UPDATE_EVERY_MS = 2_000;

export function createLiveView({ out, err, turnstile, quiet }: LiveViewOptions): LiveView {
  const paint = createPainter(err.colors);
  const lastUpdate = new Map<string, number>();
  let lineOpen = false;
  let lastShown = '';

  const closeLine = async (): Promise<void> => {
    if (lineOpen) await out.write(safeText`\n`);
    lineOpen = false;
  };

  const say = async (text: Safe): Promise<void> => {
    await closeLine();
    if (!quiet) await err.write(text);
  };

  const words = async (text: string): Promise<void> => {
    const safe = safeBlock(text);
    await out.write(safe);
    if (safe !== '') lineOpen = !safe.endsWith('\n');
  };

  const show = async (event: AgentEvent): Promise<void> => {
    switch (event.type) {
      case 'text-delta':
        return out.isTerminal ? words(event.text) : undefined;
      case 'assistant-message': {
        // Without a terminal on stdout only the last words go there; what is said on the way is progress.
        const progress = out.isTerminal ? '' : wordsBeforeCalls(event);
        return progress === '' ? undefined : say(safeText`${safeBlock(progress)}\n`);
      }
      case 'model-retry':
        return say(
          safeText`${paint('yellow', safeLine(`Trying again in ${seconds(event.delayMs)}: ${event.reason}`))}\n`,
        );
      case 'notice':
        return say(safeText`${paint(event.level === 'warning' ? 'yellow' : 'dim', safeBlock(event.text))}\n`);
      case 'approval-answer':
        return event.problem === undefined ? undefined : say(safeText`${paint('yellow', safeBlock(event.problem))}\n`);
      case 'tool-call-start':
        lastShown = event.callId;
        return say(callStart(event, paint));
      case 'tool-call-update': {
        const now = performance.now();
        if (now - (lastUpdate.get(event.callId) ?? -UPDATE_EVERY_MS) < UPDATE_EVERY_MS) return undefined;
        lastUpdate.set(event.callId, now);
        const line = lastLine(event.display);
        return line === '' ? undefined : say(safeText`  ${paint('dim', safeText`… ${line}`)}\n`);
      }
      case 'tool-call-end':
        lastUpdate.delete(event.callId);
        return say(callEnd(event, paint, event.callId === lastShown));
      case 'turn-end':
      case 'prompt-end':
        return closeLine();
      // Questions show themselves; thoughts are for the log.
      case 'session-start':
      case 'user-message':
      case 'turn-start':
      case 'thinking-delta':
      case 'approval-request':
      default:
        return undefined;
    }
  };

  return { onEvent: (event) => turnstile.run(() => show(event)) };
}

/** The text of an answer that goes on with calls; empty for a last answer. */
function wordsBeforeCalls(event: Extract<AgentEvent, { type: 'assistant-message' }>): string {
  if (!event.content.some((block) => block.type === 'tool-call')) return '';
  return event.content
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim();
}

type CallStart = Extract<CallEvent, { type: 'tool-call-start' }>;
type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

function callStart(event: CallStart, paint: Painter): Safe {
  const head = safeText`${paint('cyan', safeText`●`)} ${paint('bold', safeLine(event.displayName))} ${safeLine(event.title)}\n`;
  const repairs = event.repairs.map((repair) => safeText`  ${paint('dim', safeLine(repair))}\n`);
  return joinSafe([head, ...repairs], safeText``);
}

/** Right below its start a call needs no name; when others came between, its title tells which one this is. */
function callEnd(event: CallEnd, paint: Painter, isBelowStart: boolean): Safe {
  const lines = displayLines(event.display, paint);
  const isText = typeof event.display === 'string' && lines.length > 1;
  // One line stands beside the mark; output of several lines stands together below it.
  const beside = isText ? safeText`` : safeText` ${lines[0] ?? safeLine(event.status)}`;
  const title = isBelowStart ? safeText`` : safeText` ${paint('bold', safeLine(event.title))}`;
  const took = event.durationMs >= 1_000 ? paint('dim', safeLine(` (${seconds(event.durationMs)})`)) : safeText``;
  const exitCode = failedExitCode(event);
  const failed = exitCode === undefined ? safeText`` : safeText` ${paint('yellow', safeText`exit ${exitCode}`)}`;
  const sign = exitCode === undefined ? mark(event.status, paint) : paint('yellow', safeText`!`);
  const head = safeText`  ${sign}${title}${failed}${beside}${took}\n`;
  const below = isText ? lines : lines.slice(1);
  return joinSafe([head, ...below.map((line) => safeText`    ${line}\n`)], safeText``);
}

/** A command that ran is a success of its tool whatever it exits with; a person wants to see that it failed. */
function failedExitCode({ status, data }: CallEnd): number | undefined {
  if (status !== 'success' || typeof data !== 'object' || data === null || !('exitCode' in data)) return undefined;
  return typeof data.exitCode === 'number' && data.exitCode !== 0 ? data.exitCode : undefined;
}

function mark(status: CallEnd['status'], paint: Painter): Safe {
  const marks = {
    success: paint('green', safeText`✓`),
    error: paint('red', safeText`✗`),
    denied: paint('red', safeText`⊘`),
    cancelled: paint('yellow', safeText`–`),
  };
  return marks[status];
}

/** A result as lines that are safe to print. */
function displayLines(display: ToolResultDisplay, paint: Painter): readonly Safe[] {
  if (typeof display === 'string') {
    const text = display.trim() === '' ? '' : display.trimEnd();
    return text === '' ? [] : shortenText(safeBlock(text), SHOWN_LINES);
  }
  if ('fileDiff' in display) {
    const colour = paint('red', safeText`-`) !== '-';
    const { added, removed } = countDiff(display.fileDiff);
    // The file's name stands above already; the head that `diff` puts there would only repeat it.
    const hunks = display.fileDiff.replace(/^(Index: .*\n=+\n)?--- .*\n\+\+\+ .*\n/, '');
    const view = diffView(hunks, { colour, maxLines: SHOWN_DIFF_LINES });
    return [
      safeText`${added} ${added === 1 ? safeText`line` : safeText`lines`} added, ${removed} removed`,
      ...(hunks === '' ? [] : splitLines(view)),
    ];
  }
  if ('todos' in display) {
    const marks = { pending: safeText`☐`, in_progress: safeText`◐`, completed: safeText`☑` };
    return display.todos.map((todo) => safeText`${marks[todo.status]} ${safeLine(todo.content)}`);
  }
  return [safeLine(display.status)];
}

function lastLine(display: ToolResultDisplay): Safe {
  if (typeof display === 'string') return safeLine(display.trimEnd().split('\n').at(-1) ?? '');
  if (!('status' in display)) return safeText``;
  const share = display.progress === undefined ? '' : ` (${Math.round(display.progress * 100)} %)`;
  return safeLine(display.status + share);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
