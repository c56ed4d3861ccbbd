import { afterEach, expect, it } from 'vitest';
import { ApprovalMode } from '@tenon/core';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

afterEach(async () => bench.close());

it('enters plan mode, remembers the mode before, and leaves it again', async () => {
  bench = await createCommandBench({ args: ['--approval-mode', 'auto_edit'] });
  expect(await bench.say('/plan')).toContain('Plan mode is on: nothing is changed until you approve a plan.');
  expect(bench.agent.config.getApprovalMode()).toBe(ApprovalMode.PLAN);
  expect(await bench.say('/plan')).toContain('on already');
  expect(await bench.say('/plan off')).toBe('The mode is now auto_edit.\n');
  expect(await bench.say('/plan off')).toContain('Plan mode is not on');
  expect(await bench.say('/plan show')).toContain('No plan was approved');
});

it('says the words to the model in plan mode', async () => {
  bench = await createCommandBench();
  const answer = await bench.run('/plan move the parser');
  expect(answer.prompt).toEqual({ text: 'move the parser' });
  expect(bench.agent.config.getApprovalMode()).toBe(ApprovalMode.PLAN);
});

it('shows the plan that was approved last and where it is, and the todos as they stand', async () => {
  const todos = [
    { id: '1', content: 'read', status: 'completed' },
    { id: '2', content: 'write', status: 'in_progress' },
  ];
  bench = await createCommandBench({
    args: ['--approval-mode', 'plan'],
    turns: [
      { toolCalls: [{ name: 'exit_plan_mode', arguments: { plan: 'first look' } }] },
      { toolCalls: [{ name: 'todo_write', arguments: { todos } }] },
      { text: 'done' },
    ],
    approver: async () => ({ outcome: 'proceed_once' }),
  });
  expect(await bench.say('/todos')).toContain('There are no todos');
  await bench.prompt('go');
  const shown = await bench.say('/plan show');
  expect(shown).toMatch(/The plan that you approved last \(.*plans\/.*first-look\.md\):\n\nfirst look/);
  const list = await bench.say('/todos');
  expect(list).toContain('1 of 2 done');
  expect(list).toContain('write');
});
