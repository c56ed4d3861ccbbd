import type { CallContext } from '../effects/call-context.js';
import type { Effect } from '../effects/effect.js';
import { mendTodos } from '../planning/mend-todos.js';
import type { Planning } from '../planning/planning.js';
import { givenIds, todoReport, withIds, type WrittenTodo } from '../planning/todo-list.js';
import type { ToolRuntime } from '../runtime.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  TodoStatus,
  type ToolInvocation,
  type ToolResult,
  type UpdateOutput,
} from './tools.js';

export interface TodoWriteToolParams {
  todos: WrittenTodo[];
}

class TodoWriteInvocation extends RunInvocation<TodoWriteToolParams> {
  readonly #planning: Planning;

  constructor(params: TodoWriteToolParams, planning: Planning) {
    super(params);
    this.#planning = planning;
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

  protected async run(_signal: AbortSignal, _update?: UpdateOutput, context?: CallContext): Promise<ToolResult> {
    const written = this.params.todos;
    const before = this.#planning.todosOf(context?.agent);
    const todos = withIds(written, before);
    this.#planning.keepTodos(context?.agent, todos);
    const ids = givenIds(written, todos);
    const report = todoReport(before, todos);
    return {
      llmContent: ids === undefined ? report : `${report} ${ids}`,
      returnDisplay: { todos },
      data: { todos },
    };
  }
}

/** Keeps an agent's task list (S124): each agent has its own, and that of a conversation goes where it goes. */
export class TodoWriteTool extends BaseDeclarativeTool<TodoWriteToolParams, ToolResult> {
  static readonly Name = ToolNames.TODO_WRITE;
  override readonly parameterAliases = { tasks: 'todos', items: 'todos', list: 'todos' };
  override readonly mend = mendTodos;
  readonly #runtime: Pick<ToolRuntime, 'getPlanning'>;

  constructor(runtime: Pick<ToolRuntime, 'getPlanning'>) {
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
            description: 'In order.',
            items: {
              type: 'object',
              properties: {
                id: { type: 'string', minLength: 1, description: 'Unique, and kept.' },
                content: { type: 'string', minLength: 1, description: 'What is to be done.' },
                status: { type: 'string', enum: Object.values(TodoStatus) },
              },
              required: ['content', 'status'],
              additionalProperties: false,
            },
          },
        },
        required: ['todos'],
        additionalProperties: false,
      },
    );
    this.#runtime = runtime;
  }

  protected override get example(): TodoWriteToolParams {
    return { todos: [{ content: 'Find the cause', status: TodoStatus.PENDING }] };
  }

  protected override validateToolParamValues({ todos }: TodoWriteToolParams): string | null {
    const seen = new Set<string>();
    for (const [index, { id, content }] of todos.entries()) {
      if (content.trim() === '')
        return `The task ${JSON.stringify(id ?? index + 1)} has no content. Say what is to be done.`;
      if (id === undefined) continue;
      if (seen.has(id)) return `Two tasks have the id ${JSON.stringify(id)}. Give every task an id of its own.`;
      seen.add(id);
    }
    const current = todos
      .filter((todo) => todo.status === TodoStatus.IN_PROGRESS)
      .map(({ id, content }) => JSON.stringify(id ?? content.slice(0, 80)));
    if (current.length <= 1) return null;
    return `${current.length} tasks are in_progress (${current.join(', ')}). At most one may be; set the others to pending or completed.`;
  }

  protected createInvocation(params: TodoWriteToolParams): ToolInvocation<TodoWriteToolParams, ToolResult> {
    return new TodoWriteInvocation(params, this.#runtime.getPlanning());
  }
}
