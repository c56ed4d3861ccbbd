import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBench, type Bench } from './cli-process.js';

let bench: Bench;

const SETTINGS = JSON.stringify({
  permissions: {
    allow: [{ rule: 'Bash(npm test *)', match: ['npm test --watch'], not_match: ['npm publish'] }],
    deny: ['Bash(git push *)'],
  },
});

beforeEach(async () => {
  bench = await createBench(
    [{ toolCalls: [{ name: 'run_shell_command', arguments: { command: 'git push' } }] }, { text: 'done' }],
    { settings: SETTINGS },
  );
});

afterEach(() => bench.end());

it('explains, tests and lints the rules of a project, and simulates a session of it', async () => {
  const explained = await bench.run(['policy', 'explain', 'npm test && git push']);
  expect(explained.code).toBe(0);
  expect(explained.stdout).toContain('decision: deny, because deny rule Bash(git push *)');
  expect(await bench.run(['policy', 'test'])).toMatchObject({ code: 0, stdout: '2 passed, 0 failed\n' });
  expect(await bench.run(['policy', 'lint'])).toMatchObject({ code: 0 });
  const run = await bench.run(['-p', 'push it', '--output-format', 'json']);
  expect(run.code).toBe(4);
  const { sessionId } = JSON.parse(run.stdout) as { sessionId: string };
  const again = await bench.run(['policy', 'simulate', sessionId, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ calls: 1, same: 1, changed: [], notJudged: [] });
  expect(await bench.run(['policy', 'grants'])).toMatchObject({ code: 0 });
});

it('stops a run whose deny rule fails its own examples, and says which', async () => {
  const settings = { permissions: { deny: [{ rule: 'Bash(rm -rf *)', match: ['rm x'] }] } };
  await bench.end();
  bench = await createBench([], { settings: JSON.stringify(settings) });
  expect(await bench.run(['config'])).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('its example "rm x" under "match" fails'),
  });
  expect(await bench.run(['policy', 'test'])).toMatchObject({ code: 1 });
});
