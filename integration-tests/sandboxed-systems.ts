import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApprovalMode, createToolSystem, type ToolSystem, type ToolSystemOptions } from '@tenon/core';

/** A folder with a workspace, and the tools on it, whose commands run in a sandbox. */
export interface SandboxedSystems {
  readonly base: string;
  readonly root: string;
  open(options?: Partial<ToolSystemOptions>): Promise<ToolSystem>;
  close(): Promise<void>;
}

export function sandboxedSystems(): SandboxedSystems {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-sandboxed-')));
  const root = join(base, 'work');
  const systems: ToolSystem[] = [];
  mkdirSync(root);
  return {
    base,
    root,
    open: async (options = {}) => {
      const system = await createToolSystem({
        roots: [root],
        tenonHome: join(base, 'tenon'),
        userHome: join(base, 'home'),
        approvalMode: ApprovalMode.AUTO_EDIT,
        rules: [],
        environment: { PATH: process.env['PATH'], HOME: join(base, 'home') },
        sandbox: { mode: 'auto' },
        ...options,
      });
      systems.push(system);
      return system;
    },
    close: async () => {
      for (const system of systems.splice(0)) await system.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** The last event of a call of the shell tool, as JSON. Nobody can be asked here: what needs approval is denied. */
export async function callShell(system: ToolSystem, args: Readonly<Record<string, unknown>>): Promise<string> {
  const request = { callId: '1', toolName: 'run_shell_command', argumentsText: JSON.stringify(args) };
  let last: unknown;
  for await (const event of system.runCalls([request], new AbortController().signal)) last = event;
  return JSON.stringify(last);
}
