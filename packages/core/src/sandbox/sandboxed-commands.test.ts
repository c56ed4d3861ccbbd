import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { CommandSupervisor } from '../process/command-supervisor.js';
import type { CommandOutcome } from '../process/command-types.js';
import type { Sandbox } from './sandbox-types.js';
import { HOW_TO_LEAVE, sandboxedCommands } from './sandboxed-commands.js';

const supervisor = new CommandSupervisor();
afterAll(() => supervisor.endAll());

/** Holds nothing, and finds every command denied. */
const sandbox: Sandbox = {
  status: { mode: 'required', mechanism: 'bubblewrap', text: '', probes: [] },
  enter: async (request) => ({ ...request, descriptors: [], finish: async () => ({ controlFiles: [] }) }),
  explainDenial: () => ({ kind: 'write', message: 'It was denied.' }),
};

const run = (mayLeave: boolean | undefined, isSandboxed: boolean): Promise<CommandOutcome> => {
  const request = {
    command: { argv: ['/bin/echo', 'hello'] as const },
    cwd: tmpdir(),
    env: {},
    timeoutMs: 10_000,
    keepBytes: 1000,
    isSandboxed,
  };
  return sandboxedCommands(supervisor, async () => sandbox, mayLeave).run(request, new AbortController().signal);
};

describe('a command that somebody agreed to run outside the sandbox', () => {
  it('runs outside', async () => {
    expect(await run(undefined, false)).toMatchObject({ ending: 'exited', head: 'hello\n' });
    expect((await run(undefined, false)).notes).toBeUndefined();
  });

  it('does not run where the administrator requires the sandbox, and nothing leads the model there', async () => {
    const { ending, startError } = await run(false, false);
    expect([ending, startError]).toEqual(['not-started', expect.stringContaining('requires the sandbox')]);
    expect((await run(undefined, true)).notes).toEqual([`It was denied. ${HOW_TO_LEAVE}`]);
    expect((await run(false, true)).notes).toEqual(['It was denied.']);
  });
});
