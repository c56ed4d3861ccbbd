import type { AskEffect, UnknownEffect } from '../../effects/effect.js';
import type { ToolRuntime } from '../../runtime.js';
import { isObject } from '../../util/is-object.js';
import type { BaseTool, Kind, ToolResult, ToolResultDisplay } from '../tools.js';

/** What a call would do, as its author states it; where paths lead is found out, and a command is read as the shell tool reads it. */
export type StatedEffect =
  | {
      readonly kind: 'read' | 'write' | 'delete';
      /** Absolute, or relative to the first folder of the workspace. */
      readonly path: string;
      /** `tree`: the folder and everything below it. */
      readonly scope?: 'tree';
    }
  | { readonly kind: 'fetch'; readonly url: string }
  /** A text for the shell. */
  | { readonly kind: 'run'; readonly command: string }
  | AskEffect
  | UnknownEffect;

/** Where a call takes place. */
export interface ToolPlace {
  /** The first folder of the workspace: absolute, canonical. */
  readonly root: string;
  /** Absolute; relative ones are taken from `root`. */
  readonly resolve: (path: string) => string;
  /** What built-in tools get. */
  readonly runtime: ToolRuntime;
}

/** What a call has while it runs. */
export interface ToolCall extends ToolPlace {
  /** Aborted when the call is cancelled: end soon, and leave nothing behind. */
  readonly signal: AbortSignal;
  /** Shows how far it is. */
  readonly update: (output: ToolResultDisplay) => void;
  /** The text of a file that the workspace lets be read. @throws ToolError */
  readonly readText: (path: string) => Promise<string>;
  /**
   * Makes or replaces a file, so that `tenon undo` takes it back. Refused when the file changed since this call read it.
   * @throws Failure
   */
  readonly writeText: (path: string, content: string) => Promise<void>;
}

/** A text is the same as `{ llmContent: text }`; other data goes to the model as JSON. */
export type ToolAnswer = string | ToolResult | { readonly data: unknown };

/** A tool as plain data. Methods get copies of the parameters: nothing that they change is seen by others. */
export interface ToolDefinition<TParams extends object = object> {
  /** What the model calls it: letters, digits, `_` and `-`; `a__b` is for tools of servers. */
  readonly name: string;
  /** Default: `name`. */
  readonly displayName?: string;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  /** Default `other`. */
  readonly kind?: Kind;
  /** JSON Schema of the parameters. */
  readonly parameters: object;
  /** Parameters that are valid: shown to nobody, checked by the conformance kit. */
  readonly examples?: readonly TParams[];
  /** Rules beyond the schema: what is wrong, for the model; null when nothing is. */
  validate?(params: TParams, place: ToolPlace): string | null;
  /** Without it every call is asked about. */
  effects?(params: TParams, place: ToolPlace): readonly StatedEffect[] | Promise<readonly StatedEffect[]>;
  /** One line for people. Default: the parameters. */
  describe?(params: TParams): string;
  /** What it throws is the call's error. */
  execute(params: TParams, call: ToolCall): ToolAnswer | Promise<ToolAnswer>;
}

/** The key of the function that makes a tool of a definition. The definition holds it, so that a registry need not load it. */
export const MAKE_TOOL = Symbol('make tool');

/** The result of `defineTool`: a tool wherever a tool is accepted. */
export interface DefinedToolSource<TParams extends object = object> extends ToolDefinition<TParams> {
  readonly [MAKE_TOOL]: (definition: ToolDefinition, runtime: ToolRuntime) => BaseTool;
}

/** Returns true if a value has the form of a definition, so that one written without the helper counts too. */
export function isDefinition(value: unknown): value is ToolDefinition {
  return (
    isObject(value) &&
    typeof value['execute'] === 'function' &&
    typeof value['name'] === 'string' &&
    'parameters' in value
  );
}
