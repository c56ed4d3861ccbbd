import { spawn } from 'node:child_process';

/** Runs `node --test` in the folder; true when every test passed. */
export function runProjectTests(
  nodePath: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  // Set by node's own test runner, which would then expect this one to report to it.
  const { NODE_TEST_CONTEXT: _unused, ...clean } = env;
  return new Promise((resolve) => {
    const child = spawn(nodePath, ['--test'], { cwd: folder, env: clean, stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}
