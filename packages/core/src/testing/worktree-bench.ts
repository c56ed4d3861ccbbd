import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openWorktree, type Worktree } from '../delegation/worktree/open-worktree.js';
import { tendWorktrees } from '../delegation/worktree/tend-worktrees.js';
import { Config } from '../config/config.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { CallEvent } from '../scheduler/call-events.js';
import { DEFAULT_OUTPUT_LIMITS, type SchedulerServices } from '../scheduler/services.js';
import type { WorktreeReport } from '../subagents/subagent-types.js';
import { createFakeApprover, type FakeApprover, type ScriptedApproval } from './fake-approver.js';
import { createTempConfig, type TempConfig, type TempConfigOptions } from './temp-config.js';

export interface BenchOptions extends TempConfigOptions {
  readonly mode?: ApprovalMode;
  readonly answers?: readonly ScriptedApproval[];
  /** False: no repository is made. */
  readonly git?: boolean;
}

export interface WorktreeBench {
  readonly at: TempConfig;
  readonly person: FakeApprover;
  readonly events: CallEvent[];
  readonly tenonHome: string;
  /** Runs git in the workspace, or in another folder. */
  readonly git: (words: readonly string[], folder?: string) => string;
  readonly open: (signal?: AbortSignal) => Promise<Worktree>;
  /** For a workspace that is another folder; what `finish` gives back goes there. */
  readonly openFrom: (folder: string) => Promise<Worktree>;
  readonly finish: (worktree: Worktree, signal?: AbortSignal) => Promise<WorktreeReport>;
  /** What the next start would say. */
  readonly tend: () => Promise<string[]>;
  /** Worktrees on the disk, what is written down of them, and what git knows of. */
  readonly left: () => { readonly trees: string[]; readonly records: string[]; readonly known: string[] };
  readonly remove: () => Promise<void>;
}

/** A real repository with one commit of `entries`, and what an agent's worktree needs around it. */
export async function createWorktreeBench(options: BenchOptions = {}): Promise<WorktreeBench> {
  const { mode = ApprovalMode.DEFAULT, answers = [], git: hasGit = true, ...rest } = options;
  const at = await createTempConfig({ ...rest, approvalMode: mode });
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  const tenonHome = join(home, 'tenon');
  const base = join(tenonHome, 'projects', 'p-1');
  mkdirSync(base, { recursive: true });
  const git = (words: readonly string[], folder = at.workspace.root): string => runGitIn(folder, words);
  if (hasGit) {
    git(['init', '-q', '-b', 'main']);
    git(['add', '-A']);
    git(['commit', '-q', '--allow-empty', '-m', 'first']);
  }
  const person = createFakeApprover(answers);
  const events: CallEvent[] = [];
  const services = servicesOf(at, person, mode);
  const others: Config[] = [];
  const homes = new Map<Worktree, Config>();
  const openFor = async (config: Config, signal: AbortSignal): Promise<Worktree> => {
    const source = { config, folders: { base }, tenonHome, journalDir: at.journalDir };
    const worktree = await openWorktree(source, { agentId: 'a1', agent: 'general', description: 'do it' }, signal);
    homes.set(worktree, config);
    return worktree;
  };
  const worktreesOf = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  return {
    at,
    person,
    events,
    tenonHome,
    git,
    open: (signal = new AbortController().signal) => openFor(at.config, signal),
    openFrom: (folder) => {
      const other = new Config({
        approvalMode: mode,
        childEnvironment: at.config.getChildEnvironment(),
        roots: [folder],
        tempDir: at.temp.root,
        journalDir: at.journalDir,
        runCommand: at.config.getCommandRunner(),
        jobs: at.config.getJobs(),
      });
      others.push(other);
      return openFor(other, new AbortController().signal);
    },
    finish: (worktree, signal = new AbortController().signal) =>
      worktree.finish({
        services: { ...services, gate: (homes.get(worktree) ?? at.config).getWorkspaceGate() },
        caller: () => ({ agent: 'a1', sessionId: 's-1', turn: 1, stillShown: () => false }),
        emit: (event) => events.push(event),
        signal,
      }),
    tend: () => tendWorktrees(at.config, { base }, tenonHome),
    left: () => ({
      trees: worktreesOf(join(`${tenonHome}-worktrees`, 'p-1')),
      records: worktreesOf(join(base, 'worktrees')),
      known: worktreesOf(join(at.workspace.root, '.git', 'worktrees')),
    }),
    remove: async () => {
      for (const other of others) await other.close();
      await at.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export function runGitIn(folder: string, words: readonly string[]): string {
  return execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...words],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: dirname(folder), GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

function servicesOf(
  { config, workspace, temp }: TempConfig,
  person: FakeApprover,
  mode: ApprovalMode,
): SchedulerServices {
  return {
    registry: config.getToolRegistry(),
    gate: config.getWorkspaceGate(),
    policyContext: () => ({ mode, rules: [], roots: [workspace.root], home: '/nobody' }),
    grant: async () => undefined,
    approver: person.approver,
    spill: async (text) => {
      await temp.write({ 'output-000000000000.txt': text });
      return temp.path('output-000000000000.txt');
    },
    limits: DEFAULT_OUTPUT_LIMITS,
    caller: () => ({ stillShown: () => false }),
  };
}
