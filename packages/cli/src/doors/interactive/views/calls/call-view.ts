import {
  count,
  displayWidth,
  makeSafe,
  safeText,
  truncateToWidth,
  wrapSafe,
  type CallStatus,
  type Safe,
} from '@tenon/core';
import type { Role } from '../../themes/theme.js';
import type { CallItem } from '../../state/session-state.js';
import type { Look } from '../block.js';
import { renderImage } from '../image-view.js';
import { duration, NOTHING, paintLine, sign } from '../paint.js';
import { agentNames, agentState } from './agent-view.js';
import { drawDisplay, type CallDrawing, type ShownDisplay } from './displays.js';

/** From then on the time that a call takes is shown. In milliseconds. */
const SHOW_TIME_FROM = 1_000;
/** Of a long title at least so much is shown before the result beside it is cut. */
const LEAST_TITLE = 20;
const INDENT = safeText`  `;
const INDENT_WIDTH = 2;

/** A call as one line, with what must be seen below it; opened, with all of its output. */
export function renderCall(call: CallItem, drawing: CallDrawing): Safe[] {
  const { look } = drawing;
  const inner = { ...drawing, look: { ...look, columns: Math.max(1, look.columns - INDENT_WIDTH) } };
  const shown = shownOf(call, inner);
  const repairs = call.start.repairs.flatMap((repair) =>
    wrapSafe(paintLine(look.theme, 'dim', repair), inner.look.columns),
  );
  const images = (call.end?.images ?? []).flatMap((image) => renderImage(image, inner.look));
  const below = [...repairs, ...branches(call, inner), ...shown.below, ...images];
  return [headLine(call, shown.beside, look), ...below.map((line) => indented(line, look))];
}

function indented(line: Safe, look: Look): Safe {
  return truncateToWidth(safeText`${INDENT}${line}`, look.columns);
}

function shownOf(call: CallItem, drawing: CallDrawing): ShownDisplay {
  const { end, phase, display } = call;
  if (phase === 'asking') return { beside: NOTHING, below: [] };
  if (call.agent !== undefined && !isBadEnd(call))
    return { beside: agentState(call, call.agent, drawing.look), below: reportOf(call, drawing) };
  if (end === undefined) return display === undefined ? EMPTY : drawDisplay(display, call, drawing);
  if (end.denial !== undefined) return besideOrBelow(end.denial, drawing.look);
  if (end.status === 'error' && typeof end.display === 'string')
    return besideOrBelow(end.display.trimEnd(), drawing.look);
  return drawDisplay(end.display, call, drawing);
}

function isBadEnd({ end }: CallItem): boolean {
  return end !== undefined && (end.denial !== undefined || end.status === 'error');
}

/** The last words of a subagent are for the agent above; a person who opens the call reads them too. */
function reportOf(call: CallItem, drawing: CallDrawing): readonly Safe[] {
  return call.end === undefined || !drawing.look.isOpen ? [] : drawDisplay(call.end.display, call, drawing).below;
}

const EMPTY: ShownDisplay = { beside: NOTHING, below: [] };
/** Rows of the terminal that the reason of a failure may take. */
const FAILURE_ROWS = 6;

/** Why something did not happen: all of it that can be read, however narrow the terminal. */
function besideOrBelow(text: string, look: Look): ShownDisplay {
  const safe = makeSafe(text, { multiline: true });
  if (!text.includes('\n') && displayWidth(safe) < look.columns / 2) return { beside: safe, below: [] };
  const lines = wrapSafe(safe, look.columns);
  const most = look.isOpen ? Infinity : FAILURE_ROWS;
  const more = lines.length > most ? [look.theme.paint('dim', safeText`${lines.length - most} more lines`)] : [];
  return { beside: NOTHING, below: [...lines.slice(0, most), ...more] };
}

/** `● Title … result (3.2 s)` */
function headLine(call: CallItem, beside: Safe, look: Look): Safe {
  const { theme } = look;
  const { start, agent } = call;
  const names =
    agent === undefined ? { name: makeSafe(start.displayName), title: makeSafe(start.title) } : agentNames(agent);
  const name = theme.paint('strong', names.name);
  const state = stateOf(call, beside, look);
  const separator = state === '' ? NOTHING : safeText` ${theme.paint('dim', sign(look, safeText`…`, safeText`-`))} `;
  const front = safeText`${markOf(call, look)} ${name} `;
  const { title } = names;
  const room = look.columns - displayWidth(front) - displayWidth(separator) - displayWidth(state);
  const shortTitle = truncateToWidth(title, Math.max(room, Math.min(LEAST_TITLE, displayWidth(title))));
  // A title that is cut ends with the same sign.
  const between = shortTitle === title || state === '' ? separator : safeText` `;
  return truncateToWidth(safeText`${front}${shortTitle}${between}${state}`, look.columns);
}

/** What became of it, and how long it took. */
function stateOf(call: CallItem, beside: Safe, look: Look): Safe {
  const { theme } = look;
  const { end } = call;
  if (call.phase === 'asking') return theme.paint('warning', safeText`waits for your answer`);
  const elapsed = end?.durationMs ?? look.now - call.since;
  const time = elapsed < SHOW_TIME_FROM ? NOTHING : theme.paint('dim', makeSafe(`(${duration(elapsed)})`));
  const failure = end?.failure === undefined ? NOTHING : theme.paint('warning', makeSafe(end.failure));
  const word =
    end === undefined || end.status === 'success' ? NOTHING : paintLine(theme, ROLES[end.status], WORDS[end.status]);
  return [word, failure, beside, time].reduce((line, part) =>
    line === '' ? part : part === '' ? line : safeText`${line} ${part}`,
  );
}

const ROLES: Readonly<Record<CallStatus, Role>> = {
  success: 'success',
  error: 'error',
  denied: 'error',
  cancelled: 'warning',
};
const WORDS: Readonly<Record<CallStatus, string>> = {
  success: '',
  error: 'failed',
  denied: 'denied',
  cancelled: 'cancelled',
};

function markOf({ end, phase }: CallItem, look: Look): Safe {
  const { theme } = look;
  if (end === undefined) {
    const mark = phase === 'asking' ? safeText`?` : sign(look, safeText`●`, safeText`*`);
    return theme.paint(phase === 'asking' ? 'warning' : 'running', mark);
  }
  if (end.failure !== undefined) return theme.paint('warning', safeText`!`);
  const marks = {
    success: sign(look, safeText`●`, safeText`*`),
    error: sign(look, safeText`✗`, safeText`x`),
    denied: sign(look, safeText`⊘`, safeText`x`),
    cancelled: sign(look, safeText`–`, safeText`-`),
  };
  return theme.paint(ROLES[end.status], marks[end.status]);
}

/** Of the calls of a subagent so many are shown while it works. */
const MOST_BRANCHES = 5;

/** What its own agent does, as a tree: while it works, or when all is shown. */
function branches(call: CallItem, drawing: CallDrawing): Safe[] {
  const { look } = drawing;
  const { theme, isOpen } = look;
  const { agent, children } = call;
  if (agent === undefined || (call.phase === 'done' && !isOpen)) return [];
  const most = look.branches ?? MOST_BRANCHES;
  const shown = isOpen ? children : children.slice(Math.max(0, children.length - most));
  const hidden = agent.calls - countCalls(shown);
  const lines =
    hidden <= 0 || shown.length === 0 ? [] : [theme.paint('dim', safeText`${makeSafe(count(hidden, 'call'))} before`)];
  const columns = Math.max(1, look.columns - INDENT_WIDTH);
  const inner = { ...drawing, look: { ...look, columns, branches: Math.floor(most / 2) } };
  for (const [index, child] of shown.entries()) {
    const isLast = index === shown.length - 1;
    const first = theme.paint(
      'border',
      isLast ? sign(look, safeText`└ `, safeText`\\ `) : sign(look, safeText`├ `, safeText`| `),
    );
    const rest = isLast ? INDENT : theme.paint('border', sign(look, safeText`│ `, safeText`| `));
    const isBrief = child.agent === undefined && !isOpen;
    const drawn = isBrief ? renderCall(child, inner).slice(0, 1) : renderCall(child, inner);
    lines.push(...drawn.map((line, row) => safeText`${row === 0 ? first : rest}${line}`));
  }
  return lines;
}

function countCalls(calls: readonly CallItem[]): number {
  return calls.reduce((sum, { agent }) => sum + 1 + (agent?.calls ?? 0), 0);
}
