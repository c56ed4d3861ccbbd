import type { Effect } from '../effects/effect.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  TodoStatus,
  type TodoItem,
  type ToolInvocation,
  type ToolResult,
} from './tools.js';

export interface TodoWriteToolParams {
  todos: TodoItem[];
}

type SaveTodos = (todos: readonly TodoItem[]) => void;

class TodoWriteInvocation extends RunInvocation<TodoWriteToolParams> {
  readonly #save: SaveTodos;

  constructor(params: TodoWriteToolParams, save: SaveTodos) {
    super(params);
    this.#save = save;
  }

  getDescription(): string {
    const current = this.params.todos.find((todo) => todo.status === TodoStatus.IN_PROGRESS);
    const amount = this.params.todos.length;
    return current === undefined
      ? `${amount} ${amount === 1 ? 'task' : 'tasks'}`
      : current.content.split('\n', 1).join('');
  }

  /** The list is the agent's own: nothing on the machine changes. */
  effects(): Effect[] {
    return [];
  }

  protected async run(): Promise<ToolResult> {
    const { todos } = this.params;
    this.#save(todos);
    const display = { todos };
    if (todos.length === 0) return { llmContent: 'The task list is now empty.', returnDisplay: display, data: display };
    const amount = (status: TodoStatus): number => todos.filter((todo) => todo.status === status).length;
    const counts = `${amount(TodoStatus.PENDING)} pending, ${amount(TodoStatus.IN_PROGRESS)} in progress, ${amount(TodoStatus.COMPLETED)} completed`;
    return { llmContent: `The task list is saved: ${counts}.`, returnDisplay: display, data: display };
  }
}

/** Keeps the agent's task list (S124). The list lives in the tool: one tool, one agent. */
export class TodoWriteTool extends BaseDeclarativeTool<TodoWriteToolParams, ToolResult> {
  static readonly Name = ToolNames.TODO_WRITE;
  #todos: readonly TodoItem[] = [];

  constructor() {
    super(
      TodoWriteTool.Name,
      ToolDisplayNames.TODO_WRITE,
      'Replaces your task list. Use it for work of three or more steps: send the whole list each time, keep exactly one task in_progress while you work, and mark a task completed as soon as it is done.',
      Kind.Think,
      {
        type: 'object',
        properties: {
          todos: {
            type: 'array',
            description: 'The whole list, in order.',
            items: {
              type: 'object',
              properties: {
                id: { type: 'string', minLength: 1, description: 'Unique in the list.' },
                content: { type: 'string', minLength: 1, description: 'What is to be done.' },
                status: { type: 'string', enum: Object.values(TodoStatus), description: 'Its state.' },
              },
              required: ['id', 'content', 'status'],
              additionalProperties: false,
            },
          },
        },
        required: ['todos'],
        additionalProperties: false,
      },
    );
  }

  /** The list as the agent last wrote it. */
  getTodos(): readonly TodoItem[] {
    return this.#todos;
  }

  protected override validateToolParamValues({ todos }: TodoWriteToolParams): string | null {
    const seen = new Set<string>();
    for (const { id, content } of todos) {
      if (seen.has(id)) return `Two tasks have the id ${JSON.stringify(id)}. Give every task an id of its own.`;
      if (content.trim() === '') return `The task ${JSON.stringify(id)} has no content. Say what is to be done.`;
      seen.add(id);
    }
    const current = todos
      .filter((todo) => todo.status === TodoStatus.IN_PROGRESS)
      .map((todo) => JSON.stringify(todo.id));
    if (current.length <= 1) return null;
    return `${current.length} tasks are in_progress (${current.join(', ')}). At most one may be; set the others to pending or completed.`;
  }

  protected createInvocation(params: TodoWriteToolParams): ToolInvocation<TodoWriteToolParams, ToolResult> {
    return new TodoWriteInvocation(params, (todos) => {
      this.#todos = todos.map((todo) => ({ ...todo }));
    });
  }
}
