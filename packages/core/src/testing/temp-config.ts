import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Config, type ConfigOptions } from '../config/config.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { CommandSupervisor, type SupervisorOptions } from '../process/command-supervisor.js';
import { JobRegistry } from '../process/jobs/job-registry.js';
import { createTempWorkspace, type TempWorkspace, type WorkspaceEntry } from './temp-workspace.js';

/** Like `ConfigOptions`, but the folders are made, commands really run, and the rest has defaults. */
export interface TempConfigOptions extends Partial<
  Omit<ConfigOptions, 'roots' | 'tempDir' | 'journalDir' | 'runCommand' | 'jobs'>
> {
  /** What lies in the workspace at first. */
  readonly entries?: Readonly<Record<string, WorkspaceEntry>>;
  /** Roots after the workspace: existing folders, absolute. `remove` leaves them. */
  readonly moreRoots?: readonly string[];
  readonly supervise?: SupervisorOptions;
}

export interface TempConfig {
  readonly config: Config;
  /** The first root, and so the target folder. */
  readonly workspace: TempWorkspace;
  /** The project's temp folder: readable, but not part of the workspace. */
  readonly temp: TempWorkspace;
  /** Where changes are written down. */
  readonly journalDir: string;
  /**
   * Puts it back between two tests: ends the commands that still run, empties both folders but for
   * `entries`, and sets the first mode again. What a tool itself remembers stays.
   */
  readonly reset: () => Promise<void>;
  /** Ends the commands that still run and deletes both folders. May be called twice. */
  readonly remove: () => Promise<void>;
}

/**
 * A real `Config` on real folders, with every built-in tool: what the test of a tool hands to it. The
 * mode is `default` and a child process gets nothing but a `PATH` of system folders, unless told otherwise.
 */
export async function createTempConfig(options: TempConfigOptions = {}): Promise<TempConfig> {
  const { entries = {}, moreRoots = [], approvalMode = ApprovalMode.DEFAULT, supervise = {}, ...rest } = options;
  const workspace = await createTempWorkspace(entries);
  const temp = await createTempWorkspace();
  const journal = await createTempWorkspace();
  const supervisor = new CommandSupervisor(supervise);
  let close = async (): Promise<void> => undefined;
  const remove = async (): Promise<void> => {
    supervisor.endAll();
    await close();
    await workspace.remove();
    await temp.remove();
    await journal.remove();
  };
  try {
    const config = new Config({
      childEnvironment: { PATH: '/usr/bin:/bin' },
      ...rest,
      approvalMode,
      roots: [workspace.root, ...moreRoots],
      tempDir: temp.root,
      journalDir: journal.root,
      runCommand: supervisor.run,
      jobs: new JobRegistry(supervisor.start),
    });
    close = async () => config.close();
    const reset = async (): Promise<void> => {
      supervisor.endAll();
      for (const { root } of [workspace, temp, journal]) await empty(root);
      await workspace.write(entries);
      config.setApprovalMode(approvalMode);
    };
    return { config, workspace, temp, journalDir: journal.root, reset, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}
