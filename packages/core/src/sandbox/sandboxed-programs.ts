import type { StartPiped } from '../process/piped-process.js';
import type { Sandbox } from './sandbox-types.js';

/**
 * Starts long-lived programs inside the sandbox. Removes what the sandbox needed when the program has ended.
 * @throws also Failure `sandbox_required`, `sandbox_failed`
 */
export function sandboxedPrograms(start: StartPiped, sandbox: () => Promise<Sandbox>): StartPiped {
  return async ({ argv, cwd, env }) => {
    const opened = await sandbox();
    const held = await opened.enter({ argv, cwd, env });
    try {
      const program = await start({ argv: held.argv, cwd: held.cwd, env: held.env, descriptors: held.descriptors });
      void program.exited.then(async () => held.finish());
      return program;
    } catch (thrown) {
      await held.finish();
      throw thrown;
    }
  };
}
