import {
  countDiff,
  diffView,
  joinSafe,
  safeText,
  shortenText,
  splitLines,
  type CallEvent,
  type Painter,
  type Safe,
  type ToolResultDisplay,
} from '@tenon/core';
import { secondsText } from './amounts.js';
import { commandFailure } from './failed-command.js';
import type { Refusals } from './refusals.js';
import { safeBlock, safeLine } from './safe-lines.js';

type CallStart = Extract<CallEvent, { type: 'tool-call-start' }>;
type Question = Extract<CallEvent, { type: 'approval-request' }>;
type CallUpdate = Extract<CallEvent, { type: 'tool-call-update' }>;
type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

/** The lines of calls, for a person. */
export interface CallView {
  start(event: CallStart): Safe;
  /** The person was shown this: a change that is made as they approved it is not shown to them again. */
  asked(event: Question): void;
  /** Undefined when there is nothing to say, or it was said just now. */
  update(event: CallUpdate): Safe | undefined;
  end(event: CallEnd): Safe;
}

/** Longest output of one call that is shown; the model gets all of it within its budget. */
const SHOWN_LINES = 12;
const SHOWN_DIFF_LINES = 60;
const UPDATE_EVERY_MS = 2_000;

export function createCallView(paint: Painter, refusals: Pick<Refusals, 'reasonOf'>): CallView {
  const running = new Map<string, { readonly title: string; lastUpdate: number; approvedDiff?: string }>();
  let lastShown = '';

  /** Right below a line of the same call its name would only repeat; anywhere else it tells which one this is. */
  const nameOf = (callId: string, title: string): Safe => {
    const name = lastShown === callId ? safeText`` : safeText` ${paint('bold', safeLine(title))}`;
    lastShown = callId;
    return name;
  };

  return {
    start(event) {
      running.set(event.callId, { title: event.title, lastUpdate: -UPDATE_EVERY_MS });
      lastShown = event.callId;
      const head = safeText`${paint('cyan', safeText`●`)} ${paint('bold', safeLine(event.displayName))} ${safeLine(event.title)}`;
      const repairs = event.repairs.map((repair) => safeText`  ${paint('dim', safeLine(repair))}`);
      return joinSafe([head, ...repairs], safeText`\n`);
    },
    asked({ callId, request: { details } }) {
      const call = running.get(callId);
      if (call !== undefined && details.type === 'edit') call.approvedDiff = details.fileDiff;
    },
    update({ callId, display }) {
      const call = running.get(callId);
      const now = performance.now();
      const line = lastLine(display);
      if (call === undefined || line === '' || now - call.lastUpdate < UPDATE_EVERY_MS) return undefined;
      call.lastUpdate = now;
      return safeText`  ${paint('dim', safeText`…`)}${nameOf(callId, call.title)} ${paint('dim', line)}`;
    },
    end(event) {
      const known = running.get(event.callId)?.approvedDiff;
      running.delete(event.callId);
      const denial = event.status === 'denied' ? refusals.reasonOf(event) : undefined;
      const lines = denial === undefined ? displayLines(event.display, known, paint) : [safeLine(denial)];
      return callEnd(event, nameOf(event.callId, event.title), lines, paint);
    },
  };
}

/** The end of a call among those of others, in one line; undefined for one that changed nothing and went well. */
export function briefEnd(event: CallEnd, refusals: Pick<Refusals, 'reasonOf'>, paint: Painter): Safe | undefined {
  const { status, display } = event;
  const failure = commandFailure(event);
  const isChange = typeof display === 'object' && 'fileDiff' in display;
  if (status === 'success' && failure === undefined && !isChange) return undefined;
  const [first = safeLine(status)] =
    status === 'denied' ? [safeLine(refusals.reasonOf(event))] : displayLines(display, undefined, paint);
  const sign = failure === undefined ? mark(status, paint) : paint('yellow', safeText`!`);
  const failed = failure === undefined ? first : paint('yellow', safeLine(failure));
  return safeText`${sign} ${paint('bold', safeLine(event.title))} ${failed}`;
}

function callEnd(event: CallEnd, name: Safe, lines: readonly Safe[], paint: Painter): Safe {
  const isText = typeof event.display === 'string' && lines.length > 1;
  // One line stands beside the mark; output of several lines stands together below it.
  const beside = isText ? safeText`` : safeText` ${lines[0] ?? safeLine(event.status)}`;
  const took = event.durationMs >= 1_000 ? paint('dim', safeLine(` (${secondsText(event.durationMs)})`)) : safeText``;
  const failure = commandFailure(event);
  const failed = failure === undefined ? safeText`` : safeText` ${paint('yellow', safeLine(failure))}`;
  const sign = failure === undefined ? mark(event.status, paint) : paint('yellow', safeText`!`);
  const below = isText ? lines : lines.slice(1);
  return joinSafe(
    [safeText`  ${sign}${name}${failed}${beside}${took}`, ...below.map((line) => safeText`    ${line}`)],
    safeText`\n`,
  );
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

/** A result as lines that are safe to print; of the diff that the person knows, the counts alone. */
function displayLines(display: ToolResultDisplay, known: string | undefined, paint: Painter): readonly Safe[] {
  if (typeof display === 'string') {
    const text = display.trim() === '' ? '' : display.trimEnd();
    return text === '' ? [] : shortenText(safeBlock(text), SHOWN_LINES);
  }
  if ('fileDiff' in display) {
    const colour = paint('red', safeText`-`) !== '-';
    const { added, removed } = countDiff(display.fileDiff);
    const counts = safeText`${added} ${added === 1 ? safeText`line` : safeText`lines`} added, ${removed} removed`;
    if (display.fileDiff === known) return [counts];
    // The file's name stands above already.
    const view = diffView(display.fileDiff, { colour, maxLines: SHOWN_DIFF_LINES, header: false });
    return [counts, ...(view === '' ? [] : splitLines(view))];
  }
  if ('todos' in display) {
    const marks = { pending: safeText`☐`, in_progress: safeText`◐`, completed: safeText`☑` };
    return display.todos.map((todo) => safeText`${marks[todo.status]} ${safeLine(todo.content)}`);
  }
  if ('plan' in display) {
    // The person has just read it, and may have written it.
    const lines = shortenText(safeBlock(display.plan.trimEnd()), SHOWN_LINES);
    return [safeLine(display.note === '' ? 'the plan is approved' : display.note), ...lines];
  }
  return [safeLine(display.status)];
}

function lastLine(display: ToolResultDisplay): Safe {
  if (typeof display === 'string') return safeLine(display.trimEnd().split('\n').at(-1) ?? '');
  if (!('status' in display)) return safeText``;
  const share = display.progress === undefined ? '' : ` (${Math.round(display.progress * 100)} %)`;
  return safeLine(display.status + share);
}
