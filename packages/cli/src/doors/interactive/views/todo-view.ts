import { safeText, makeSafe, truncateToWidth, wrapSafe, type Safe, type TodoItem } from '@tenon/core';
import type { SessionState } from '../state/session-state.js';
import type { Look } from './block.js';
import { sign } from './paint.js';

/** In the live panel; of a longer list the part around what is being done. */
const MOST_IN_PANEL = 8;

/** Each item with its mark. */
export function renderTodos(todos: readonly TodoItem[], look: Look): Safe[] {
  return todos.flatMap((todo) => renderTodo(todo, look));
}

/** `3 of 5 done` */
export function todoCounts(todos: readonly TodoItem[]): Safe {
  return safeText`${todos.filter(({ status }) => status === 'completed').length} of ${todos.length} done`;
}

/** The latest list while there is something left to do; else nothing. */
export function todoPanel({ todos }: Pick<SessionState, 'todos'>, look: Look): Safe[] {
  if (todos.every(({ status }) => status === 'completed')) return [];
  const current = todos.findIndex(({ status }) => status !== 'completed');
  const start = Math.max(0, Math.min(current - 1, todos.length - MOST_IN_PANEL));
  const shown = todos.slice(start, start + MOST_IN_PANEL);
  const head = look.theme.paint('dim', safeText`Todos: ${todoCounts(todos)}`);
  const left = todos.length - shown.length;
  const more = left === 0 ? [] : [look.theme.paint('dim', safeText`  and ${left} more`)];
  return [...wrapSafe(head, look.columns), ...shown.flatMap((todo) => renderTodo(todo, look)), ...more];
}

/** The same in one line, while the list is hidden or has no room. */
export function foldedTodos({ todos }: Pick<SessionState, 'todos'>, look: Look): Safe[] {
  const open = todos.filter(({ status }) => status !== 'completed');
  const current = open.find(({ status }) => status === 'in_progress') ?? open[0];
  if (current === undefined) return [];
  const word = current.status === 'in_progress' ? safeText`now` : safeText`next`;
  const line = safeText`Todos: ${todoCounts(todos)} · ${word}: ${makeSafe(current.content)}`;
  return [truncateToWidth(look.theme.paint('dim', line), look.columns)];
}

function renderTodo({ content, status }: TodoItem, look: Look): Safe[] {
  const marks = {
    pending: sign(look, safeText`☐`, safeText`[ ]`),
    in_progress: sign(look, safeText`◐`, safeText`[>]`),
    completed: sign(look, safeText`☑`, safeText`[x]`),
  };
  const role = ({ pending: 'text', in_progress: 'running', completed: 'dim' } as const)[status];
  const text = look.theme.paint(role, makeSafe(content));
  const mark = look.theme.paint(status === 'completed' ? 'success' : role, marks[status]);
  return wrapSafe(text, look.columns, { first: safeText`${mark} ` });
}
