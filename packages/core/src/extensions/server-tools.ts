import type { CleanDefinition } from '../mcp/catalog/clean-definition.js';
import { cleanDefinitions } from '../mcp/catalog/clean-definitions.js';
import type { HeldTool, PendingPins, PinVerdict } from '../mcp/catalog/judge-pins.js';
import type { ToolPins } from '../mcp/catalog/pins-file.js';
import type { McpServer } from '../mcp/mcp-types.js';
import type { ToolRuntime } from '../runtime.js';
import { DiscoveredMCPTool } from '../tools/mcp-tool.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import { count } from '../util/count.js';
import { errorMessage } from '../util/failure.js';
import { heldNotice, whyHeld } from './describe-held.js';
import type { News } from './news.js';

export interface ServerToolsNeeds {
  readonly server: McpServer;
  readonly registry: ToolRegistry;
  readonly runtime: Pick<ToolRuntime, 'getTempDir' | 'getSecrets' | 'getFileChanges'>;
  readonly pins: Pick<ToolPins, 'judge'>;
  readonly news: News;
  /** Called when an allowed call of one of its tools begins. */
  readonly onCall: () => void;
}

const MOST_NAMED = 8;

/** Keeps the tools of one server in the registry what the server says they are; those that are held back stay out. */
export class ServerTools {
  readonly #needs: ServerToolsNeeds;
  /** Listed and judged, and not in the registry yet. */
  #next: readonly CleanDefinition[] | undefined;
  readonly #registered = new Map<string, CleanDefinition>();
  #held: readonly HeldTool[] = [];
  #pending: PendingPins | undefined;
  #listing: Promise<void> | undefined;
  #isStale = false;
  #wasListed = false;
  /** Never seen before, and none of its tools was offered yet: what comes until then belongs to the first sight. */
  #isFirstUse = false;

  constructor(needs: ServerToolsNeeds) {
    this.#needs = needs;
  }

  get held(): readonly HeldTool[] {
    return this.#held;
  }

  /** The same as it is written down. */
  get pending(): PendingPins | undefined {
    return this.#pending;
  }

  /** Names in the registry, or those that are about to be there. */
  get names(): readonly string[] {
    if (this.#next !== undefined) return this.#next.map(({ name }) => name).filter((name) => !this.#isOfAnother(name));
    return [...this.#registered.keys()].filter((name) => this.#needs.registry.getTool(name) !== undefined);
  }

  get wasListed(): boolean {
    return this.#wasListed;
  }

  /** Asks the server what tools it has; while that goes on, once more after it. Never rejects: what went wrong is news. */
  list(signal: AbortSignal): Promise<void> {
    this.#isStale = true;
    this.#listing ??= this.#listWhileStale(signal).finally(() => (this.#listing = undefined));
    return this.#listing;
  }

  /** The list that is under way, or a first one. Never rejects. */
  listed(signal: AbortSignal): Promise<void> {
    return this.#listing ?? (this.#wasListed ? Promise.resolve() : this.list(signal));
  }

  async #listWhileStale(signal: AbortSignal): Promise<void> {
    while (this.#isStale && !signal.aborted) {
      this.#isStale = false;
      try {
        await this.#listOnce(signal);
      } catch (thrown) {
        if (signal.aborted) return;
        this.#needs.news.warn(`The tools of the server "${this.#alias}" could not be listed: ${errorMessage(thrown)}`);
      }
    }
  }

  async #listOnce(signal: AbortSignal): Promise<void> {
    const { server, pins, news } = this.#needs;
    if (server.features()?.tools === false) {
      this.#wasListed = true;
      return;
    }
    const { entries, problems } = await server.listTools(signal);
    const { tools, excluded, unusable } = cleanDefinitions(entries, server.definition);
    const verdict = await pins.judge(server.definition, tools, { excluded, letsNewIn: this.#isFirstUse });
    this.#wasListed = true;
    this.#isFirstUse ||= verdict.isFirst;
    this.#next = verdict.offered;
    this.#tellHeld(verdict);
    for (const problem of problems) news.warn(`The server "${this.#alias}": ${problem}`);
    if (unusable.length > 0) news.warn(unusableText(this.#alias, unusable));
    if (verdict.added.length > 0) {
      const names = verdict.added.slice(0, MOST_NAMED).join(', ');
      const more = verdict.added.length > MOST_NAMED ? ' …' : '';
      news.tell(`The server "${this.#alias}" has ${count(verdict.added.length, 'new tool')}: ${names}${more}`);
    }
    const notes = tools.flatMap((tool) =>
      tool.notes.filter((note) => note.includes('hidden')).map((note) => `${tool.title}: ${note}`),
    );
    if (notes.length > 0)
      news.warn(
        `The server "${this.#alias}" hides text in its tools; it was taken out. ${notes.slice(0, MOST_NAMED).join('; ')}`,
      );
  }

  #tellHeld({ held, next }: PinVerdict): void {
    this.#pending = next.pending;
    const before = new Set(this.#held.map(({ tool }) => tool.hash));
    this.#held = held;
    const fresh = held.filter(({ tool }) => !before.has(tool.hash));
    if (fresh.length === 0) return;
    this.#needs.news.warn(heldNotice(this.#alias, fresh));
  }

  /** Puts what was listed into the registry; what did not change keeps its place. Returns the names that are new. */
  flush(): readonly string[] {
    const { registry, server, runtime, news, onCall } = this.#needs;
    const tools = this.#next;
    if (tools === undefined) return [];
    this.#next = undefined;
    this.#isFirstUse = false;
    const wanted = new Map(tools.map((tool) => [tool.name, tool]));
    for (const name of [...this.#registered.keys()].filter((each) => !wanted.has(each))) {
      registry.removeTool(name);
      this.#registered.delete(name);
    }
    registry.holdTools(this.#alias, new Map(this.#held.map((held) => [held.tool.name, whyHeld(this.#alias, held)])));
    const added: string[] = [];
    for (const [name, definition] of wanted) {
      const before = this.#registered.get(name);
      if (before?.hash === definition.hash) continue;
      if (before === undefined && registry.getTool(name) !== undefined) {
        news.warn(`The tool ${name} of the server "${this.#alias}" is left out: another tool has that name.`);
        continue;
      }
      try {
        registry.registerTool(new DiscoveredMCPTool({ server, definition, runtime, onCall }));
      } catch (thrown) {
        news.warn(errorMessage(thrown));
        continue;
      }
      this.#registered.set(name, definition);
      if (before === undefined && registry.getTool(name) !== undefined) added.push(name);
    }
    return added;
  }

  #isOfAnother(name: string): boolean {
    return !this.#registered.has(name) && this.#needs.registry.getTool(name) !== undefined;
  }

  get #alias(): string {
    return this.#needs.server.definition.alias;
  }
}

function unusableText(
  alias: string,
  unusable: readonly { readonly serverName: string; readonly unusable: string }[],
): string {
  const shown = unusable.slice(0, MOST_NAMED).map((one) => `${one.serverName} (${one.unusable})`);
  const more = unusable.length > MOST_NAMED ? '; …' : '';
  return `${count(unusable.length, 'tool')} of the server "${alias}" cannot be used: ${shown.join('; ')}${more}`;
}
