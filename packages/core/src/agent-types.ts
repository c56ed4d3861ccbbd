import type { AgentEvent } from './agent/events.js';
import type { Config } from './config/config.js';
import type { ModelPort } from './models/model.js';
import type { ApprovalMode } from './policy/approval-mode.js';
import type { Rule } from './policy/rule.js';
import type { Approver } from './scheduler/approval.js';
import type { CallEvent } from './scheduler/call-events.js';
import type { CallRequest } from './scheduler/prepare-call.js';
import type { BaseTool } from './tools/tools.js';

/** What a door hands in to get the tools working. All paths absolute. */
export interface ToolSystemOptions {
  /** Existing folders; the first is the target folder. */
  readonly roots: readonly string[];
  /** Tenon's own folder (`~/.tenon`); made when it is missing. */
  readonly tenonHome: string;
  /** The user's home, for `~/` in rules. */
  readonly userHome: string;
  readonly approvalMode: ApprovalMode;
  readonly rules: readonly Rule[];
  /** Absent when nobody can be asked: what needs approval is denied. */
  readonly approver?: Approver;
  /** The environment to derive that of child processes from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** False: a file that git ignores is not read even when it is named (K21). Default true. */
  readonly readGitIgnored?: boolean;
  /** Tools beside the built-in ones. */
  readonly extraTools?: (config: Config) => readonly BaseTool[];
}

export interface ToolSystem {
  readonly config: Config;
  /** What was found wrong while wiring (a damaged grants file), for the person. */
  readonly notices: readonly string[];
  /** Runs calls through their whole life, those that do not conflict side by side. Events come as they happen. */
  readonly runCalls: (calls: readonly CallRequest[], signal: AbortSignal) => AsyncIterable<CallEvent>;
  /** Kills every command that runs, with all it started. Synchronous: for a program that exits at once. */
  readonly endCommands: () => void;
  /** Ends what still runs and lets go of files. */
  close(): Promise<void>;
}

export interface AgentOptions extends ToolSystemOptions {
  readonly model: ModelPort;
  /** Turns (requests to the model) one prompt may take. Default 100. */
  readonly maxTurns?: number;
  /** Tool calls one prompt may make. Default 500. */
  readonly maxToolCalls?: number;
  readonly version: string;
}

export interface PromptOptions {
  /**
   * Files, folders and globs that go with the prompt, as `findMentions` finds them in it; absolute or relative to the
   * first root. Those that do not exist are left out.
   */
  readonly attach?: readonly string[];
}

export interface Agent extends ToolSystem {
  readonly sessionId: string;
  /** The session log, JSON lines. */
  readonly sessionFile: string;
  /** One prompt, to the end of the model's work. Aborting leaves a conversation that the next prompt continues. */
  prompt(text: string, signal?: AbortSignal, options?: PromptOptions): AsyncIterable<AgentEvent>;
}
