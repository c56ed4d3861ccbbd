/** Where a definition stands, the highest first: what a project says never changes what the person or an administrator said of the same alias. */
export type ServerOrigin = 'managed' | 'user' | 'project' | '.mcp.json' | 'host';

/** A program that is started and spoken to over its standard input and output. */
export interface StdioServer {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Added to the few variables that every server gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** `auto`: Streamable HTTP, or the older SSE where a server knows nothing else. */
export interface RemoteServer {
  readonly kind: 'http' | 'sse' | 'auto';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersHelper?: HeadersHelper;
  readonly oauth?: OAuthSettings;
}

/** A program that prints headers for the requests to a server: a JSON object of names and texts. */
export interface HeadersHelper {
  readonly argv: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
}

/** How a program signs the proof that it is the client (RFC 7523). */
export interface ClientKey {
  /** The absolute path of a PEM file, or the text of one. */
  readonly privateKey: string;
  /** Of JWS. Undefined: what fits the key. */
  readonly algorithm?: string;
}

/** All of it may be left out: then it is found out, and the client registers itself. */
export interface OAuthSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  /** Port of the loopback address to which the browser comes back. Default: any that is free. */
  readonly callbackPort?: number;
  /** No person signs in: the client gets tokens by itself. `clientId` is there, and `clientSecret` or `key`. */
  readonly grant?: 'client_credentials';
  readonly key?: ClientKey;
  /** The only one that gets to see the client's secret. Undefined: the one that the server named first. */
  readonly issuer?: string;
}

/** What the settings say of one server, complete: defaults filled in, variables replaced, checked. */
export interface ServerDefinition {
  /** As the person wrote it. */
  readonly alias: string;
  readonly origin: ServerOrigin;
  readonly transport: StdioServer | RemoteServer;
  /** For one call without any sign of life. In milliseconds. */
  readonly timeoutMs: number;
  /** The longest time of one call in total, even with progress. In milliseconds. Undefined: see `longestCallMs`. */
  readonly longestMs?: number;
  /** Until it must have answered for the first time. In milliseconds. */
  readonly startupMs: number;
  /** The person trusts it: its tools' own word counts for what they do. Never said by a project. */
  readonly trust: boolean;
  /** Globs over the server's own names. Undefined: all. */
  readonly includeTools?: readonly string[];
  readonly excludeTools: readonly string[];
  /** May it ask for the model's help at all; the person is asked each time. */
  readonly sampling: boolean;
  /** `legacy`: begin with `initialize`. `auto`: ask for the revision without sessions first. */
  readonly negotiation: 'legacy' | 'auto';
  readonly disabled: boolean;
}
