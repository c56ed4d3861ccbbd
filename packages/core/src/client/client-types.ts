import type { Agent, AgentOptions, PromptOptions } from '../agent-types.js';
import type { AgentEvent, Denial, StopReason } from '../agent/events.js';
import type { Config } from '../config/config.js';
import type { ModelPort, TokenUsage } from '../models/model.js';
import type { ModelSettings } from '../models/model-settings.js';
import type { ApprovalMode } from '../policy/approval-mode.js';
import type { ApprovalAnswer, ApprovalRequest } from '../scheduler/approval.js';
import type { SessionSource } from '../session/session-types.js';
import type { AnyTool } from '../tools/tool-registry.js';

/** The part of Node's `process` that says where a program runs. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: () => string;
}

export interface OpenAgentOptions {
  /** Where what is not said otherwise is taken from: Node's `process`, or an object in its place. */
  readonly host: Host;
  /** The workspace. Default: the host's current folder. */
  readonly cwd?: string;
  /** More folders of the workspace, absolute or relative to `cwd`. */
  readonly addDirs?: readonly string[];
  /** Tenon's own folder. Default: `TENON_HOME`, else `.tenon` in the home. */
  readonly tenonHome?: string;
  /** Default: `HOME`, else `USERPROFILE`. */
  readonly userHome?: string;
  /** A model, or what the settings and the environment are to say of it. Default: what these say. */
  readonly model?: ModelPort | ModelSettings;
  /** False: no settings file is read, not even the administrator's. Default true. */
  readonly settings?: boolean;
  /** No looser than the administrator allows. Default: of the settings. */
  readonly approvalMode?: ApprovalMode;
  /** Rules beside those of the settings, such as `Bash(npm test)`. */
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /**
   * Decides on calls that no rule decides on: yes, no, the words for a refusal, or a whole answer. Several may be asked about at once.
   * Default: they are denied.
   */
  readonly approve?: (
    request: ApprovalRequest,
    signal: AbortSignal,
  ) => boolean | string | ApprovalAnswer | Promise<boolean | string | ApprovalAnswer>;
  /** Tools of the program, beside the built-in ones. */
  readonly tools?: readonly (AnyTool | ((config: Config) => AnyTool))[];
  /** For each prompt. No more than the administrator allows. Default: of the settings. */
  readonly limits?: {
    readonly turns?: number;
    readonly calls?: number;
    readonly seconds?: number;
    /** Needs prices in the settings, or in `more`. */
    readonly cost?: number;
  };
  /** An earlier session that goes on. */
  readonly session?: SessionSource;
  /** The program's own, for servers and logs. Default `0`. */
  readonly version?: string;
  /** What else `createAgent` takes; it wins over everything above. */
  readonly more?: Partial<AgentOptions>;
}

export interface SendOptions extends PromptOptions {
  /** Aborting cancels the prompt; the next one goes on from there. */
  readonly signal?: AbortSignal;
}

export interface AskOptions<T> extends SendOptions {
  /** JSON Schema of the answer. A schema that is none is a Failure `schema_unusable`. */
  readonly schema: object;
  /** Checks and types the answer further: a validator's own `parse`. What it throws is told to the model, which tries again. */
  readonly parse?: (answer: unknown) => T;
}

/** What became of one prompt. */
export interface Reply {
  /** The model's last words. */
  readonly text: string;
  readonly stopReason: StopReason;
  /** More about why it stopped, when there is more to say. */
  readonly message?: string;
  /** The last answer reached the model's limit of output tokens: more was to come. */
  readonly isCut?: true;
  readonly turns: number;
  readonly toolCalls: number;
  /** Calls that did not run because nobody could or would approve them. */
  readonly denials: readonly Denial[];
  readonly usage: TokenUsage;
}

/** An agent that a program talks to. One prompt at a time: a second one meanwhile is a Failure `agent_busy`. */
export interface EmbeddedAgent extends AsyncDisposable {
  /** Everything else that it can do. */
  readonly agent: Agent;
  /** What was found wrong with settings, rules and the session, a sentence each. */
  readonly notices: readonly string[];
  /** One prompt, event by event. Who stops reading cancels it. */
  send(text: string, options?: SendOptions): AsyncIterable<AgentEvent>;
  /** One prompt to its end. With a schema the answer is data: when there is none, it is a Failure `no_valid_answer`. */
  ask(text: string, options?: SendOptions): Promise<Reply>;
  ask<T = unknown>(text: string, options: AskOptions<T>): Promise<Reply & { readonly json: T }>;
  /** Ends what still runs and lets go of files. */
  close(): Promise<void>;
}
