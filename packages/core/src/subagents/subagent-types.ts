import type { ApprovalMode } from '../policy/approval-mode.js';
import type { ExtensionPlace } from '../util/extension-place.js';

/** A kind of agent that work can be handed to. */
export interface AgentDefinition {
  /** What `subagent_type` names it by: letters, digits, dots, underscores and dashes. */
  readonly name: string;
  /** When to use it, for the model. */
  readonly description: string;
  /** Its own part of the system prompt. */
  readonly instructions: string;
  /** The only tools that it has, as rules name them; undefined: those of the agent above. */
  readonly tools?: readonly string[];
  /** Tools that it has not. */
  readonly disallowedTools?: readonly string[];
  /** As `--model` takes it. Undefined: that of the agent above. */
  readonly model?: string;
  /** Never looser than the mode of the agent above, whatever stands here. */
  readonly approvalMode?: ApprovalMode;
  readonly maxTurns?: number;
  readonly maxSeconds?: number;
  readonly isBackground?: boolean;
  readonly isolation?: 'worktree';
  readonly origin: 'built-in' | 'user' | 'project';
  /** Absolute; undefined for what is built in. */
  readonly file?: string;
  /** Of the extension that brings it. */
  readonly extension?: string;
}

/** What a person decides about subagents. */
export interface AgentSettings {
  /** The person trusts the folder: kinds of agents that its files describe may be used. Default false. */
  readonly isTrusted?: boolean;
  /** Turns that one may take where its definition says nothing. Default 50. */
  readonly maxTurns?: number;
  /** Seconds that one may take where its definition says nothing, questions not counted. Default 1800. */
  readonly maxSeconds?: number;
  /** How many work at the same time; the others wait in their order. Default 8. */
  readonly maxParallel?: number;
  /** How far agents may hand work on: 1 is to agents that hand on none. Default 3. */
  readonly maxDepth?: number;
  /** Folders of extensions that bring some. */
  readonly extensions?: readonly ExtensionPlace[];
}

/** What is handed on. */
export interface SubagentOrder {
  /** In a few words, for people. */
  readonly description: string;
  readonly prompt: string;
  /** Name of a definition. */
  readonly agent: string;
  readonly isBackground: boolean;
  readonly isolation: 'worktree' | undefined;
  /** Of the call that hands it on. */
  readonly callId: string;
}

/** How it ended. */
export interface SubagentReport {
  readonly agentId: string;
  readonly stopReason: string;
  /** Its last words. */
  readonly text: string;
  /** Why it stopped, where it did not come to its end. */
  readonly message?: string;
  readonly turns: number;
  readonly toolCalls: number;
  readonly durationMs: number;
  /** All that it said and did, as text that tools can read: absolute. */
  readonly transcript: string;
  /** With a worktree of its own: what it changed, and what became of that. */
  readonly worktree?: WorktreeReport;
}

export interface WorktreeReport {
  /** Paths relative to the workspace. */
  readonly changed: readonly string[];
  /** `kept`: it was not taken over; `folder` holds it still. */
  readonly state: 'unchanged' | 'applied' | 'kept';
  readonly folder?: string;
  /** What it changed as a patch that tools can read, where it was not taken over: absolute. */
  readonly patch?: string;
  /** A sentence, where it was not taken over. */
  readonly problem?: string;
}

/** One that works in the background, or did. */
export interface BackgroundSubagent {
  readonly agentId: string;
  readonly agent: string;
  readonly description: string;
  readonly state: 'running' | 'ended';
  readonly startedAt: number;
  /** What it does now, or did last, in a few words; empty before it has done anything. */
  readonly doing: string;
  /** Once it has ended. */
  readonly report?: SubagentReport | undefined;
  /** Resolves when it has ended and the report is there. Never rejects. */
  readonly ended: Promise<unknown>;
  /** Whether the model was told of its end. */
  readonly endSeen: boolean;
  noteEndSeen(): void;
}

/** Who takes work from an agent. */
export interface Subagents {
  /** The kinds that the agent may hand work to, by name; in the order in which models see them. */
  definitions(): readonly AgentDefinition[];
  /** How many agents are above: 0 for the one that talks with the person. */
  readonly depth: number;
  /** Why no work can be handed on from here; undefined where it can. */
  refusal(): string | undefined;
  /** Resolves when the work is done. Rejects with the signal's reason only, once all that it started has ended. */
  run(order: SubagentOrder, signal: AbortSignal, update: (status: string) => void): Promise<SubagentReport>;
  /** Works on while the agent above goes on; told to it when it ends. */
  start(order: SubagentOrder): Promise<BackgroundSubagent>;
  background(): readonly BackgroundSubagent[];
  /** False when none of that id runs. */
  stop(agentId: string): Promise<boolean>;
}
