import { randomBytes, randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attachable, readAttached } from './agent/attachments.js';
import type { Agent, AgentOptions, ToolSystem, ToolSystemOptions } from './agent-types.js';
import { Conversation } from './agent/conversation.js';
import type { AgentEvent } from './agent/events.js';
import { runPrompt, type Prompt } from './agent/loop.js';
import { systemPrompt } from './agent/system-prompt.js';
import { Config } from './config/config.js';
import { userExcludesFile } from './files/ignore-user-excludes.js';
import { mendJournal, tidyJournal } from './journal/tend-journal.js';
import { RuleCompiler } from './policy/compile-rules.js';
import { Grants } from './policy/grants.js';
import type { PolicyContext } from './policy/verdict.js';
import { childEnvironment } from './process/child-environment.js';
import { CommandSupervisor } from './process/command-supervisor.js';
import { runCalls } from './scheduler/scheduler.js';
import { DEFAULT_OUTPUT_LIMITS, NO_AGENT, type Caller, type SchedulerServices } from './scheduler/services.js';
import { projectFolders, type ProjectFolders } from './session/project-folders.js';
import { recordEvents } from './session/record-events.js';
import { SessionLog } from './session/session-log.js';
import { Failure } from './util/failure.js';

/** What the agent that talks with the person is called where reads and changes are remembered. */
const MAIN_AGENT = 'main';
const DEFAULT_MAX_TURNS = 100;
const DEFAULT_MAX_TOOL_CALLS = 500;

interface Wired extends ToolSystem {
  readonly folders: ProjectFolders;
}

/** The tools, wired: for doors that make calls of their own, without a model. */
export async function createToolSystem(options: ToolSystemOptions): Promise<ToolSystem> {
  return wire(options, () => NO_AGENT);
}

/** A wired agent: tools, policy, scheduler, session log and the loop over `options.model`. */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const sessionId = randomUUID();
  const conversation = new Conversation();
  let turn = 0;
  const system = await wire(options, () => ({
    agent: MAIN_AGENT,
    sessionId,
    turn,
    stillShown: (callId) => conversation.hasResult(callId),
  }));
  const { config } = system;
  const log = new SessionLog(join(system.folders.sessions, `${startStamp()}-${sessionId}.jsonl`));
  const registry = config.getToolRegistry();
  const services = {
    model: options.model,
    conversation,
    system: () =>
      systemPrompt({
        roots: config.getWorkspaceContext().getDirectories(),
        approvalMode: config.getApprovalMode(),
        platform: process.platform,
        canAsk: options.approver !== undefined,
      }),
    tools: () => registry.getToolsForModel(),
    runCalls: system.runCalls,
    maxTurns: options.maxTurns ?? DEFAULT_MAX_TURNS,
    maxToolCalls: options.maxToolCalls ?? DEFAULT_MAX_TOOL_CALLS,
  };
  let busy = false;
  let started = false;
  const record = recordEvents(log);
  const closing = new AbortController();

  async function* logged(prompt: Prompt, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    if (busy)
      throw new Failure(
        'agent_busy',
        'This agent is working on a prompt. Wait for its end, or cancel it, before the next.',
      );
    busy = true;
    turn += 1;
    try {
      if (!started) {
        started = true;
        void tidyJournal(system.folders.journal);
        yield* record(sessionStart(options, config, sessionId));
      }
      const until = AbortSignal.any([signal, closing.signal]);
      for await (const event of runPrompt(prompt, services, until)) yield* record(event);
    } finally {
      busy = false;
    }
  }

  return {
    config,
    runCalls: system.runCalls,
    sessionId,
    sessionFile: log.file,
    notices: system.notices,
    endCommands: system.endCommands,
    prompt: (text, signal, { attach } = {}) => {
      const paths = attachable(attach ?? [], config);
      const prompt =
        paths.length === 0
          ? { text }
          : { text, attach: (inner: AbortSignal) => readAttached(paths, system.runCalls, inner) };
      return logged(prompt, signal ?? new AbortController().signal);
    },
    close: async () => {
      closing.abort(new Failure('agent_closed', 'The agent was closed.'));
      await system.close();
      log.close();
    },
  };
}

async function wire(options: ToolSystemOptions, caller: () => Caller): Promise<Wired> {
  const [firstRoot] = options.roots;
  if (firstRoot === undefined) throw new Failure('no_workspace', 'An agent needs at least one workspace folder.');
  const canonical = options.roots.map((root) => realpathSync.native(root));
  const folders = projectFolders(options.tenonHome, realpathSync.native(firstRoot));
  const grants = new Grants(folders.grantsFile);
  const notices = await grants.load();
  const supervisor = new CommandSupervisor();
  const config = new Config({
    roots: options.roots,
    tempDir: folders.temp,
    journalDir: folders.journal,
    approvalMode: options.approvalMode,
    runCommand: supervisor.run,
    childEnvironment: childEnvironment(options.environment, {
      roots: [...canonical, realPath(folders.temp)],
      realPath,
    }),
    userExcludes: userExcludesFile(options.userHome, options.environment['XDG_CONFIG_HOME']),
    ...(options.readGitIgnored === undefined ? {} : { readGitIgnored: options.readGitIgnored }),
    ...(options.extraTools === undefined ? {} : { extraTools: options.extraTools }),
  });
  const mended = await mendJournal(config.getWorkspaceGate(), folders.journal);
  const services: SchedulerServices = {
    registry: config.getToolRegistry(),
    gate: config.getWorkspaceGate(),
    policyContext: (): PolicyContext => ({
      mode: config.getApprovalMode(),
      rules: [...options.rules, ...grants.rules()],
      roots: config.getWorkspaceContext().getDirectories(),
      home: options.userHome,
      controlFolders: [realpathSync.native(options.tenonHome)],
    }),
    ruleCompiler: new RuleCompiler(),
    grant: async (rules, scope) => (scope === 'session' ? grants.addSession(rules) : grants.addProject(rules)),
    approver: options.approver,
    spill: (text) => spillTo(folders.temp, text),
    limits: DEFAULT_OUTPUT_LIMITS,
    caller,
  };
  return {
    config,
    folders,
    notices: [...notices, ...mended],
    runCalls: (calls, signal) => runCalls(calls, services, signal),
    endCommands: () => supervisor.endAll(),
    close: async () => {
      supervisor.endAll();
      await config.close();
    },
  };
}

function sessionStart(options: AgentOptions, config: Config, sessionId: string): AgentEvent {
  return {
    type: 'session-start',
    sessionId,
    version: options.version,
    model: options.model.label,
    roots: config.getWorkspaceContext().getDirectories(),
    approvalMode: config.getApprovalMode(),
    tools: config
      .getToolRegistry()
      .getAllTools()
      .map((tool) => tool.name),
  };
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

async function spillTo(folder: string, text: string): Promise<string> {
  const file = join(folder, `output-${randomBytes(6).toString('hex')}.txt`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}

/** Sorts by time, and is a file name everywhere. */
function startStamp(): string {
  return new Date().toISOString().replace(/[:.]/g, '-');
}
