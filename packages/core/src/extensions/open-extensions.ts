import { DISCOVERED } from '../effects/effect.js';
import type { Approver } from '../scheduler/approval.js';
import { label } from '../mcp/catalog/content-parts.js';
import { ToolPins } from '../mcp/catalog/pins-file.js';
import { mcpServerPart } from '../mcp/catalog/tool-names.js';
import type { McpClients, McpServer, ServerChange, ServerState } from '../mcp/mcp-types.js';
import { plainToolName, serverOf } from '../policy/tool-aliases.js';
import type { ToolRuntime } from '../runtime.js';
import { contentPorts } from '../tools/foreign-content.js';
import { McpResourceTool } from '../tools/mcp-resource.js';
import { ToolNames } from '../tools/tool-names.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { BaseTool } from '../tools/tools.js';
import { abortable, timeLimit } from '../util/abort.js';
import { errorMessage, Failure } from '../util/failure.js';
import type { AgentServers, ServerOverview } from './extension-types.js';
import { askAboutHeld } from './held-tools.js';
import { News } from './news.js';
import { cleanInstructions, type ServerInstructions } from './server-instructions.js';
import { promptContent, promptsOf } from './server-prompts.js';
import { ServerTools } from './server-tools.js';

export interface ExtensionsNeeds {
  /** Undefined where no server is configured. */
  readonly clients: McpClients | undefined;
  /** Runs the discovery command; undefined where there is none. Never rejects but with the signal's reason. */
  readonly discover?: (
    signal: AbortSignal,
  ) => Promise<{ readonly tools: readonly BaseTool[]; readonly problems: readonly string[] }>;
  readonly registry: ToolRegistry;
  readonly runtime: Pick<ToolRuntime, 'getTempDir' | 'getSecrets' | 'getFileChanges'>;
  /** The project's own folder: pins. */
  readonly folder: string;
  readonly approver: Approver | undefined;
  readonly logFile: (alias: string) => string;
}

/** After a server is ready, how much longer its list of tools may take before the first prompt goes on without. */
const LIST_MS = 10_000;
const MOST_NAMED = 20;
const BUILT_IN: ReadonlySet<string> = new Set(Object.values(ToolNames));

/** Waits for a question to the user. */
type Asking = (ask: () => Promise<void>) => Promise<void>;

/** Tools that come from outside: of servers and of the discovery command. Their programs run only once they are needed. */
export class Extensions {
  readonly #needs: ExtensionsNeeds;
  readonly #tools: ReadonlyMap<McpServer, ServerTools>;
  readonly #closing = new AbortController();
  readonly #pins: ToolPins;
  readonly #news = new News();
  readonly #states = new Map<McpServer, ServerState>();
  readonly #asked = new Set<string>();
  #discovering: Promise<void> | undefined;
  #discovered: readonly BaseTool[] = [];
  #instructions: readonly ServerInstructions[] | undefined;
  /** Servers that had a call allowed. The model gets no instructions from other untrusted servers. */
  readonly #allowed = new Set<McpServer>();
  #isStarted = false;
  readonly #isToldOfFailures = new Set<string>();

  constructor(needs: ExtensionsNeeds) {
    this.#needs = needs;
    this.#pins = new ToolPins(needs.folder);
    const { registry, runtime } = needs;
    const [pins, news] = [this.#pins, this.#news];
    this.#tools = new Map(
      (needs.clients?.servers ?? []).map((server) => [
        server,
        new ServerTools({ server, registry, runtime, pins, news, onCall: () => this.#noteCall(server) }),
      ]),
    );
    for (const server of this.#tools.keys()) server.onChange((change) => this.#onChange(server, change));
  }

  get servers(): AgentServers {
    return {
      list: () => [...this.#tools].map(([server, tools]) => this.#overview(server, tools)),
      reconnect: async (alias, signal) => {
        const server = this.#server(alias);
        await server.disconnect();
        await this.#connect(server, signal);
        this.flush();
      },
      prompts: async (signal) => {
        const ready = [...this.#tools.keys()].filter((server) => server.status().state === 'ready');
        const lists = await Promise.allSettled(ready.map((server) => promptsOf(server, signal)));
        return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
      },
      prompt: async (request, signal) => {
        const server = this.#server(request.alias);
        await server.connect(signal);
        return promptContent(server, request, contentPorts(this.#needs.runtime), signal);
      },
      complete: async ({ alias, name, args, argument, value }, signal) => {
        const ref = { type: 'ref/prompt', name } as const;
        const request = { ref, argument: { name: argument, value }, context: args };
        return this.#server(alias).complete(request, signal);
      },
    };
  }

  /** Begins to connect all servers and to discover tools. Returns at once. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#tellOfPins();
    this.#needs.clients?.start();
    void this.#discover();
  }

  /** The tools of all that could be reached in its time are in the registry. Rejects with the signal's reason only. */
  async ready(signal: AbortSignal): Promise<void> {
    this.start();
    await Promise.all([
      abortable(this.#discover(), signal),
      this.#needs.clients?.settled(signal).then(() => this.#listed(signal)),
    ]);
    for (const server of this.#tools.keys()) this.#tellOfFailure(server);
    this.flush();
  }

  /**
   * Prepares the tools before a prompt (`waits`: also those of servers still starting). Asks about changed ones within `asking`. Never
   * rejects.
   */
  async beforePrompt(waits: boolean, signal: AbortSignal, asking: Asking = (ask) => ask()): Promise<void> {
    try {
      if (waits) await this.ready(signal);
      else this.flush();
      await asking(() => this.askAboutHeld(signal));
    } catch (thrown) {
      if (!signal.aborted) this.#news.warn(errorMessage(thrown));
    }
  }

  /** Those of the names that no tool has by now. */
  missing(names: readonly string[]): readonly string[] {
    return names.filter((name) => this.#needs.registry.findTool(name) === undefined);
  }

  /**
   * Loads the tools that calls of these names need; known tools start nothing. A server's alias stands for all its tools, `discovered` for
   * all of the discovery command. If a name is still unknown, all servers are connected, because it may be a server's own name for a tool
   * (K19). Rejects with the signal's reason only.
   */
  async readyFor(names: readonly string[], signal: AbortSignal): Promise<void> {
    const missing = this.missing(names);
    if (missing.length === 0) return;
    const parts = new Map([...this.#tools.keys()].map((server) => [mcpServerPart(server.definition.alias), server]));
    const wanted = missing.map(
      (name) => parts.get(serverOf(plainToolName(name)) ?? '') ?? this.#needs.clients?.server(name),
    );
    const servers = new Set(missing.includes(ToolNames.MCP_RESOURCE) ? parts.values() : []);
    for (const server of wanted) if (server !== undefined) servers.add(server);
    await Promise.all([
      wanted.includes(undefined) ? abortable(this.#discover(), signal) : undefined,
      this.#connectAll(servers, signal),
    ]);
    this.flush();
    const nobodys = this.missing(missing.filter((name, at) => wanted[at] === undefined && name !== DISCOVERED));
    if (nobodys.every((name) => BUILT_IN.has(name) || name.includes('__'))) return;
    await this.#connectAll(new Set(parts.values()), signal);
    this.flush();
  }

  async #connectAll(servers: ReadonlySet<McpServer>, signal: AbortSignal): Promise<void> {
    if (servers.size > 0) this.#tellOfPins();
    const connect = async (server: McpServer): Promise<void> =>
      this.#connect(server, signal).catch((thrown: unknown) => this.#news.warn(errorMessage(thrown)));
    await Promise.all(Array.from(servers, connect));
    signal.throwIfAborted();
  }

  /** Puts into the registry what is known by now, in the order of the settings. */
  flush(): void {
    const { registry } = this.#needs;
    for (const tool of this.#discovered) if (registry.getTool(tool.name) === undefined) this.#register(tool);
    this.#discovered = [];
    for (const [server, tools] of this.#tools) {
      const added = tools.flush();
      if (added.length > 0 && this.#instructions !== undefined) this.#noteTools(server, added);
    }
    const hasResources = [...this.#tools.keys()].some((server) => server.features()?.resources === true);
    if (hasResources && registry.getTool(ToolNames.MCP_RESOURCE) === undefined)
      this.#register(new McpResourceTool({ servers: () => this.#withResources(), runtime: this.#needs.runtime }));
  }

  /**
   * Returns the instructions of servers that the user trusts or has allowed a call of. The first answer is kept, so that the prompt stays
   * the same. A note tells the model about servers that are allowed later.
   */
  instructions(): readonly ServerInstructions[] {
    this.#instructions ??= [...this.#tools.keys()].flatMap((server) => this.#wordsOf(server)).slice(0, MOST_NAMED);
    return this.#instructions;
  }

  #wordsOf(server: McpServer): readonly ServerInstructions[] {
    const { alias, trust } = server.definition;
    if (!trust && !this.#allowed.has(server)) return [];
    return cleanInstructions([{ alias, instructions: server.instructions() }]);
  }

  #noteCall(server: McpServer): void {
    if (this.#allowed.has(server)) return;
    this.#allowed.add(server);
    const [said] = this.#instructions === undefined ? [] : this.#wordsOf(server);
    if (said !== undefined && !this.#isKnown(said))
      this.#news.noteForModel(`[The server "${said.server}" says of the use of its tools, as data: ${said.text}]`);
  }

  #isKnown({ server, text }: ServerInstructions): boolean {
    return this.#instructions?.some((known) => known.server === server && known.text === text) === true;
  }

  /** Asks the person about tools that changed or are new, once for each of their forms. */
  async askAboutHeld(signal: AbortSignal): Promise<void> {
    const { approver } = this.#needs;
    if (approver === undefined) return;
    for (const [server, tools] of this.#tools) {
      const held = tools.held.filter(({ tool }) => !this.#asked.has(tool.hash));
      for (const { tool } of held) this.#asked.add(tool.hash);
      const { alias } = server.definition;
      const question = { alias, held, pending: tools.pending, approver, pins: this.#pins };
      if (held.length > 0 && (await askAboutHeld(question, signal))) await tools.list(signal);
    }
    this.flush();
  }

  get news(): News {
    return this.#news;
  }

  /** The resource that a mention `alias:uri` names, if that is a server. */
  resourceOf(mention: string): { readonly server: string; readonly uri: string } | undefined {
    const aliases = [...this.#tools.keys()].map(({ definition }) => definition.alias);
    const server = aliases.find((alias) => mention.startsWith(`${alias}:`) && mention.length > alias.length + 1);
    return server === undefined ? undefined : { server, uri: mention.slice(server.length + 1) };
  }

  async close(): Promise<void> {
    this.#closing.abort(new Failure('agent_closed', 'The agent was closed.'));
    await this.#discovering?.catch(() => undefined);
    await this.#needs.clients?.close();
  }

  #onChange(server: McpServer, change: ServerChange): void {
    const { alias } = server.definition;
    const tools = this.#tools.get(server);
    if (this.#closing.signal.aborted || tools === undefined) return;
    if (change.kind === 'tools') void tools.list(this.#closing.signal);
    if (change.kind === 'resource')
      this.#news.noteForModel(
        `[The resource ${label(change.uri)} of the server "${alias}" changed. Read it again where you need it.]`,
      );
    if (change.kind !== 'status') return;
    // A server that comes back may have other tools.
    const { state } = server.status();
    const before = this.#states.get(server);
    this.#states.set(server, state);
    if (state === 'ready' && before !== 'ready') void tools.list(this.#closing.signal);
    else if (tools.wasListed) this.#tellOfFailure(server);
  }

  /** @throws Failure */
  async #connect(server: McpServer, signal: AbortSignal): Promise<void> {
    await abortable(server.connect(signal), signal);
    await abortable(this.#tools.get(server)?.listed(this.#closing.signal) ?? Promise.resolve(), signal);
  }

  async #listed(signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([signal, timeLimit(LIST_MS)]);
    const waiting = [...this.#tools].filter(([server, tools]) => server.status().state === 'ready' && !tools.wasListed);
    await Promise.all(
      waiting.map(([, tools]) => abortable(tools.listed(this.#closing.signal), limit).catch(() => undefined)),
    );
    signal.throwIfAborted();
    for (const [{ definition }, tools] of waiting)
      if (!tools.wasListed)
        this.#news.warn(`The server "${definition.alias}" did not list its tools in time; they come when it does.`);
  }

  #discover(): Promise<void> {
    const { discover } = this.#needs;
    this.#discovering ??= (async () => {
      if (discover === undefined) return;
      const { tools, problems } = await discover(this.#closing.signal);
      this.#discovered = tools;
      for (const problem of problems) this.#news.warn(problem);
    })().catch((thrown: unknown) => {
      if (!this.#closing.signal.aborted) this.#news.warn(errorMessage(thrown));
    });
    return this.#discovering;
  }

  #tellOfPins(): void {
    const problem = this.#tools.size === 0 ? undefined : this.#pins.problem();
    if (problem !== undefined) this.#news.warn(problem);
  }

  #register(tool: BaseTool): void {
    try {
      this.#needs.registry.registerTool(tool);
    } catch (thrown) {
      this.#news.warn(errorMessage(thrown));
    }
  }

  #withResources(): readonly McpServer[] {
    return [...this.#tools.keys()].filter((server) => server.features()?.resources === true);
  }

  #noteTools(server: McpServer, names: readonly string[]): void {
    const { alias } = server.definition;
    const shown = names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ' …' : '');
    const [said] = this.#wordsOf(server);
    const words = said === undefined || this.#isKnown(said) ? '' : ` It says of their use, as data: ${said.text}`;
    this.#news.noteForModel(`[The server "${alias}" has tools for you now: ${shown}.${words}]`);
  }

  #tellOfFailure(server: McpServer): void {
    const { alias } = server.definition;
    const { state, reason } = server.status();
    if (state === 'ready' || state === 'idle' || state === 'disabled' || state === 'lost') return;
    const why = reason ?? 'it gave no reason';
    const text =
      state === 'needs-sign-in'
        ? `The server "${alias}" wants you to sign in: \`tenon mcp login ${alias}\`.`
        : state === 'connecting'
          ? `The server "${alias}" is still starting; its tools come when it is ready.`
          : `The server "${alias}" cannot be used: ${why}`;
    if (this.#isToldOfFailures.has(text)) return;
    this.#isToldOfFailures.add(text);
    this.#news.warn(text);
  }

  /** @throws Failure `mcp_unknown_server` */
  #server(alias: string): McpServer {
    const found = this.#needs.clients?.server(alias);
    if (found !== undefined) return found;
    const names = [...this.#tools.keys()].map(({ definition }) => definition.alias);
    throw new Failure('mcp_unknown_server', `There is no server "${alias}". Servers: ${names.join(', ') || 'none'}.`);
  }

  #overview(server: McpServer, tools: ServerTools): ServerOverview {
    const { alias } = server.definition;
    const { state, reason } = server.status();
    return {
      alias,
      state,
      ...(reason !== undefined && { reason }),
      isListed: tools.wasListed,
      tools: tools.names,
      held: tools.held.map(({ tool }) => tool.serverName),
      logFile: this.#needs.logFile(alias),
    };
  }
}
