import { checkSchema } from '../schema/check-schema.js';
import { plainToolName } from '../policy/tool-aliases.js';
import { Failure } from '../util/failure.js';
import type { ToolRuntime } from '../runtime.js';
import { MAKE_TOOL, type DefinedToolSource } from './defined/tool-definition.js';
import { offersTool, type OfferedTools } from './offered-tools.js';
import { findTool } from './find-tool.js';
import { BaseTool } from './tools.js';

/** A tool as an author writes it: a class's instance, or what `defineTool` returns. */
export type AnyTool = BaseTool | DefinedToolSource;

/** A tool as models are told about it (S22). */
export interface FunctionDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

/** Names of tools that are gone and keep their place; beyond that the places are given up. */
const MOST_KEPT_PLACES = 20_000;

/** The tools of one agent, in the order they were registered (S128, S129). */
export class ToolRegistry {
  // A Map, not an object: `toString` and `__proto__` are just names here. Undefined: it is gone, and comes back to its place,
  // so that a server that is lost for a while does not turn the list round in which models see the tools.
  private readonly tools = new Map<string, BaseTool | undefined>();
  readonly #isOffered: (name: string) => boolean;
  readonly #listeners = new Set<() => void>();
  #all: readonly BaseTool[] | undefined;
  #gone = 0;
  readonly #held = new Map<string, ReadonlyMap<string, string>>();

  readonly #runtime: ToolRuntime | undefined;

  /** `runtime`: the runtime for tools made by `defineTool`. A registry without one takes no such tools. */
  constructor(offered: OfferedTools = { without: [] }, runtime?: ToolRuntime) {
    this.#isOffered = offersTool(offered);
    this.#runtime = runtime;
  }

  /**
   * Adds a tool. It replaces one of the same name, in its place. A tool that is not offered is silently skipped.
   * @throws Failure `invalid_tool_schema` when the schema does not compile: validation is never skipped.
   */
  registerTool(given: AnyTool): void {
    if (!this.#isOffered(given.name)) return;
    const tool = this.#made(given);
    const problems = checkSchema(tool.schema);
    if (problems.length > 0) {
      throw new Failure(
        'invalid_tool_schema',
        `Tool "${tool.name}" was not registered: its parameter schema is not valid JSON Schema. ${problems.join(' ')}`,
      );
    }
    this.#put(tool);
  }

  /** The same for a tool whose schema was checked before: Tenon's own by a test, that of another registry when it came there. */
  registerChecked(tool: BaseTool): void {
    if (this.#isOffered(tool.name)) this.#put(tool);
  }

  #made(given: AnyTool): BaseTool {
    if (given instanceof BaseTool) return given;
    if (this.#runtime !== undefined) return given[MAKE_TOOL](given, this.#runtime);
    throw new Failure(
      'no_tool_runtime',
      `Tool "${given.name}" was not registered: defineTool needs the registry of a Config. Use config.getToolRegistry(), or write a class that extends BaseDeclarativeTool.`,
    );
  }

  #put(tool: BaseTool): void {
    if (this.tools.has(tool.name) && this.tools.get(tool.name) === undefined) this.#gone -= 1;
    this.tools.set(tool.name, tool);
    this.#changed();
  }

  /** False when there was none. */
  removeTool(name: string): boolean {
    if (this.tools.get(name) === undefined) return false;
    this.tools.set(name, undefined);
    this.#gone += 1;
    if (this.#gone > MOST_KEPT_PLACES) this.#giveUpPlaces();
    this.#changed();
    return true;
  }

  getTool(name: string): BaseTool | undefined {
    return this.tools.get(name);
  }

  /** The tool that a model means by a name: `mcp__alias__tool` and short names count where they are clear (see `findTool`). */
  findTool(name: string): BaseTool | undefined {
    return this.tools.get(name) ?? findTool(name, this.#list());
  }

  /** Tools that are not to be called for now, by name, and why: in place of what this owner held before. */
  holdTools(owner: string, reasons: ReadonlyMap<string, string>): void {
    this.#held.set(owner, reasons);
  }

  /** For a model that calls one of these. */
  whyHeld(name: string): string | undefined {
    const plain = plainToolName(name);
    return [...this.#held.values()].map((reasons) => reasons.get(plain)).find((reason) => reason !== undefined);
  }

  getAllTools(): BaseTool[] {
    return [...this.#list()];
  }

  getToolsForModel(): FunctionDeclaration[] {
    return this.#list()
      .filter((tool) => tool.isOffered)
      .map((tool) => ({ name: tool.name, description: tool.description, parameters: tool.schema }));
  }

  /** Called when a tool came, was replaced or went, once for each; what it throws goes to whoever changed the tools. */
  onChange(listener: () => void): () => void {
    // Its own, so that the same function given twice is called twice, and ended once each.
    const own = (): void => {
      listener();
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  #giveUpPlaces(): void {
    for (const [name, tool] of this.tools) if (tool === undefined) this.tools.delete(name);
    this.#gone = 0;
  }

  #list(): readonly BaseTool[] {
    this.#all ??= Array.from(this.tools.values()).filter((tool) => tool !== undefined);
    return this.#all;
  }

  #changed(): void {
    this.#all = undefined;
    for (const listener of this.#listeners) listener();
  }
}
