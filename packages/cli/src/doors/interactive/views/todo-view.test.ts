import { describe, expect, it } from 'vitest';
import type { TodoItem } from '@tenon/core';
import { reduce } from '../state/reduce.js';
import { EMPTY_STATE } from '../state/session-state.js';
import { plainLook } from './testing/looks.js';
import { foldedTodos, todoPanel } from './todo-view.js';

const item = (id: number, status: TodoItem['status']): TodoItem => ({ id: String(id), content: `task ${id}`, status });
const list = [item(1, 'completed'), item(2, 'in_progress'), item(3, 'pending')];
const look = plainLook({ columns: 40 });

describe('the todos above the composer', () => {
  it('are a line where they are hidden or have no room, with what is done now', () => {
    expect(foldedTodos({ todos: list }, look)).toEqual(['Todos: 1 of 3 done · now: task 2']);
    expect(foldedTodos({ todos: [item(1, 'pending')] }, look)).toEqual(['Todos: 0 of 1 done · next: task 1']);
    expect(foldedTodos({ todos: list }, plainLook({ columns: 12 }))[0]?.length).toBeLessThanOrEqual(12);
  });

  it('go once nothing is left to do', () => {
    const done = list.map((todo) => ({ ...todo, status: 'completed' as const }));
    expect(foldedTodos({ todos: done }, look)).toEqual([]);
    expect(todoPanel({ todos: done }, look)).toEqual([]);
    expect(foldedTodos({ todos: [] }, look)).toEqual([]);
  });

  it('show what is done now of a list that is too long', () => {
    const todos = Array.from({ length: 30 }, (_, n) => item(n, n < 20 ? 'completed' : 'pending'));
    const shown = todoPanel({ todos }, look).join('\n');
    expect(shown).toContain('task 20');
    expect(shown).toContain('and 22 more');
  });

  it('are what the conversation says after a session was opened or taken back', () => {
    const opened = reduce(EMPTY_STATE, { type: 'todos', todos: list });
    expect(opened.todos).toEqual(list);
    expect(reduce(opened, { type: 'todos', todos: [] }).todos).toEqual([]);
  });
});
