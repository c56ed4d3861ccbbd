import { afterEach, expect, it } from 'vitest';
import { ApprovalMode } from '@tenon/core';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

afterEach(async () => bench.close());

it('shows and sets the mode', async () => {
  bench = await createCommandBench();
  expect(await bench.say('/mode plan')).toBe('The mode is now plan.\n');
  expect(await bench.say('/mode')).toBe('The mode is plan.\n');
  expect(await bench.say('/mode wild')).toContain('"wild" is not a mode');
  expect(bench.agent.config.getApprovalMode()).toBe(ApprovalMode.PLAN);
});

it('sets no mode above what the administrator allows, and says whose word that is', async () => {
  bench = await createCommandBench({
    home: { 'machine/settings.json': '{"approvalMode": "default"}' },
    args: ['--approval-mode', 'plan'],
  });
  expect(await bench.say('/mode yolo')).toMatch(
    /^The mode yolo is not permitted: the managed settings .* allow default at most\.\n$/,
  );
  expect(await bench.say('/mode')).toBe('The mode is plan.\n');
  expect(await bench.say('/mode default')).toBe('The mode is now default.\n');
});
