import type { ServerDefinition } from './server-definition.js';

export type ServerState =
  | 'idle'
  | 'connecting'
  | 'ready'
  | 'failed'
  /** It was there, and is gone; the next use connects it again. */
  | 'lost'
  | 'needs-sign-in'
  | 'disabled';

export interface ServerStatus {
  readonly state: ServerState;
  /** Why it failed, was lost, or what is wrong with its lists: for the person, one line or a few. */
  readonly reason?: string;
  /** The last that it wrote to its standard error, at most 2,000 characters. */
  readonly lastStderr?: string;
  /** What it says of itself, once it was ready. */
  readonly server?: { readonly name: string; readonly version: string; readonly title?: string };
  readonly protocolVersion?: string;
  readonly tools?: number;
  /** How long the last start took. In milliseconds. */
  readonly startedInMs?: number;
}

/** What a server declared, once it was ready. */
export interface ServerFeatures {
  readonly tools: boolean;
  readonly resources: boolean;
  readonly subscribe: boolean;
  readonly prompts: boolean;
  readonly completions: boolean;
  readonly logging: boolean;
}

/** A list with all pages that could be had, and what was wrong with it: that never costs what came. Entries are objects, else unchecked. */
export interface ServerList {
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly problems: readonly string[];
}

export interface ServerProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ServerCallOptions {
  readonly signal: AbortSignal;
  /** At most ten a second. */
  readonly onProgress?: (progress: ServerProgress) => void;
  /**
   * The tool has no effect a second time, or none at all, and the server is trusted: it may be called again when the
   * connection was lost.
   */
  readonly mayRepeat?: boolean;
  /** `Mcp-Param-*` of Streamable HTTP, by name without the prefix, as they are sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The tool must be run as a task (`execution.taskSupport: "required"`). */
  readonly asTask?: boolean;
}

export type ServerChange =
  { readonly kind: 'status' | 'tools' | 'prompts' | 'resources' } | { readonly kind: 'resource'; readonly uri: string };

/**
 * One server, connected when it is first needed and again when it was lost. Everything here throws a `Failure`
 * (`mcp_unavailable`, `mcp_timeout`, `mcp_error`, `mcp_needs_sign_in`, `mcp_cancelled`) whose message names the server and
 * what to do, and the signal's reason once that is aborted.
 */
export interface McpServer {
  readonly definition: ServerDefinition;
  status(): ServerStatus;
  /** Undefined until it was ready once. */
  features(): ServerFeatures | undefined;
  /** What the server tells about its use; undefined until it was ready, or when it tells nothing. */
  instructions(): string | undefined;
  /** Connects unless it is connected. */
  connect(signal: AbortSignal): Promise<void>;
  listTools(signal: AbortSignal): Promise<ServerList>;
  /** The result as it came, whatever its form: an object with `content` and so on if the server is sound. */
  callTool(name: string, args: object, options: ServerCallOptions): Promise<unknown>;
  listResources(signal: AbortSignal): Promise<ServerList>;
  listResourceTemplates(signal: AbortSignal): Promise<ServerList>;
  /** The result as it came: an object with `contents`. */
  readResource(uri: string, signal: AbortSignal): Promise<unknown>;
  /** Changes are told to `onChange` as `resource`. Repeated after a reconnect. */
  subscribe(uri: string, signal: AbortSignal): Promise<void>;
  unsubscribe(uri: string, signal: AbortSignal): Promise<void>;
  listPrompts(signal: AbortSignal): Promise<ServerList>;
  /** The result as it came: an object with `messages`. */
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown>;
  /** Nothing when the server does not complete. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<readonly string[]>;
  onChange(listener: (change: ServerChange) => void): () => void;
  /** Ends the connection and, for a program, the program with all that it started. The next use connects it again. */
  disconnect(): Promise<void>;
}

export interface CompletionRequest {
  readonly ref:
    { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: Readonly<Record<string, string>>;
}

export interface McpClients {
  readonly servers: readonly McpServer[];
  server(alias: string): McpServer | undefined;
  /** Connects all that are not disabled, side by side. Returns at once; never throws. */
  start(): void;
  /** Resolves when each server is ready, has failed, or has used its time to start; rejects with the signal's reason only. */
  settled(signal: AbortSignal): Promise<void>;
  /** The workspace has other folders now. */
  rootsChanged(): void;
  close(): Promise<void>;
}

/** A question of a server to the person. `form` as in `elicitation/create`: an object schema of plain fields. */
export type ServerQuestion =
  | { readonly kind: 'form'; readonly message: string; readonly schema: Readonly<Record<string, unknown>> }
  | { readonly kind: 'url'; readonly message: string; readonly url: string; readonly id: string };

export type QuestionAnswer =
  | {
      readonly action: 'accept';
      readonly content?: Readonly<Record<string, unknown>>;
      /** Of a page: called once when the server says that it is done. */
      readonly onDone?: () => void;
    }
  | { readonly action: 'decline' | 'cancel' };

/** What servers may ask of the one who uses them. */
export interface McpHost {
  readonly client: { readonly name: string; readonly version: string };
  roots(): readonly { readonly uri: string; readonly name: string }[];
  /** Undefined where nobody can be asked: servers are told so. */
  readonly ask?: (alias: string, question: ServerQuestion, signal: AbortSignal) => Promise<QuestionAnswer>;
  /** A server says that its page for a question was done, for which no call waits (`notifications/elicitation/complete`). */
  readonly asked?: (alias: string, id: string) => void;
  /** `sampling/createMessage`, params and result as they are on the wire. Only for servers with `sampling`. */
  readonly sample?: (alias: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<object>;
  /** Log messages and standard error of servers, line by line, unclean. */
  readonly log?: (alias: string, level: string, text: string) => void;
  /** How one signs in at a server; undefined for a server without. Made anew for each connection. */
  readonly authFor?: (definition: ServerDefinition) => ServerAuth | undefined;
}

/**
 * What the SDK takes as `OAuthClientProvider`, and what belongs to it here. `unknown` keeps the SDK's types out of what
 * everybody imports; `mcp/auth` makes it and `mcp/connect` hands it on.
 */
export interface ServerAuth {
  readonly provider: unknown;
  /** All requests of the connection go through it, if it is there. */
  readonly fetch?: typeof fetch;
}
