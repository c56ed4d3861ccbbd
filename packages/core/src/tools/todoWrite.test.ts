import { beforeEach, describe, expect, it } from 'vitest';
import { TodoWriteTool } from './todoWrite.js';
import type { TodoItem } from './tools.js';

const item = (id: string, status: TodoItem['status'], content = `do ${id}`): TodoItem => ({ id, content, status });

describe('TodoWriteTool', () => {
  const { signal } = new AbortController();
  let tool: TodoWriteTool;
  beforeEach(() => {
    tool = new TodoWriteTool();
  });

  it('keeps the list and answers with counts (S124)', async () => {
    const todos = [item('1', 'completed'), item('2', 'in_progress'), item('3', 'pending'), item('4', 'pending')];
    const result = await tool.execute({ todos }, signal);
    expect(result.llmContent).toBe('The task list is saved: 2 pending, 1 in progress, 1 completed.');
    expect(result.returnDisplay).toEqual({ todos });
    expect(tool.getTodos()).toEqual(todos);
    expect(new TodoWriteTool().getTodos()).toEqual([]);
  });

  it('replaces the whole list, also by nothing', async () => {
    await tool.execute({ todos: [item('1', 'pending')] }, signal);
    expect((await tool.execute({ todos: [] }, signal)).llmContent).toBe('The task list is now empty.');
    expect(tool.getTodos()).toEqual([]);
  });

  it('refuses equal ids, two tasks in progress and empty tasks, and keeps the list it has (S124)', async () => {
    await tool.execute({ todos: [item('1', 'pending')] }, signal);
    const problem = (todos: TodoItem[]): string | null => tool.validateToolParams({ todos });
    expect(problem([item('1', 'pending'), item('1', 'completed')])).toContain('Two tasks have the id "1"');
    expect(problem([item('1', 'in_progress'), item('2', 'in_progress')])).toContain(
      '2 tasks are in_progress ("1", "2")',
    );
    expect(problem([item('1', 'pending', ' ')])).toContain('has no content');
    const result = await tool.execute({ todos: [item('1', 'in_progress'), item('2', 'in_progress')] }, signal);
    expect(result.error?.type).toBe('invalid_tool_params');
    expect(tool.getTodos()).toEqual([item('1', 'pending')]);
  });

  it('touches nothing and asks nothing', async () => {
    const invocation = tool.build({ todos: [item('1', 'in_progress', 'fix the bug')] });
    expect(await invocation.effects?.()).toEqual([]);
    expect(await invocation.shouldConfirmExecute?.(signal)).toBe(false);
    expect(invocation.getDescription()).toBe('fix the bug');
  });
});
