/**
 * What a call would do, as data (design section 1.1). One small vocabulary serves the policy, the
 * scheduler, the prompts and the annotations of every door. An effect is stated before anything
 * happens; a call that cannot say what it would do states `unknown` with the reason.
 */

/**
 * Where a path lies: inside a workspace root, inside the project's own temp folder, in the folder of a skill that the person
 * keeps elsewhere for agents to read, or elsewhere.
 */
export type Zone = 'workspace' | 'temp' | 'skill' | 'outside';

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
  /**
   * Of reading a tree: what deny and ask rules speak of below is neither read nor told, however the call goes. Believed
   * of built-in tools only (`leavesOutWithheld`).
   */
  readonly leavesOut?: 'denied';
  /** Set on a write if the file has other names (hard links). These may lie anywhere and change with it. */
  readonly hasOtherNames?: true;
  /** The path is the most that this word of a command may stand for, as it was written: which it is cannot be told. */
  readonly atWorstOf?: string;
  /** The command of the same call that does it, where it is not the tool itself. */
  readonly by?: RunEffect;
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
  /** True when it is known to change nothing (`pwd`, `cat x`): it does nothing but what the call's other effects say, and those only read. */
  readonly readOnly: boolean;
  /** True when all that it does is told by the call's other effects, so that they alone decide (`mkdir x`). */
  readonly isStated?: boolean;
  /** True if the variables in front of it keep the meaning of an allow rule for the command (`CI=1 npm test`). */
  readonly keepsRules?: boolean;
  /** It runs in a sandbox that was proven to hold: what it does ends there. */
  readonly isContained?: boolean;
  /** Set for a program that runs code of the folder: true if the user agreed to that code when they trusted the folder. */
  readonly isAgreed?: boolean;
  /**
   * Why nothing is known of it: it is the whole text of a shell that is not analysed. `command` is that text as it was
   * written, line breaks included; only an allow rule that speaks of all of it speaks of it.
   */
  readonly unread?: string;
  /** Set on the first command of a shell text with more than that command: the whole text as written, and the folder where it starts. */
  readonly whole?: { readonly text: string; readonly directory: string };
}

/** Talking to a network host. */
export interface FetchEffect {
  readonly kind: 'fetch';
  readonly host: string;
  readonly url: string;
  /** It gets what is there and sends nothing but the address, or the words to search for. Stated by built-in tools only. */
  readonly onlyReads?: true;
  /** As of a path. */
  readonly by?: RunEffect;
  /** The command runs in a sandbox that lets it reach this host, and no host that nobody named. */
  readonly isContained?: boolean;
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
  /** Set if it concerns only the shell text of the call: the text as a whole says what is done. */
  readonly isOfText?: true;
  /** The command that it is about, if it is about one. */
  readonly by?: RunEffect;
  /** The number of words that an allow rule must spell out to answer it. Its author then means what they do. */
  readonly spelledOut?: number;
  /** As of a program. */
  readonly isContained?: boolean;
}

/**
 * A call of a tool that others wrote: a server's, or one that a discovery command found. What happens there is not seen here;
 * what is said of it is a word that somebody gave.
 */
export interface ForeignEffect {
  readonly kind: 'foreign';
  /** The server's alias as the person wrote it, or `discovered`. */
  readonly from: string;
  /** As its own side calls it. */
  readonly tool: string;
  /** `reads` only where the person trusts whoever says so; without any word `unknown`. */
  readonly does: 'reads' | 'changes' | 'destroys' | 'unknown';
  /** Why it is taken for that: words that go on behind "since". */
  readonly reason: string;
  /** Hash of the tool's definition: an approval holds for one definition. */
  readonly definition?: string;
  /** Where the server is reached, unless it is a program on this machine: deny and ask rules on hosts speak of it. */
  readonly at?: { readonly host: string; readonly url: string };
}

/** Putting a secret, which the model knows by its placeholder only, where the call says. */
export interface SecretEffect {
  readonly kind: 'secret';
  /** As it stands in the placeholder. */
  readonly name: string;
  /** Where it goes: words behind "into". */
  readonly into: string;
}

export type Effect =
  PathEffect | RunEffect | FetchEffect | DelegateEffect | AskEffect | SecretEffect | ForeignEffect | UnknownEffect;

/** Why nobody knows all that it does; undefined where it is known. */
export function doubtOf(effect: Effect): string | undefined {
  if (effect.kind === 'unknown') return effect.reason;
  if (effect.kind === 'foreign') return effect.does === 'reads' ? undefined : unseenIn(effect);
  return effect.kind === 'run' ? effect.unread : undefined;
}

export function isPathEffect(effect: Effect): effect is PathEffect {
  return effect.kind === 'read' || effect.kind === 'write' || effect.kind === 'delete';
}

/** Who is called, for people and for the model: words behind "call" and the like. */
export function foreignName({ from, tool, at }: ForeignEffect): string {
  if (from === DISCOVERED) return `the discovered tool ${tool}`;
  return `${tool} of the server ${from}${at === undefined ? '' : ` at ${at.host}`}`;
}

/** `from` of a tool that a discovery command found. */
export const DISCOVERED = 'discovered';

/** Which files and hosts such a tool touches stands in none of its effects. */
export function unseenIn(effect: ForeignEffect): string {
  return `what ${foreignName(effect)} touches is not seen`;
}
