import { ToolNames } from '../tool-names.js';
import type { FunctionDeclaration, ToolRegistry } from '../tool-registry.js';
import { ToolSearchTool } from '../tool-search.js';
import type { BaseTool } from '../tools.js';
import { chooseOffered, type OfferedTool } from './choose-offered.js';
import { indexTools, rankTools, type ToolIndex } from './rank-tools.js';

/** From how many characters of JSON on the tools of others are put behind a search. */
const TOOL_BUDGET = 40_000;

/**
 * What one agent's model is told of the tools of a registry: all of them, or, where those of others take more than the budget,
 * a search for these. A tool that is not offered can be called all the same.
 */
export class ToolOffer {
  readonly #registry: ToolRegistry;
  readonly #budget: number;
  readonly #sizes = new WeakMap<BaseTool, number>();
  /** In the order in which they were offered first. Names of tools that are gone stay, so that they come back to their place. */
  #offered: readonly string[] = [];
  readonly #found = new Set<string>();
  #index: ToolIndex | undefined;
  #text: string | undefined;

  constructor(registry: ToolRegistry, budget: number = TOOL_BUDGET) {
    this.#registry = registry;
    this.#budget = budget;
    registry.onChange(() => {
      this.#index = undefined;
    });
  }

  /** What goes with the next request. */
  forModel(): FunctionDeclaration[] {
    const { deferred } = this.#chosen(this.#budget);
    const isSearched = deferred.length > 0 || this.#registry.getTool(ToolNames.TOOL_SEARCH) !== undefined;
    const budget = isSearched && !this.#offerSearch() ? Number.POSITIVE_INFINITY : this.#budget;
    const { offered } = this.#chosen(budget);
    const places = new Set(this.#offered);
    this.#offered = [...this.#offered, ...offered.filter((name) => !places.has(name))];
    const there = new Map(this.#listed().map((tool) => [tool.name, tool]));
    return this.#offered.flatMap((name) => {
      const tool = there.get(name);
      return tool === undefined ? [] : [declare(tool)];
    });
  }

  /** Tools that were found or called are offered from now on. Names that no tool has are passed over. */
  note(names: readonly string[]): void {
    for (const called of names) {
      const tool = this.#registry.findTool(called);
      if (tool?.from !== undefined) this.#found.add(tool.name);
    }
  }

  /** Tools of others that a query speaks of, the best first. */
  search(query: string, most: number): readonly BaseTool[] {
    this.#index ??= indexTools(this.#foreign().map(declare));
    return rankTools(this.#index, query, most).flatMap((name) => this.#registry.getTool(name) ?? []);
  }

  /** The tool that a name means, if others wrote it. */
  find(name: string): BaseTool | undefined {
    const tool = this.#registry.findTool(name);
    return tool?.from === undefined ? undefined : tool;
  }

  /** Who brings how many tools that are found by search. In the order in which they came. */
  sources(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { from = '' } of this.#foreign()) counts.set(from, (counts.get(from) ?? 0) + 1);
    return counts;
  }

  #chosen(budget: number): ReturnType<typeof chooseOffered> {
    const tools = this.#listed().map((tool): OfferedTool => {
      const { name, from } = tool;
      return { name, isForeign: from !== undefined, size: from === undefined ? 0 : this.#sizeOf(tool) };
    });
    return chooseOffered(tools, { before: this.#offered, found: [...this.#found], budget });
  }

  /** Registers the search, anew where its description is another by now. False: it is not wanted among the tools. */
  #offerSearch(): boolean {
    const tool = new ToolSearchTool(this);
    if (tool.description !== this.#text) {
      this.#text = tool.description;
      this.#registry.registerTool(tool);
    }
    return this.#registry.getTool(ToolNames.TOOL_SEARCH) !== undefined;
  }

  #listed(): readonly BaseTool[] {
    return this.#registry.getAllTools().filter(({ isOffered }) => isOffered);
  }

  #foreign(): readonly BaseTool[] {
    return this.#listed().filter(({ from }) => from !== undefined);
  }

  #sizeOf(tool: BaseTool): number {
    const size = this.#sizes.get(tool) ?? JSON.stringify(declare(tool)).length;
    this.#sizes.set(tool, size);
    return size;
  }
}

function declare({ name, description, schema }: BaseTool): FunctionDeclaration {
  return { name, description, parameters: schema };
}
