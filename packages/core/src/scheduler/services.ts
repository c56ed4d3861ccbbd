import type { CallContext } from '../effects/call-context.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import type { CallHooks } from '../hooks/call-hooks.js';
import type { RuleCompiler } from '../policy/compile-rules.js';
import type { UntrustedContent } from '../policy/untrusted-content.js';
import type { PolicyContext } from '../policy/verdict.js';
import type { ShellProgram } from '../process/shell-program.js';
import type { Secrets } from '../secrets/secrets.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { Approver } from './approval.js';
import type { CallStops } from './call-stop.js';

/** How much of a result the model gets; the rest is saved to a file it may open. */
export interface OutputLimits {
  readonly maxBytes: number;
  readonly maxTokens: number;
  readonly maxMediaBytes: number;
}

/**
 * Above what the built-in tools keep to by themselves (at most 48 KB, which is 39,322 tokens where all are digits), so
 * that a result they have cut, with directions of their own, is not cut again. It catches everyone else's.
 */
export const DEFAULT_OUTPUT_LIMITS: OutputLimits = {
  maxBytes: 64 * 1024,
  maxTokens: 42_000,
  maxMediaBytes: 14 * 1024 * 1024,
};

/** On whose behalf calls are made. */
export type Caller = Omit<CallContext, 'callId' | 'toolName' | 'title'>;

/** The caller when a person or a program makes the call itself. */
export const NO_AGENT: Caller = { stillShown: () => false };

/** What the life of a call needs from outside. */
export interface SchedulerServices {
  readonly registry: ToolRegistry;
  readonly gate: WorkspaceGate;
  /** Asked anew for every decision: the mode and the grants change while a session runs. */
  readonly policyContext: () => PolicyContext;
  /** Told what calls brought in, and what the person agreed to, so that `policyContext` knows it. */
  readonly untrusted?: UntrustedContent;
  /** Spares reading the rules anew for each call. */
  readonly ruleCompiler?: RuleCompiler;
  /** Saves rules that the person granted. `call`: what they were granted for, in one line. */
  readonly grant: (rules: readonly string[], scope: 'session' | 'project', call: string) => Promise<void>;
  /** Spares each call the making of its signal. */
  readonly stops?: CallStops;
  /** The shell that reads commands. Default: bash. */
  readonly shell?: ShellProgram;
  /** Absent where none are configured. */
  readonly hooks?: CallHooks;
  /** Hides secrets in all that is told, and puts them back. Absent: nothing is hidden. */
  readonly secrets?: Secrets;
  /** Absent when nobody can be asked. */
  readonly approver: Approver | undefined;
  /** Saves text in the project's temp folder and returns the absolute path. */
  readonly spill: (text: string) => Promise<string>;
  readonly limits: OutputLimits;
  /** The kinds of notes on arguments that the model already has. Absent: the model gets every note, every time. */
  readonly toldRepairs?: Set<string>;
  /** The subagent whose calls these are, as people are told; absent for the agent that talks with them. */
  readonly agent?: string;
  /** Its id in the session; present with `agent`. */
  readonly agentId?: string;
  /** Asked for each call. */
  readonly caller: () => Caller;
}
