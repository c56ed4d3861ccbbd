import type { ServerState } from '../mcp/mcp-types.js';
import type { ContentPart } from '../mcp/catalog/content-parts.js';

/** One configured server, for people. */
export interface ServerOverview {
  readonly alias: string;
  readonly state: ServerState;
  readonly reason?: string;
  /** It said what tools it has; until then `tools` holds none. */
  readonly isListed: boolean;
  /** Names by which models and rules know its tools. What was listed since the last request counts. */
  readonly tools: readonly string[];
  /** Tools that changed or are new, and wait for the person, as the server calls them. */
  readonly held: readonly string[];
  /** Where what it logs and writes to its standard error stands. */
  readonly logFile: string;
}

/** A text with blanks to fill in that a server offers, chosen as `/alias:name`. */
export interface ServerPrompt {
  readonly alias: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

/** What a person does with servers beside prompts. Everything that servers say in it is untrusted text. */
export interface AgentServers {
  list(): readonly ServerOverview[];
  /** Ends the connection and connects anew. @throws Failure */
  reconnect(alias: string, signal: AbortSignal): Promise<void>;
  /** Of the servers that are connected, in their order. */
  prompts(signal: AbortSignal): Promise<readonly ServerPrompt[]>;
  /** Of one server, connected first. @throws Failure for a server or a prompt that there is not, or a missing argument. */
  prompt(request: PromptRequest, signal: AbortSignal): Promise<readonly ContentPart[]>;
  /** What may stand in an argument; nothing where the server does not tell. */
  complete(
    request: PromptRequest & { readonly argument: string; readonly value: string },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
}

export interface PromptRequest {
  readonly alias: string;
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}
