import type * as Node from '@modelcontextprotocol/node';
import type * as Sdk from '@modelcontextprotocol/server';
import type { InputRequiredResult, RequestStateCodec, ServerContext } from '@modelcontextprotocol/server';
import type { Report, ServedTools } from './served-tools.js';

/** The SDK, loaded when something is served and not before: it takes a tenth of a second. */
export type ServerSdk = typeof Sdk;

/** Its adapter for Node's HTTP server. */
export type NodeSdk = typeof Node;

/** What one request of a client leaves with the client for its next round. Signed: it comes back from outside. */
export interface RoundState {
  /** Of the question that was put. */
  readonly digest?: string;
  /** The client's folders, asked for once in a request. */
  readonly roots?: readonly string[];
  /** The last number of progress. */
  readonly progress: number;
}

/** What all connections of one server share. */
export interface Serving {
  readonly sdk: ServerSdk;
  readonly tools: ServedTools;
  readonly codec: RequestStateCodec<RoundState>;
  readonly report: Report;
  /** Calls under way. */
  readonly running: Set<object>;
}

/** One client, as far as it can be told from others. */
export interface ClientConnection {
  readonly owner: string;
  /** False: each request stands alone (2026-07-28 over HTTP), so that nothing can be granted for longer than a call. */
  readonly isLasting: boolean;
}

export type Asking = InputRequiredResult;

/** @throws nothing: the SDK takes care of what does not verify */
export function stateOf(context: ServerContext): RoundState {
  return context.mcpReq.requestState<RoundState>() ?? { progress: 0 };
}
