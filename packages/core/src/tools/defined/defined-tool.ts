import type { Effect } from '../../effects/effect.js';
import type { ToolRuntime } from '../../runtime.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  failedResult,
  Kind,
  resultOfThrown,
  ToolErrorType,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
  type UpdateOutput,
} from '../tools.js';
import { isObject } from '../../util/is-object.js';
import { callOf, placeOf } from './call-files.js';
import { contextOf } from './context-of.js';
import { statedEffects } from './stated-effects.js';
import type { ToolAnswer, ToolDefinition } from './tool-definition.js';

type Params = Record<string, unknown>;
type Definition = ToolDefinition<Params>;

/** A tool of a definition. */
export class DefinedTool extends BaseDeclarativeTool<Params, ToolResult> {
  readonly #definition: Definition;
  readonly #runtime: ToolRuntime;

  constructor(given: ToolDefinition, runtime: ToolRuntime) {
    // What its methods get was checked against its own schema.
    const definition = given as Definition;
    const { name, displayName = name, description, kind = Kind.Other, parameters } = definition;
    super(name, displayName, description, kind, parameters, false, true);
    this.#definition = definition;
    this.#runtime = runtime;
  }

  /** Parameters that its author calls valid. */
  get examples(): readonly object[] {
    const { examples } = this.#definition;
    return Array.isArray(examples) ? examples : [];
  }

  protected override validateToolParamValues(params: Params): string | null {
    const problem = this.#definition.validate?.(structuredClone(params), placeOf(this.#runtime));
    return typeof problem === 'string' ? problem : null;
  }

  protected createInvocation(params: Params): ToolInvocation<Params, ToolResult> {
    const isSilent = this.#definition.effects === undefined;
    return new (isSilent ? DefinedInvocation : StatingInvocation)(params, this.#definition, this.#runtime);
  }
}

class DefinedInvocation extends BaseToolInvocation<Params, ToolResult> {
  protected stated: readonly Effect[] | undefined;
  protected readonly definition: Definition;
  protected readonly runtime: ToolRuntime;

  constructor(params: Params, definition: Definition, runtime: ToolRuntime) {
    super(params);
    this.definition = definition;
    this.runtime = runtime;
  }

  getDescription(): string {
    const { definition, params } = this;
    return definition.describe?.(structuredClone(params)) ?? `${definition.name} ${JSON.stringify(params)}`;
  }

  async execute(signal: AbortSignal, update?: UpdateOutput, ...[context]: readonly unknown[]): Promise<ToolResult> {
    const { definition, params, runtime, stated: effects } = this;
    const given = { toolName: definition.name, signal, update, context: contextOf(context), effects };
    try {
      return resultOf(await definition.execute(structuredClone(params), callOf(runtime, given)));
    } catch (thrown) {
      if (signal.aborted) return failedResult(ToolErrorType.CANCELLED, 'The call was cancelled.');
      return resultOfThrown(thrown);
    }
  }
}

/** Only for a definition with effects: a tool that does not state them is taken to do anything. */
class StatingInvocation extends DefinedInvocation {
  async effects(): Promise<readonly Effect[]> {
    const { definition, params, runtime } = this;
    const said: unknown = await definition.effects?.(structuredClone(params), placeOf(runtime));
    this.stated = await statedEffects(said, definition.name, runtime);
    return this.stated;
  }

  override async execute(...given: Parameters<DefinedInvocation['execute']>): Promise<ToolResult> {
    // Whoever calls it without having asked: what it does is held to what it says all the same.
    if (this.stated === undefined) await this.effects().catch(() => undefined);
    this.stated ??= [];
    return super.execute(...given);
  }

  override toolLocations(): ToolLocation[] {
    return (this.stated ?? []).flatMap((effect) => ('requested' in effect ? [{ path: effect.requested }] : []));
  }
}

/** As it stands; what is no result is found by whoever runs calls. */
function resultOf(answer: ToolAnswer): ToolResult {
  if (typeof answer === 'string') return { llmContent: answer };
  if (!isObject(answer) || 'llmContent' in answer || !('data' in answer)) return answer as ToolResult;
  return { llmContent: JSON.stringify(answer.data, undefined, 2) ?? 'null', data: answer.data };
}
