/** What else than text it may bring counts only where it lies in Tenon's own folders. */
export interface ExtensionHome {
  /** Absolute; need not exist. */
  readonly folder: string;
  readonly origin: 'user' | 'project';
  /** False for folders of other agents: what of it would run code waits until it is installed here. */
  readonly runsCode: boolean;
  /** Of a project, canonical: what the extension must really lie in. */
  readonly within?: string;
}

/** Folders of text that a manifest may have elsewhere. */
export type TextPart = 'skills' | 'agents' | 'commands';

/** What stands in a manifest, checked. */
export interface ExtensionManifest {
  readonly name: string;
  readonly version?: string;
  /** One line, cleaned. */
  readonly description?: string;
  /** Relative to the extension. Undefined: what its kind is used to have. */
  readonly contextFileNames?: readonly string[];
  /** Relative to the extension; the first that is there counts. Undefined: that of its own name. */
  readonly folders: Readonly<Partial<Record<TextPart, readonly string[]>>>;
  /** With their blanks filled. */
  readonly mcpServers: Readonly<Record<string, unknown>>;
  readonly excludeTools: readonly string[];
  /** What of it does not count, a sentence each. */
  readonly notes: readonly string[];
}

/** The hooks of an extension as they are written, with their blanks filled. */
export interface ExtensionHooks {
  readonly value: unknown;
  /** Hex SHA-256 of the file. */
  readonly digest: string;
}

/** An extension that was read; nothing of it was run. */
export interface FoundExtension extends ExtensionManifest {
  readonly home: ExtensionHome;
  /** Absolute, as it was found. */
  readonly folder: string;
  /** The same, canonical. */
  readonly real: string;
  /** Whose manifest it has. */
  readonly kind: 'tenon' | 'qwen' | 'gemini';
  /** Name of the manifest's file. */
  readonly manifest: string;
  /** Hex SHA-256 of the manifest. */
  readonly digest: string;
  /** Folders in it that are there, canonical. */
  readonly parts: Readonly<Partial<Record<TextPart | 'tools', string>>>;
  readonly hooks?: ExtensionHooks;
  /** Names of its context files that are there, relative to it. */
  readonly contextFiles: readonly string[];
}

/**
 * `used`; `off`: settings switch it off; `withheld`: the folder that it came with is not trusted; `shadowed`: another of that
 * name counts.
 */
export type ExtensionState = 'used' | 'off' | 'withheld' | 'shadowed';

/** An extension as the settings leave it. */
export interface Extension {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly origin: 'user' | 'project';
  /** Absolute, as it was found. */
  readonly folder: string;
  /** Canonical. */
  readonly real: string;
  readonly manifest: string;
  readonly state: ExtensionState;
  /** Why it is in no use: a sentence. */
  readonly why?: string;
  /** What it has, used or not. */
  readonly brings: {
    readonly skills?: string;
    readonly agents?: string;
    readonly commands?: string;
    readonly tools?: string;
    readonly hooks: boolean;
    readonly servers: readonly string[];
    readonly contextFiles: readonly string[];
    readonly excludeTools: readonly string[];
  };
  /** What of it does not count, a sentence each. */
  readonly notes: readonly string[];
}
