import { safeText, type TodoItem } from '@tenon/core';
import { terminalTraits } from '../../../doctor/terminal-traits.js';
import { renderTodos, todoCounts } from '../views/todo-view.js';
import type { CommandBody } from './command-row.js';
import { block, say } from './lines.js';

/** `/todos`: the task list of the model, as it stands. */
export const todosCommand: CommandBody = {
  run: async (_typed, { agent, surroundings, stage }) => {
    const todos: readonly TodoItem[] = agent.config.getPlanning().conversation?.todos() ?? [];
    if (todos.length === 0) return say('There are no todos: the model keeps a list when a task has several steps.');
    const { unicode } = terminalTraits(surroundings.env, process.platform);
    const theme = stage.theme();
    const look = { columns: stage.size().columns, theme, isOpen: true, now: 0, unicode };
    return {
      shown: block([theme.paint('strong', safeText`Todos: ${todoCounts(todos)}`), ...renderTodos(todos, look)]),
    };
  },
};
