import type { ProjectScript } from '../trust/project-scripts.js';

/** When hooks run. The names are those that files of hooks use. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'Notification',
] as const;
export type HookEventName = (typeof HOOK_EVENTS)[number];

/** What of an event its matcher is about, and what else is told of it. */
export interface HookFacts {
  readonly PreToolUse: ToolFacts;
  readonly PermissionRequest: ToolFacts & { readonly reason: string };
  readonly PostToolUse: ToolFacts & { readonly tool_response: ToolResponse };
  readonly PostToolUseFailure: ToolFacts & { readonly error: string };
  readonly UserPromptSubmit: { readonly prompt: string };
  readonly SessionStart: { readonly source: 'startup' | 'resume' | 'clear' | 'compact'; readonly model?: string };
  readonly SessionEnd: { readonly reason: string };
  /** `stop_hook_active`: the agent works on only because a hook would not let it stop. */
  readonly Stop: { readonly stop_hook_active: boolean; readonly last_assistant_message?: string };
  readonly SubagentStop: {
    readonly stop_hook_active: boolean;
    readonly agent_id: string;
    readonly agent_type: string;
    readonly agent_transcript_path?: string;
    readonly last_assistant_message?: string;
  };
  /** `agent_…`: of the subagent whose conversation it is. */
  readonly PreCompact: {
    readonly trigger: 'manual' | 'auto';
    readonly custom_instructions?: string;
    readonly agent_id?: string;
    readonly agent_type?: string;
    readonly agent_transcript_path?: string;
  };
  readonly Notification: { readonly message: string; readonly title?: string; readonly notification_type: string };
}

export interface ToolFacts {
  readonly tool_name: string;
  readonly tool_input: object;
  readonly tool_use_id: string;
}

/** What a call gave: text alone, media as their names. `isCut`: there was more than is told. */
export interface ToolResponse {
  readonly content: string;
  readonly isCut?: true;
  readonly data?: unknown;
}

/** What a hook gets to read, as JSON or as an object. */
export type HookInput<E extends HookEventName = HookEventName> = {
  readonly [K in E]: {
    readonly hook_event_name: K;
    readonly session_id: string;
    /** Absolute; empty where nothing is logged. */
    readonly transcript_path: string;
    /** The first root. */
    readonly cwd: string;
    readonly permission_mode: string;
  } & HookFacts[K];
}[E];

/** Whose names for tools, parameters and modes a hook expects: Tenon's own, or those of the agent that it was written for. */
export type HookDialect = 'tenon' | 'claude' | 'qwen';

interface HookCommon {
  readonly event: HookEventName;
  /** For people and the log. */
  readonly name: string;
  /** Where it is written, for people. */
  readonly origin: string;
  /** Which tools, or which kinds of the event; absent: all. */
  readonly matcher?: string;
  /** A rule that a call must be about as well. */
  readonly condition?: string;
  readonly timeoutMs: number;
  /** True: where it fails, what it was asked about does not happen. */
  readonly failClosed: boolean;
  /** True: nobody waits for it, and what it says does not count. */
  readonly isAsync?: boolean;
  readonly dialect: HookDialect;
}

/** A program: JSON on its standard input, its word by exit code and standard output. */
export interface CommandHook extends HookCommon {
  readonly kind: 'command';
  /** A text for the shell; with `args` the program itself, without one. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly shell?: 'bash' | 'powershell';
  readonly env?: Readonly<Record<string, string>>;
  /** Of a folder's own: it only runs while these files of the folder are what they were when somebody agreed to it. */
  readonly bound?: { readonly root: string; readonly scripts: readonly ProjectScript[] };
}

/** An address: the same JSON is posted, its word is the JSON in the answer. */
export interface HttpHook extends HookCommon {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The only variables that `$NAME` in headers stands for. */
  readonly allowedEnvVars: readonly string[];
}

/** A function of the program that uses the library. */
export interface FunctionHook extends HookCommon {
  readonly kind: 'function';
  readonly run: (input: HookInput, signal: AbortSignal) => unknown;
}

export type HookDefinition = CommandHook | HttpHook | FunctionHook;

/** What a hook says, understood. */
export interface HookAnswer {
  readonly decision?: 'deny' | 'ask' | 'allow';
  readonly reason?: string;
  /** The arguments to use in place of those of the call. */
  readonly updatedInput?: object;
  /** For the model. */
  readonly context?: string;
  /** What the model is told in place of the result. */
  readonly updatedOutput?: string;
  /** The work on the prompt is to end, and why. */
  readonly stop?: string;
  /** For the person. */
  readonly message?: string;
}

/** One run of one hook. `answer`: as far as it could be understood. */
export interface HookRun {
  readonly hook: Pick<HookDefinition, 'event' | 'name' | 'failClosed'>;
  readonly answer: HookAnswer;
  /** What went wrong: a sentence. */
  readonly problem?: string;
  readonly durationMs: number;
}

/** What one hook did, for the log and the doors. */
export interface HookRunEvent {
  readonly type: 'hook-run';
  readonly event: HookEventName;
  readonly name: string;
  /** The call that it was about. */
  readonly callId?: string;
  readonly durationMs: number;
  readonly outcome: 'passed' | 'denied' | 'asked' | 'allowed' | 'changed' | 'stopped' | 'failed';
  readonly reason?: string;
  /** What it says to the person. */
  readonly message?: string;
  /** It wants the work on the prompt to end. */
  readonly stops?: true;
  /** What went wrong, or did not count. */
  readonly problem?: string;
  /** The arguments that are used since. */
  readonly updatedInput?: object;
}

/** What the library is given. */
export interface HookOptions {
  /** In the order in which their words are put together. */
  readonly list: readonly HookDefinition[];
  /** True: where one allows a call, a question that the mode alone asks is not asked. Default false. */
  readonly mayAllow?: boolean;
}
