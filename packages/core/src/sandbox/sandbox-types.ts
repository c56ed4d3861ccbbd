import type { RefusedHost } from './network/open-link.js';

/** `auto` uses a sandbox where one is proven to hold; `required` runs nothing without it. */
export type SandboxMode = 'off' | 'auto' | 'required';

/** `off`: none, but for the hosts that are named one by one. `on`: the machine's own network, with everything it reaches. */
export type SandboxNetwork = 'off' | 'on';

export type SandboxMechanism = 'bubblewrap' | 'seatbelt' | 'none';

/** Absolute; it exists. */
export interface SandboxPath {
  readonly path: string;
  readonly kind: 'folder' | 'file';
}

/** What one command may do. All paths are absolute, canonical and exist, `placeholders` aside. */
export interface SandboxPlan {
  /** Folders and files that may be changed; everything else of the disk can only be read. */
  readonly writable: readonly string[];
  /** Can be read although they lie in something masked. */
  readonly readable: readonly string[];
  /** In what is writable, but may not be changed. */
  readonly protected: readonly string[];
  /** Folders in what is writable that may not be renamed or replaced; what they hold may be changed. */
  readonly pinned: readonly string[];
  /** In what is writable; do not exist and may not come into existence. While the command runs an empty folder stands there. */
  readonly placeholders: readonly string[];
  /** Can neither be read nor changed. */
  readonly masked: readonly SandboxPath[];
  /** The folder that stands for `/tmp` and `/var/tmp`: not the system's own, but kept from one command to the next. */
  readonly privateTemp: string;
  readonly network: SandboxNetwork;
  /** With the network off: what is reached all the same, as the setting has it (`*.github.com`, `localhost:5432`). */
  readonly hosts: readonly string[];
  /** How many processes and threads the command may hold at a time. Does not bind root. */
  readonly processes: number;
  /** Whether Unix sockets can be made. Where they can, whatever socket a path leads to can be talked to. */
  readonly localSockets: boolean;
}

export interface SandboxRequest {
  readonly argv: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** It gets a terminal of its own: whoever starts it then cannot pass descriptors, and it keeps its session. */
  readonly terminal?: boolean;
}

/** How to start a command so that it is held by the sandbox. */
export interface SandboxedCommand extends SandboxRequest {
  /** Descriptors of this process that the child gets as its 3, 4, …; open until `finish`. None for a terminal. */
  readonly descriptors: readonly number[];
  /**
   * To be called once, when the command and all it started have ended, or it could not be started.
   * Takes away what the sandbox needed. Never rejects.
   */
  finish(): Promise<SandboxFindings>;
}

export interface SandboxFindings {
  /** Control files that came into existence, or changed, while the command ran: the sandbox could not keep these away. */
  readonly controlFiles: readonly string[];
  /** Hosts that the list of allowed ones denied to it, with a sentence each. */
  readonly refusedHosts?: readonly RefusedHost[];
}

/** What was tried inside at the start, and whether it was kept from happening. */
export interface SandboxProbe {
  readonly name: string;
  readonly holds: boolean;
  /** In words, for the status: `files outside the workspace cannot be changed`. */
  readonly promise: string;
}

export interface SandboxStatus {
  readonly mode: SandboxMode;
  readonly mechanism: SandboxMechanism;
  /** One line for a status line. */
  readonly text: string;
  /** Why there is no sandbox; undefined when there is one or none is wanted. */
  readonly problem?: string;
  /** What of the wanted network does not hold, where the rest does. */
  readonly note?: string;
  /** Empty where nothing was tried. */
  readonly probes: readonly SandboxProbe[];
  /** What commands reach: by itself nothing, where there is a mechanism. */
  readonly network?: SandboxNetwork;
  /** As of a plan. */
  readonly hosts?: readonly string[];
}

/** Where none is wanted. */
export const NO_SANDBOX: SandboxStatus = { mode: 'off', mechanism: 'none', text: 'no sandbox (off)', probes: [] };

/** What a command met that it would not have met outside; `setup`: the sandbox itself could not be made. */
export interface SandboxDenial {
  readonly kind: 'write' | 'read' | 'network' | 'local-socket' | 'setup';
  /** Absolute; the path that was meant, where the output names one. */
  readonly path?: string;
  /** The host that was meant, where the output names one. */
  readonly host?: string;
  /** One sentence for the model and the person. */
  readonly message: string;
}

export interface DeniedCommand {
  readonly exitCode: number | null;
  /** What it printed. */
  readonly output: string;
  /** Absolute. */
  readonly cwd: string;
  /** As `finish` told. */
  readonly refusedHosts?: readonly RefusedHost[];
}

export interface Sandbox {
  readonly status: SandboxStatus;
  /**
   * Prepares one command. Without a mechanism the command comes back as it is.
   * @throws Failure `sandbox_required` when the mode is `required` and nothing holds; `sandbox_failed` when it cannot be prepared
   */
  enter(request: SandboxRequest): Promise<SandboxedCommand>;
  /** Undefined when nothing points at the sandbox: the command would fail outside too, or it succeeded. */
  explainDenial(command: DeniedCommand): SandboxDenial | undefined;
}
