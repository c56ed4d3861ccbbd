import {
  countDiff,
  joinSafe,
  makeSafe,
  safeText,
  shortenText,
  splitLines,
  wrapSafe,
  type FileDiff,
  type PlanDisplay,
  type ProgressDisplay,
  type Safe,
  type TodoListDisplay,
  type ToolResultDisplay,
} from '@tenon/core';
import { safeBlock } from '../../../../ui/safe-lines.js';
import type { CallItem } from '../../state/session-state.js';
import type { Look } from '../block.js';
import { renderDiff, type DiffLayout } from '../diff/render-diff.js';
import type { Highlighter } from '../markdown/highlighter.js';
import { endMarkdown, growMarkdown, NO_MARKDOWN } from '../../state/split-markdown.js';
import { renderMarkdownBlock } from '../markdown/render-markdown.js';
import { NOTHING, sign } from '../paint.js';
import { renderTodos, todoCounts } from '../todo-view.js';

export interface CallDrawing {
  readonly look: Look;
  readonly highlighter: Highlighter;
  readonly layout: DiffLayout;
}

/** What is shown of a result, or of how far a call has come. */
export interface ShownDisplay {
  /** Beside the title: one line. */
  readonly beside: Safe;
  readonly below: readonly Safe[];
}

type Shape = 'text' | 'diff' | 'todos' | 'plan' | 'progress';
type Draw<T> = (display: T, call: CallItem, drawing: CallDrawing) => ShownDisplay;

const TAIL_LINES = 5;
/** Of a change; each may be two lines: what went, and what came. */
const MOST_DIFF_ROWS = 40;
const BAR_CELLS = 20;
/** Of a long output that still grows only the end is looked at. */
const TAIL_CHARACTERS = 4_000;
/** Lines of the open form; what a call wrote beyond them is in the session's log. */
const MOST_OPEN_LINES = 2_000;

/** By what a result looks like. */
const DISPLAYS: {
  readonly text: Draw<string>;
  readonly diff: Draw<FileDiff>;
  readonly todos: Draw<TodoListDisplay>;
  readonly plan: Draw<PlanDisplay>;
  readonly progress: Draw<ProgressDisplay>;
} = { text: drawText, diff: drawDiff, todos: drawTodos, plan: drawPlan, progress: drawProgress };

export function drawDisplay(display: ToolResultDisplay, call: CallItem, drawing: CallDrawing): ShownDisplay {
  const draw = DISPLAYS[shapeOf(display)] as Draw<ToolResultDisplay>;
  return draw(display, call, drawing);
}

function shapeOf(display: ToolResultDisplay): Shape {
  if (typeof display === 'string') return 'text';
  if ('fileDiff' in display) return 'diff';
  if ('plan' in display) return 'plan';
  return 'todos' in display ? 'todos' : 'progress';
}

/** While it runs the last lines; then one line, or how many there were, and the last ones of what failed. */
function drawText(display: string, call: CallItem, { look, highlighter }: CallDrawing): ShownDisplay {
  const isDone = call.phase === 'done';
  const text = display.trimEnd();
  if (text === '') return { beside: NOTHING, below: [] };
  if (look.isOpen) {
    const isMarkdown = isDone && call.end?.isMarkdown === true;
    const lines = isMarkdown ? markdownLines(text, look, highlighter) : wrapSafe(safeBlock(text), look.columns);
    return {
      beside: NOTHING,
      below: lines.length > MOST_OPEN_LINES ? shortenText(joinSafe(lines, safeText`\n`), MOST_OPEN_LINES) : lines,
    };
  }
  if (isDone && !text.includes('\n')) return { beside: makeSafe(text), below: [] };
  const tail = splitLines(safeBlock(text.slice(-TAIL_CHARACTERS))).slice(-TAIL_LINES);
  const below = tail.map((line) => look.theme.paint('dim', line));
  if (!isDone) return { beside: NOTHING, below };
  const count = text.split('\n').length;
  return { beside: look.theme.paint('dim', safeText`${count} lines`), below: isBad(call) ? below : [] };
}

function isBad({ end }: CallItem): boolean {
  return end !== undefined && (end.status === 'error' || end.failure !== undefined);
}

function drawDiff({ fileDiff, fileName }: FileDiff, _: CallItem, drawing: CallDrawing): ShownDisplay {
  const { added, removed } = countDiff(fileDiff);
  const { theme, isOpen } = drawing.look;
  const beside = safeText`${theme.paint('added', safeText`+${added}`)} ${theme.paint('removed', safeText`-${removed}`)}`;
  const mostRows = isOpen ? MOST_OPEN_LINES : MOST_DIFF_ROWS;
  const below = renderDiff(fileDiff, { ...drawing, fileName, mostRows });
  return { beside, below };
}

function drawTodos({ todos }: TodoListDisplay, _: CallItem, { look }: CallDrawing): ShownDisplay {
  return { beside: look.theme.paint('dim', todoCounts(todos)), below: renderTodos(todos, look) };
}

/** Whole: it is what is worked by from now on. */
function drawPlan({ plan, note }: PlanDisplay, _: CallItem, { look, highlighter }: CallDrawing): ShownDisplay {
  const lines = markdownLines(plan, look, highlighter);
  const below = note === '' ? lines : [...lines, ...wrapSafe(look.theme.paint('dim', makeSafe(note)), look.columns)];
  return { beside: NOTHING, below: below.slice(0, MOST_OPEN_LINES) };
}

function markdownLines(text: string, look: Look, highlighter: Highlighter): Safe[] {
  const blocks = endMarkdown(growMarkdown(NO_MARKDOWN, text)).finished;
  return blocks.flatMap((block) => [
    ...(block.hasGap ? [NOTHING] : []),
    ...renderMarkdownBlock(block, look, highlighter),
  ]);
}

function drawProgress({ status, progress }: ProgressDisplay, call: CallItem, { look }: CallDrawing): ShownDisplay {
  const text = makeSafe(status);
  if (call.phase === 'done' || progress === undefined) return { beside: text, below: [] };
  return { beside: NOTHING, below: [safeText`${bar(progress, look)} ${text}`] };
}

function bar(progress: number, look: Look): Safe {
  const share = Math.max(0, Math.min(1, Number.isFinite(progress) ? progress : 0));
  const full = Math.round(share * BAR_CELLS);
  const cells = (count: number, cell: Safe): Safe =>
    joinSafe(
      Array.from({ length: count }, () => cell),
      NOTHING,
    );
  const done = look.theme.paint('running', cells(full, sign(look, safeText`█`, safeText`#`)));
  const rest = look.theme.paint('dim', cells(BAR_CELLS - full, sign(look, safeText`░`, safeText`.`)));
  return safeText`${done}${rest} ${Math.round(share * 100)} %`;
}
