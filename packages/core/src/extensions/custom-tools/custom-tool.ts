import { isPathEffect, type Effect } from '../../effects/effect.js';
import type { ToolRuntime } from '../../runtime.js';
import { changesNoFile } from '../../shell/changes-no-file.js';
import { isModifiableTool, type ModifyContext } from '../../tools/modifiable-tool.js';
import { runWatched } from '../../tools/run-watched.js';
import {
  BaseTool,
  BaseToolInvocation,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
  type UpdateOutput,
} from '../../tools/tools.js';
import { abortable, timeLimit } from '../../util/abort.js';
import { errorMessage } from '../../util/failure.js';
import type { Guard } from './guard.js';
import { contextOf } from '../../tools/defined/context-of.js';
import { placed } from '../../tools/defined/stated-effects.js';

/** Where a tool is from. */
export interface ToolSource {
  readonly origin: 'user' | 'project';
  /** Of the extension that brings it. */
  readonly extension?: string;
  /** Absolute. */
  readonly file: string;
}

type AnyInvocation = ToolInvocation<object, ToolResult>;

interface Around {
  readonly guard: Guard;
  readonly runtime: ToolRuntime;
  readonly source: ToolSource;
}

/** After that what a call would do counts as unknown. */
const EFFECTS_MS = 10_000;
const LONGEST_TITLE = 300;

/** A tool that others wrote, in this process: it is called as it is, and what it does wrong ends at this wall. */
export class CustomTool extends BaseTool {
  readonly source: ToolSource;
  override readonly parameterAliases: BaseTool['parameterAliases'];
  /** Only where the tool has it. */
  declare readonly getModifyContext?: (signal: AbortSignal) => ModifyContext<object>;
  readonly #tool: BaseTool;
  readonly #around: Around;

  constructor(tool: BaseTool, around: Around) {
    const { name, displayName, description, kind, schema, isOutputMarkdown, canUpdateOutput } = tool;
    super(name, displayName, description, kind, schema, isOutputMarkdown, canUpdateOutput);
    this.#tool = tool;
    this.#around = around;
    this.source = around.source;
    this.parameterAliases = tool.parameterAliases;
    if (isModifiableTool(tool))
      Object.assign(this, {
        getModifyContext: (signal: AbortSignal) => this.#guarded(() => tool.getModifyContext(signal)),
      });
  }

  validateToolParams(params: object): string | null {
    try {
      return this.#guarded(() => this.#tool.validateToolParams(params));
    } catch (thrown) {
      return `${this.name} could not check its parameters: ${errorMessage(thrown)}`;
    }
  }

  override build(params: object): AnyInvocation {
    return this.#wrapped(params, (copy) => this.#tool.build(copy));
  }

  override buildValid(params: object): AnyInvocation {
    return this.#wrapped(params, (copy) => this.#tool.buildValid(copy));
  }

  protected createInvocation(params: object): AnyInvocation {
    return this.build(params);
  }

  /** What it does to its parameters is seen by nobody else. */
  #wrapped(params: object, build: (copy: object) => AnyInvocation): AnyInvocation {
    const inner = this.#guarded(() => build(structuredClone(params)));
    return guardedInvocation({ params, inner, name: this.name }, this.#around);
  }

  #guarded<T>(work: () => T): T {
    return this.#around.guard.run(this.name, work);
  }
}

/** What is not there stays away: its absence says something. */
function guardedInvocation(
  { params, inner, name }: { readonly params: object; readonly inner: AnyInvocation; readonly name: string },
  { guard, runtime }: Around,
): AnyInvocation {
  const guarded = <T>(work: () => T): T => guard.run(name, work);
  const stated = async (): Promise<readonly Effect[]> =>
    soundEffects(await guarded(async () => inTime(inner, name)), runtime);
  let known: readonly Effect[] | undefined;
  const has = (method: keyof AnyInvocation): boolean => Reflect.get(inner, method) !== undefined;
  const confirms =
    has('shouldConfirmExecute') &&
    Reflect.get(inner, 'shouldConfirmExecute') !== Reflect.get(BaseToolInvocation.prototype, 'shouldConfirmExecute');
  return {
    params,
    getDescription: () => guarded(() => titleOf(inner, name)),
    ...(has('toolLocations') && { toolLocations: () => guarded(() => locationsOf(inner)) }),
    ...(has('effects') && { effects: async () => (known = await stated()) }),
    ...(confirms && {
      shouldConfirmExecute: async (signal: AbortSignal) =>
        guarded(async () => (await inner.shouldConfirmExecute?.(signal)) ?? false),
    }),
    ...(has('confirmationDetails') && { confirmationDetails: guardedDetails(inner, guarded) }),
    execute: async (signal: AbortSignal, update?: UpdateOutput, ...more: readonly unknown[]) => {
      const updated: UpdateOutput = (output) => guard.leave(() => update?.(output));
      const run = async (): Promise<ToolResult> => guarded(async () => inner.execute(signal, updated, ...more));
      if (has('effects')) known ??= await stated();
      const context = contextOf(more[0]);
      return changesNothing(known) ? run() : runWatched(run, { runtime, signal, context });
    },
  };
}

function changesNothing(effects: readonly Effect[] | undefined): boolean {
  return effects !== undefined && changesNoFile(effects.filter(({ kind }) => kind !== 'fetch'));
}

type Details = NonNullable<AnyInvocation['confirmationDetails']>;

function guardedDetails(inner: AnyInvocation, guarded: <T>(work: () => T) => T): Details {
  return async (...given) =>
    guarded(async () => {
      const details = await inner.confirmationDetails?.(...given);
      if (details === undefined) throw new TypeError('The tool shows nothing to decide on.');
      return details;
    });
}

function titleOf(inner: AnyInvocation, name: string): string {
  try {
    const title: unknown = inner.getDescription();
    return typeof title === 'string' ? title.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE) : name;
  } catch {
    return name;
  }
}

function locationsOf(inner: AnyInvocation): ToolLocation[] {
  try {
    const locations: unknown = inner.toolLocations?.();
    return Array.isArray(locations) ? locations.filter(isLocation) : [];
  } catch {
    return [];
  }
}

function isLocation(value: unknown): value is ToolLocation {
  return typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string';
}

/** What its author says, in time; else a doubt. */
async function inTime(inner: AnyInvocation, name: string): Promise<readonly Effect[]> {
  try {
    const effects: unknown = await abortable(Promise.resolve(inner.effects?.()), timeLimit(EFFECTS_MS));
    return Array.isArray(effects)
      ? (effects as readonly Effect[])
      : [{ kind: 'unknown', reason: `${name} does not state its effects` }];
  } catch (thrown) {
    const reason = thrown instanceof DOMException ? 'it took too long' : errorMessage(thrown);
    return [{ kind: 'unknown', reason: `${name} cannot tell what it would do: ${reason}` }];
  }
}

/** Where a path leads, and that something is held in a sandbox, is known here alone. */
function soundEffects(effects: readonly Effect[], runtime: ToolRuntime): readonly Effect[] {
  return effects.map((effect): Effect => {
    if (typeof effect !== 'object' || effect === null) return effect;
    if (!isPathEffect(effect)) return 'isContained' in effect ? { ...effect, isContained: false } : effect;
    const asked: unknown = effect.requested ?? effect.path;
    if (typeof asked !== 'string') return { kind: 'unknown', reason: 'a path that is none' };
    const { kind, scope, by } = effect;
    return { kind, ...placed(asked, runtime), ...(scope === 'tree' && { scope }), ...(by !== undefined && { by }) };
  });
}

/** Of a tool that was loaded from a file; undefined for any other. */
export function toolSource(tool: object): ToolSource | undefined {
  return tool instanceof CustomTool ? tool.source : undefined;
}
