import type { ContextReport } from './agent/context-report.js';
import type { AgentEvent, JobEvent } from './agent/events.js';
import type { SessionUsage } from './agent/session-usage.js';
import type { Config } from './config/config.js';
import type { AgentServers } from './extensions/extension-types.js';
import type { CustomToolOptions } from './extensions/custom-tools/wire-custom-tools.js';
import type { GuardedStream } from './extensions/custom-tools/guard.js';
import type { HookOptions } from './hooks/hook-types.js';
import type { MemorySettings } from './memory/memory.js';
import type { HostFiles } from './files/host-files.js';
import type { McpClients } from './mcp/mcp-types.js';
import type { Asker } from './mcp/questions/asker.js';
import type { ServerDefinition } from './mcp/server-definition.js';
import type { Message, ModelPort } from './models/model.js';
import type { TokenPrices } from './models/token-prices.js';
import type { ApprovalCeiling, ApprovalMode } from './policy/approval-mode.js';
import type { Grants } from './policy/grants.js';
import type { Rule } from './policy/rule.js';
import type { CommandViewer } from './process/command-viewer.js';
import type { ShellOptions } from './process/shell-options.js';
import type { SandboxMode, SandboxNetwork } from './sandbox/sandbox-types.js';
import type { Approver } from './scheduler/approval.js';
import type { SecretSettings } from './secrets/secret-settings.js';
import type { LoggedEvent } from './session/log-lines.js';
import type { RewindPoint, RewindReport, SessionSource } from './session/session-types.js';
import type { CallEvent } from './scheduler/call-events.js';
import type { CallRequest } from './scheduler/prepare-call.js';
import type { TelemetryOptions } from './telemetry/telemetry-options.js';
import type { AnyTool } from './tools/tool-registry.js';
import type { Part } from './tools/tools.js';
import type { SkillSettings } from './skills/skill-places.js';
import type { AgentSettings } from './subagents/subagent-types.js';
import type { BoundCommand } from './trust/bound-commands.js';
import type { SearchSettings } from './web/search/read-providers.js';
import type { WebOptions } from './web/web-options.js';

export type { ContextPart, ContextReport } from './agent/context-report.js';
export type { SessionUsage } from './agent/session-usage.js';
export type { TokenPrices } from './models/token-prices.js';
export type { RewindPoint, RewindReport, SessionSource } from './session/session-types.js';

/** What a door hands in to get the tools working. All paths absolute. */
export interface ToolSystemOptions {
  /** Existing folders; the first is the target folder. */
  readonly roots: readonly string[];
  /**
   * Existing folders within `roots` that are the workspace in place of them. Rules, grants and the journal stay those of
   * `roots`.
   */
  readonly narrowedTo?: readonly string[];
  /** Tenon's own folder (`~/.tenon`); made when it is missing. */
  readonly tenonHome: string;
  /** The user's home, for `~/` in rules. */
  readonly userHome: string;
  readonly approvalMode: ApprovalMode;
  /** No mode above it can be chosen, neither here nor in the session. */
  readonly approvalCeiling?: ApprovalCeiling;
  readonly rules: readonly Rule[];
  /** For how many days what is granted for the project with "always" holds. Default: until it is revoked. */
  readonly grantDays?: number;
  /** Absent when nobody can be asked: what needs approval is denied. */
  readonly approver?: Approver;
  /** Absent when nobody can be asked: servers are told that nobody answers. */
  readonly asker?: Asker;
  /** The environment to derive that of child processes from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** False: no tool shows what is in files that git ignores, not even when they are named (K21). Default true. */
  readonly readGitIgnored?: boolean;
  /** A shell that is not on the machine is a Failure `shell_unusable`. */
  readonly shell?: Partial<Omit<ShellOptions, 'path'>>;
  /** Default: none. */
  readonly sandbox?: {
    readonly mode: SandboxMode;
    readonly network?: SandboxNetwork;
    /** With the network off: hosts that are reached all the same (`registry.npmjs.org`, `*.github.com`, `localhost:5432`). */
    readonly hosts?: readonly string[];
    /** False: no command runs outside it, whoever agrees. Default true. */
    readonly mayLeave?: boolean;
  };
  /** Servers of tools. An agent connects them when it is made, a tool system when a call needs them. Default: none. */
  readonly mcp?: McpOptions;
  /** Programs that tell of tools and run them. Default: none. */
  readonly discovery?: DiscoveryOptions;
  /** What reaching the web goes by beside `environment`. Default: public addresses only. */
  readonly web?: Omit<WebOptions, 'environment' | 'summarize'>;
  /** Default: the built-in servers, where they are installed. */
  readonly lsp?: LanguageServerOptions;
  /** Context files and saved facts. Default: a folder that nobody trusts, and the default names. */
  readonly memory?: MemorySettings;
  /** Default: the person's own; those of the folder are withheld, for nobody trusts it. */
  readonly skills?: SkillSettings;
  /** Search providers beside those that variables of `environment` name (see the guide). */
  readonly webSearch?: SearchSettings;
  /** Commands of a trusted folder: started only while the files of it that run for them are what they were. Default: none. */
  readonly boundCommands?: readonly BoundCommand[];
  /** Kinds of agents that files describe, and what subagents may take. Default: those of a folder that nobody trusts do not count. */
  readonly agents?: AgentSettings;
  /** Which values are secrets, that the model and logs see placeholders of. Default: what is known by name, place or kind. */
  readonly secrets?: SecretSettings;
  /** What runs before and after calls, prompts and sessions. Default: nothing. */
  readonly hooks?: HookOptions;
  /** Where plans that the person approved are kept, as `plans.directory`. Default: in Tenon's own folder, by project. */
  readonly plans?: { readonly directory?: string };
  /** Where traces and metrics are sent. Default: nowhere. */
  readonly telemetry?: TelemetryOptions;
  /** An editor that has files of the workspace open: its unsaved texts are what is read and changed. Default: none. */
  readonly hostFiles?: HostFiles;
  /** Shows commands of the shell tool while calls wait for them: the terminal of an editor. Default: none. */
  readonly commandViewer?: CommandViewer;
  /** Folders of tools in files. They are loaded, so that only what somebody agreed to may be among them. Default: none. */
  readonly customTools?: CustomToolOptions;
  /** The program's own output, where nothing may come between: what tools in files write there goes to a log. Default: none. */
  readonly ownStreams?: readonly GuardedStream[];
  /** Tools beside the built-in ones. */
  readonly extraTools?: (config: Config) => readonly AnyTool[];
  /** Which tools are offered, by name: of the built-in ones `only` these (undefined: all), and none of `without`. */
  readonly offered?: { readonly only?: readonly string[]; readonly without: readonly string[] };
}

export interface McpOptions {
  /** In the order of the settings; an alias once only. */
  readonly servers: readonly ServerDefinition[];
  /** From how many characters of definitions on tools of servers are found by search only. Default: `TOOL_BUDGET`. */
  readonly toolBudget?: number;
}

export interface LanguageServerOptions {
  /** False: none is started. Default true. */
  readonly enabled?: boolean;
  /** The person trusts the folder: language servers load what lies in it, so that none is started elsewhere. */
  readonly isTrusted: boolean;
  /** Resolves to true if the user agreed to the folder's code that servers run, as it is now. Called before each start. Default: true. */
  readonly isAgreed?: () => Promise<boolean>;
  /** `lsp.servers` by name, as written in the settings: unchecked. */
  readonly servers?: Readonly<Record<string, unknown>>;
  /** After a change of files, new diagnostics are told of servers that run, of all, or never. Default `running`. */
  readonly diagnostics?: 'running' | 'always' | 'off';
  /** After how long without a question one is ended. In milliseconds. */
  readonly idleMs?: number;
}

/** `toolDiscoveryCommand` and `toolCallCommand` (S130, S131), as written. */
export interface DiscoveryOptions {
  readonly discoveryCommand: string;
  /** Undefined: what is discovered cannot be called. */
  readonly callCommand?: string;
  /** For the command that lists tools. In milliseconds. */
  readonly timeoutMs?: number;
}

export interface ToolSystem {
  readonly config: Config;
  /** What was found wrong while wiring (a damaged grants file), for the person. */
  readonly notices: readonly string[];
  /** Runs calls through their whole life, those that do not conflict side by side. Events come as they happen. */
  readonly runCalls: (calls: readonly CallRequest[], signal: AbortSignal) => AsyncIterable<CallEvent>;
  /** The configured servers; undefined without any. An agent has begun to connect them. */
  readonly servers: McpClients | undefined;
  /**
   * What calls of these names need is there: a server is connected, discovered tools are known; the alias of a server stands
   * for all of its tools. For names of tools that are
   * there already nothing is started. `runCalls` does it by itself. Resolves to what the person should know, also of servers
   * that could not be had; rejects with the signal's reason only.
   */
  readonly readyFor: (names: readonly string[], signal: AbortSignal) => Promise<readonly string[]>;
  /** Kills every command that runs, with all it started. Synchronous: for a program that exits at once. */
  readonly endCommands: () => void;
  /** Ends what still runs and lets go of files. */
  close(): Promise<void>;
}

/** A model, and what is known of it. */
export interface NamedModel {
  readonly model: ModelPort;
  readonly facts?: { readonly contextWindow?: number; readonly prices?: TokenPrices };
}

export interface AgentOptions extends ToolSystemOptions {
  readonly model: ModelPort;
  /** The most turns (requests to the model) of one prompt. Default: no limit. */
  readonly maxTurns?: number;
  /** The most tool calls of one prompt. Default: no limit. */
  readonly maxToolCalls?: number;
  /** Seconds one prompt may take, questions to the person not counted. Default: no limit. */
  readonly maxSeconds?: number;
  /** What one prompt may cost, in the currency of `prices`. Needs them. Default: no limit. */
  readonly maxCost?: number;
  readonly prices?: TokenPrices;
  /** The model that a subagent's definition names, as `--model` takes it. Absent, or when it rejects: all have the same. */
  readonly modelNamed?: (name: string) => Promise<NamedModel>;
  /** Tokens that the model's window holds. Default: what is known of the model by its name, else 128,000. */
  readonly contextWindow?: number;
  /** At which share of the window the conversation is made shorter by itself; 0: never. Default 0.8. */
  readonly compactAt?: number;
  /** The session that goes on. Default: a new one. */
  readonly session?: SessionSource;
  readonly version: string;
}

export interface PromptOptions {
  /**
   * The files (`a.ts#L10-20`: those lines), folders and globs that go with the prompt, as `findMentions` finds them in it. Absolute or
   * relative to the first root. Mentions that do not exist or may not be read are skipped, with a notice if a file was meant.
   */
  readonly attach?: readonly string[];
  /** What the model must know before it: neither the person's words nor a tool's. */
  readonly notes?: readonly string[];
  /** What goes with the text beside files: a prompt of a server. */
  readonly content?: readonly Part[];
  /** True: background jobs that still run at the end of the prompt are ended, and told, before `prompt-end`. */
  readonly endsJobs?: boolean;
  /** False: the first prompt does not wait for servers that still start; their tools come as they are ready. Default true. */
  readonly waitsForServers?: boolean;
}

export interface Agent extends ToolSystem {
  /** Changes with `switchSession`, as `sessionFile` does. */
  readonly sessionId: string;
  /** The session log, JSON lines. */
  readonly sessionFile: string;
  /**
   * Told at once what happens to background jobs, until the returned function is called. The stream of the next prompt
   * has the same events, for those that no call's result told by then.
   */
  onJob(listener: (event: JobEvent) => void): () => void;
  /** What the person does with servers. */
  readonly mcp: AgentServers;
  /** What was granted with "always", for the project and for this session; what is taken back holds no longer at once. */
  readonly grants: Pick<Grants, 'rules' | 'list' | 'revokeProject' | 'revokeSession'>;
  /** The log so far, of the sessions that it goes on from as well: what a door shows when it opens one. */
  readonly history: readonly LoggedEvent[];
  /** What was found wrong with the log that goes on, a sentence each; also that another process has the session. */
  readonly sessionProblems: readonly string[];
  readonly messages: readonly Message[];
  readonly model: ModelPort;
  /** From the next request on. */
  setModel(model: ModelPort, more?: { readonly contextWindow?: number; readonly prices?: TokenPrices }): void;
  /** A text as the model and the log have it: with placeholders in place of secrets. */
  hideSecrets(text: string): string;
  /** The model reads it with its next request. False when nothing is running: then it is a prompt. */
  steer(text: string): boolean;
  /** Makes the conversation shorter now. `focus`: what the summary should keep above all. @throws Failure `agent_busy` */
  compact(focus: string | undefined, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** Newest first. */
  rewindPoints(): Promise<readonly RewindPoint[]>;
  /** Goes back to before that message. @throws Failure `agent_busy`, `no_such_message` */
  rewind(id: string, what: { readonly conversation: boolean; readonly files: boolean }): Promise<RewindReport>;
  context(): ContextReport;
  usage(): SessionUsage;
  /** Ends this session's log and begins another: an earlier session, or an empty one. @throws Failure `agent_busy`, `no_session` */
  switchSession(source?: SessionSource): Promise<void>;
  /** One prompt, to the end of the model's work. Aborting leaves a conversation that the next prompt continues. */
  prompt(text: string, signal?: AbortSignal, options?: PromptOptions): AsyncIterable<AgentEvent>;
}
