/**
 * What a call would do, as data (design section 1.1). One small vocabulary serves the policy, the
 * scheduler, the prompts and the annotations of every door. An effect is stated before anything
 * happens; a call that cannot say what it would do states `unknown` with the reason.
 */

/** Where a path lies: inside a workspace root, inside the project's own temp folder, or elsewhere. */
export type Zone = 'workspace' | 'temp' | 'outside';

/** Touching one path, or a whole tree below it. */
export interface PathEffect {
  readonly kind: 'read' | 'write' | 'delete';
  /** Absolute path after every link was followed. */
  readonly path: string;
  /** Absolute path as it was asked for; equal to `path` where no link is on the way. */
  readonly requested: string;
  readonly zone: Zone;
  /** `tree`: the folder and everything below it. */
  readonly scope?: 'tree';
}

/** Starting one program. A command line of several simple commands states one of these for each. */
export interface RunEffect {
  readonly kind: 'run';
  /** The simple command as it was written, white space folded. */
  readonly command: string;
  /** The words of the command after quoting was resolved; the first is the program. */
  readonly argv: readonly string[];
  /** Canonical folder that it starts in: the same words mean something else in another one. */
  readonly directory: string;
  /** Of `directory`. */
  readonly zone: Zone;
  /** True when it is known to change nothing and to start nothing else (`pwd`, `sleep 1`). */
  readonly readOnly: boolean;
}

/** Talking to a network host. */
export interface FetchEffect {
  readonly kind: 'fetch';
  readonly host: string;
  readonly url: string;
}

/** Handing work to another agent. */
export interface DelegateEffect {
  readonly kind: 'delegate';
  readonly agent: string;
}

/** Putting a question to the person, or showing them something to decide on. */
export interface AskEffect {
  readonly kind: 'ask';
}

/** Something that could not be worked out. Never allowed silently. */
export interface UnknownEffect {
  readonly kind: 'unknown';
  readonly reason: string;
}

export type Effect = PathEffect | RunEffect | FetchEffect | DelegateEffect | AskEffect | UnknownEffect;

export function isPathEffect(effect: Effect): effect is PathEffect {
  return effect.kind === 'read' || effect.kind === 'write' || effect.kind === 'delete';
}
