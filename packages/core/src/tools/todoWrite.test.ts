import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallContext } from '../effects/call-context.js';
import { Planning } from '../planning/planning.js';
import { prepareCall } from '../scheduler/prepare-call.js';
import { NO_AGENT } from '../scheduler/services.js';
import { createTempConfig } from '../testing/temp-config.js';
import { TodoWriteTool } from './todoWrite.js';
import type { TodoItem } from './tools.js';

const item = (id: string, status: TodoItem['status'], content = `do ${id}`): TodoItem => ({ id, content, status });

describe('TodoWriteTool', () => {
  const { signal } = new AbortController();
  let planning: Planning;
  let tool: TodoWriteTool;
  beforeEach(() => {
    planning = new Planning();
    tool = new TodoWriteTool({ getPlanning: () => planning });
  });
  const write = async (todos: Parameters<typeof tool.build>[0]['todos'], agent?: string): Promise<unknown> => {
    const context: CallContext = { callId: 'c', toolName: '', title: '', stillShown: () => false };
    const made = tool.build({ todos });
    return (await made.execute(signal, undefined, agent === undefined ? context : { ...context, agent })).llmContent;
  };

  it('keeps the list and tells how it stands (S124)', async () => {
    const todos = [item('1', 'completed'), item('2', 'in_progress'), item('3', 'pending'), item('4', 'pending')];
    const result = await tool.execute({ todos }, signal);
    expect(result.llmContent).toBe('The task list is saved: 1 of 4 done; now: do 2. Done since: do 1.');
    expect(result.returnDisplay).toEqual({ todos });
    expect(result.data).toEqual({ todos });
    expect(planning.todosOf()).toEqual(todos);
  });

  it('tells what changed since the list before', async () => {
    await write([item('1', 'in_progress'), item('2', 'pending'), item('3', 'pending')]);
    expect(await write([item('1', 'completed'), item('2', 'in_progress'), item('4', 'pending')])).toBe(
      'The task list is saved: 1 of 3 done; now: do 2. Done since: do 1. Added: do 4. Taken off without being done: do 3.',
    );
    expect(await write([item('1', 'pending'), item('2', 'pending'), item('4', 'pending')])).toBe(
      'The task list is saved: 0 of 3 done; nothing is in progress, next: do 1. Open again: do 1.',
    );
    expect(await write([])).toBe('The task list is now empty. Taken off without being done: do 1, do 2, do 4.');
  });

  it('gives ids to tasks without one, and finds them again by their words', async () => {
    const fresh = await write([
      { content: 'read it', status: 'in_progress' },
      { content: 'fix it', status: 'pending' },
    ]);
    expect(fresh).toContain('The tasks without an id got "1", "2", in their order.');
    await write([
      { content: 'look again', status: 'pending' },
      { content: 'Fix  it', status: 'in_progress' },
      { id: '1', content: 'read all of it', status: 'completed' },
    ]);
    expect(planning.todosOf()).toEqual([
      item('3', 'pending', 'look again'),
      item('2', 'in_progress', 'Fix  it'),
      item('1', 'completed', 'read all of it'),
    ]);
  });

  it('keeps a list for each agent (S124)', async () => {
    await write([item('1', 'pending', 'mine')], 'main');
    await write([item('1', 'pending', 'its own')], 'agent-1');
    expect(planning.todosOf('main')).toEqual([item('1', 'pending', 'mine')]);
    expect(planning.todosOf('agent-1')).toEqual([item('1', 'pending', 'its own')]);
    expect(planning.todosOf('agent-2')).toEqual([]);
  });

  it('goes by what the conversation says where there is one', async () => {
    let said: readonly TodoItem[] = [item('7', 'in_progress', 'from the log')];
    planning.follow('main', () => ({ todos: () => said, plan: () => undefined }));
    expect(await write([item('7', 'completed', 'from the log')], 'main')).toContain('Done since: from the log.');
    said = [];
    expect(await write([item('1', 'pending')], 'main')).not.toContain('Taken off');
  });

  it('refuses equal ids, two tasks in progress and empty tasks, and keeps the list it has (S124)', async () => {
    await write([item('1', 'pending')]);
    const problem = (todos: TodoItem[]): string | null => tool.validateToolParams({ todos });
    expect(problem([item('1', 'pending'), item('1', 'completed')])).toContain('Two tasks have the id "1"');
    expect(problem([item('1', 'in_progress'), item('2', 'in_progress')])).toContain(
      '2 tasks are in_progress ("1", "2")',
    );
    expect(problem([item('1', 'pending', ' ')])).toContain('has no content');
    const result = await tool.execute({ todos: [item('1', 'in_progress'), item('2', 'in_progress')] }, signal);
    expect(result.error?.type).toBe('invalid_tool_params');
    expect(planning.todosOf()).toEqual([item('1', 'pending')]);
  });

  it('touches nothing and asks nothing', async () => {
    const invocation = tool.build({ todos: [item('1', 'in_progress', 'fix the bug')] });
    expect(await invocation.effects?.()).toEqual([]);
    expect(await invocation.shouldConfirmExecute?.(signal)).toBe(false);
    expect(invocation.getDescription()).toBe('fix the bug');
  });
});

describe('the slips of models', async () => {
  const { config, remove } = await createTempConfig();
  afterAll(remove);
  const prepare = (todos: unknown, name = 'todos') =>
    prepareCall(
      { callId: 'c', toolName: 'todo_write', argumentsText: JSON.stringify({ [name]: todos }) },
      { registry: config.getToolRegistry(), caller: () => NO_AGENT },
    );

  it('are undone where they have one reading only, and told', () => {
    const { invocation, repairs } = prepare(
      [
        { id: 1, task: 'read', status: 'done', activeForm: 'Reading' },
        { id: 2, content: 'write', status: 'In-Progress', priority: 'high' },
        { content: 'test', status: 'todo' },
      ],
      'tasks',
    );
    expect(invocation.params).toEqual({
      todos: [
        { id: '1', content: 'read', status: 'completed' },
        { id: '2', content: 'write', status: 'in_progress' },
        { content: 'test', status: 'pending' },
      ],
    });
    expect(repairs.join(' ')).toContain('The status "done" was read as "completed".');
    expect(repairs.join(' ')).toContain('`task` was read as `content`.');
    expect(repairs.join(' ')).toContain('`todos/0/id` was the number 1, read as the string "1".');
  });

  it.each([
    ['a status that says neither', [{ content: 'x', status: 'cancelled' }]],
    ['two names for the words', [{ task: 'x', title: 'y', status: 'pending' }]],
    ['no status', [{ content: 'x' }]],
    ['no list', 'everything'],
  ])('are an error where they may mean anything: %s', (_, todos) => {
    expect(() => prepare(todos)).toThrow(/todos/);
  });
});
