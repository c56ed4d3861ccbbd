import { count, displayWidth, blanks, joinSafe, makeSafe, safeText, truncateToWidth, type Safe } from '@tenon/core';
import type { SessionState } from '../state/session-state.js';
import { statusOf, type Status } from '../state/status.js';
import { workDone } from '../../../ui/subagent-line.js';
import type { Look } from './block.js';
import { duration, NOTHING, paintLine, sign, tokenCount } from './paint.js';

export interface StatusFacts {
  readonly model: string;
  readonly mode: string;
  /** The folder, short. */
  readonly folder?: string;
  /** How much of the model's window is used, 0 to 1. */
  readonly contextShare?: number;
  /** As it is written: `0.12 $`. */
  readonly cost?: string;
  readonly queued?: number;
  readonly jobs?: number;
  /** Subagents in the background. */
  readonly agents?: number;
}

/** From this share of the window on it is told in the colour of a warning. */
const NEARLY_FULL = 0.8;
/** How often the mark turns. In milliseconds. */
const TURN_MS = 120;
const TURNS = [safeText`⠋`, safeText`⠙`, safeText`⠹`, safeText`⠸`, safeText`⠼`, safeText`⠴`, safeText`⠦`, safeText`⠧`];
const ASCII_TURNS = [safeText`|`, safeText`/`, safeText`-`, safeText`\\`];

/** What is going on, one line; undefined while nothing is. */
export function activityLine(state: SessionState, look: Look): Safe | undefined {
  const { status, promptMs, tokens } = statusOf(state, look.now);
  if (status.kind === 'idle') return undefined;
  const { theme } = look;
  const turns = look.unicode ? TURNS : ASCII_TURNS;
  const turn = turns[Math.floor(look.now / TURN_MS) % turns.length] ?? NOTHING;
  const role = status.kind === 'asking' || status.kind === 'retrying' ? 'warning' : 'running';
  const mark = theme.paint(role, status.kind === 'asking' ? safeText`?` : turn);
  const facts = [
    promptMs === undefined ? '' : duration(promptMs),
    tokens.input === 0 ? '' : `${tokenCount(tokens.input)} tokens in`,
    tokens.output === 0 ? '' : `${tokenCount(tokens.output)} out`,
    'Esc cancels',
  ].filter((fact) => fact !== '');
  const words = paintLine(theme, role, wordsFor(status));
  const rest = paintLine(theme, 'dim', facts.join(look.unicode ? ' · ' : ', '));
  return truncateToWidth(safeText`${mark} ${words} ${rest}`, look.columns);
}

function wordsFor(status: Exclude<Status, { kind: 'idle' }>): string {
  switch (status.kind) {
    case 'waiting':
      return 'Waiting for the model';
    case 'thinking':
      return 'Thinking';
    case 'answering':
      return 'Answering';
    case 'calls':
      return status.count === 1 ? `Running ${cut(status.title)}` : `Running ${status.count} calls`;
    case 'agents': {
      const work = workDone(status.calls, status.tokens);
      return `Running ${status.count} subagents${work === '' ? '' : `: ${work}`}`;
    }
    case 'asking':
      return status.count === 1 ? 'A call waits for your answer' : `${status.count} calls wait for your answer`;
    case 'retrying':
    default:
      return `Trying again in ${duration(status.inMs)}: ${cut(status.reason)}`;
  }
}

const LONGEST_TITLE = 40;

function cut(text: string): string {
  return text.length > LONGEST_TITLE ? `${text.slice(0, LONGEST_TITLE)}…` : text;
}

/** Below the composer: model, mode, folder, and how full the window is. What does not fit is left out: first the folder, then the model. */
export function statusLine(look: Look, facts: StatusFacts): Safe {
  const { theme } = look;
  const dot = theme.paint('dim', sign(look, safeText` · `, safeText` | `));
  const dim = (text: string): Safe => paintLine(theme, 'dim', text);
  const { contextShare, cost, queued = 0, jobs = 0, agents = 0, folder } = facts;
  const left = [
    paintLine(theme, 'accent', facts.mode),
    dim(facts.model),
    ...(folder === undefined ? [] : [dim(folder)]),
  ];
  const right = [
    ...(queued === 0 ? [] : [dim(`${queued} waiting`)]),
    ...(jobs === 0 ? [] : [dim(`${jobs} in the background`)]),
    ...(agents === 0 ? [] : [dim(`${count(agents, 'subagent')} in the background`)]),
    ...(cost === undefined ? [] : [dim(cost)]),
    ...(contextShare === undefined ? [] : [contextPart(contextShare, look)]),
  ];
  const end = joinSafe(right, dot);
  let kept = left.length;
  const front = (): Safe => joinSafe(left.slice(0, kept), dot);
  while (kept > 1 && displayWidth(front()) + displayWidth(end) + 1 > look.columns) kept -= 1;
  const free = look.columns - displayWidth(front()) - displayWidth(end);
  return truncateToWidth(safeText`${front()}${blanks(Math.max(1, free))}${end}`, look.columns);
}

function contextPart(share: number, look: Look): Safe {
  const text = makeSafe(`${Math.round(share * 100)} % of the window`);
  return look.theme.paint(share >= NEARLY_FULL ? 'warning' : 'dim', text);
}
