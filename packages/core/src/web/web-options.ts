import type { Environment } from '../network/choose-proxy.js';

/** All addresses of a name. May reject. */
export type ResolveName = (host: string) => Promise<readonly string[]>;

/** One pass of a model over a text that came from outside: what it has to say to `prompt`. */
export type Summarize = (text: string, prompt: string, signal: AbortSignal) => Promise<string>;

/** What reaching the web goes by in one session. */
export interface WebOptions {
  /** Where the variables stand that name proxies; see `chooseProxy`. */
  readonly environment?: Environment;
  /** Hosts that may be reached although they are not public, as `parseAllowedHost` reads them. Default: none. */
  readonly allowPrivateHosts?: readonly string[];
  /** True: `http:` is asked for as `https:`. Default false. */
  readonly upgradeHttp?: boolean;
  /** After content from outside came in, what would send data out is asked about although a rule allows it. Default true. */
  readonly askAfterUntrusted?: boolean;
  /** Of one body, unpacked. In bytes. Default: 10 MiB. */
  readonly maxBytes?: number;
  /** For one call from its start to the last byte. In milliseconds. Default: 60 seconds. */
  readonly timeoutMs?: number;
  /** For a connection. In milliseconds. Default: 10 seconds. */
  readonly connectMs?: number;
  /** Of silence before an answer and within it. In milliseconds. Default: 20 seconds. */
  readonly idleMs?: number;
  /** Default: the system's own. */
  readonly resolve?: ResolveName;
  /** Absent where there is no model. */
  readonly summarize?: Summarize;
}
