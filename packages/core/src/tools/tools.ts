import type { CallContext } from '../effects/call-context.js';
import type { Effect } from '../effects/effect.js';
import type { Refusal } from '../files/workspace-types.js';
import { ReadySchema } from '../schema/schema-document.js';
import { chooseExample, validateAgainst } from '../schema/validate.js';
import { errorMessage, Failure } from '../util/failure.js';
import type { ToolCallConfirmationDetails } from './confirmation.js';
import { ToolError, ToolErrorType } from './tool-error.js';
import { failedResult, type ToolResult, type ToolResultDisplay } from './tool-result.js';

export { ToolConfirmationOutcome } from './confirmation.js';
export type * from './confirmation.js';
export { ToolError, ToolErrorType } from './tool-error.js';
export { failedResult, TodoStatus, toParts } from './tool-result.js';
export type * from './tool-result.js';

/** What sort of work a tool does (S31, K5). The first three are the specification's; approval is decided on effects. */
export const Kind = {
  Read: 'read',
  Edit: 'edit',
  Other: 'other',
  Search: 'search',
  Execute: 'execute',
  Fetch: 'fetch',
  Think: 'think',
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** A place a call touches, for editors that follow along (S33). `line` is 1-based. */
export interface ToolLocation {
  readonly path: string;
  readonly line?: number;
}

export type UpdateOutput = (output: ToolResultDisplay) => void;

/** One call with valid parameters: what it would do, whether to ask, and doing it (S32–S36). */
export interface ToolInvocation<TParams extends object, TResult extends ToolResult> {
  readonly params?: TParams;
  /** One line for people, before execution. */
  getDescription(): string;
  toolLocations?(): ToolLocation[];
  /** What the call would do. A tool that does not say is taken to do anything. */
  effects?(): readonly Effect[] | Promise<readonly Effect[]>;
  /** What to show when the policy asks; a tool may return details to be asked about even where the policy would allow. */
  shouldConfirmExecute?(signal: AbortSignal): Promise<ToolCallConfirmationDetails | false>;
  /** What to show whenever the policy asks, in modes too where `shouldConfirmExecute` would not. */
  confirmationDetails?(signal: AbortSignal, context?: CallContext): Promise<ToolCallConfirmationDetails>;
  execute(signal: AbortSignal, updateOutput?: UpdateOutput, ...args: unknown[]): Promise<TResult>;
}

/** The base for authors who write `execute` themselves, as document A does. */
export abstract class BaseToolInvocation<TParams extends object, TResult extends ToolResult> implements ToolInvocation<
  TParams,
  TResult
> {
  readonly params: TParams;

  constructor(params: TParams) {
    this.params = params;
  }

  abstract getDescription(): string;
  abstract execute(signal: AbortSignal, updateOutput?: UpdateOutput, ...args: unknown[]): Promise<TResult>;

  toolLocations(): ToolLocation[] {
    return [];
  }

  async shouldConfirmExecute(_signal: AbortSignal): Promise<ToolCallConfirmationDetails | false> {
    return false;
  }
}

/** The base for the built-in tools: they write `run()` and throw. Only this class turns errors into `ToolResult.error`. */
export abstract class RunInvocation<TParams extends object> extends BaseToolInvocation<TParams, ToolResult> {
  abstract effects(): readonly Effect[] | Promise<readonly Effect[]>;
  protected abstract run(signal: AbortSignal, updateOutput?: UpdateOutput, context?: CallContext): Promise<ToolResult>;

  /** `context`: who makes the call; absent for a program that calls the tool itself. */
  async execute(signal: AbortSignal, updateOutput?: UpdateOutput, context?: CallContext): Promise<ToolResult> {
    try {
      return await this.run(signal, updateOutput, context);
    } catch (thrown) {
      if (signal.aborted) return failedResult(ToolErrorType.CANCELLED, 'The call was cancelled.');
      return resultOfThrown(thrown);
    }
  }
}

/** The error result for anything that a tool threw. */
export function resultOfThrown(thrown: unknown): ToolResult {
  const type = thrown instanceof Failure ? thrown.code : ToolErrorType.EXECUTION_FAILED;
  return failedResult(type, errorMessage(thrown));
}

/** Arguments as a tool understands them, and what it read in another way than it was written. */
export interface Mended {
  readonly value: Readonly<Record<string, unknown>>;
  readonly repairs: readonly string[];
}

/** What every tool is to the registry and the model (S11, S30). */
export abstract class BaseTool<TParams extends object = object, TResult extends ToolResult = ToolResult> {
  /** Other names under which parameters are accepted: alias → declared name. The model is told when one is used. */
  readonly parameterAliases: Readonly<Record<string, string>> = {};
  /** Undoes slips that only this tool understands, in arguments that its schema does not accept; a sentence for each. Pure. */
  readonly mend?: (args: Readonly<Record<string, unknown>>) => Mended;
  /** Who wrote it, where that is another program: a server's alias, or `discovered`. Such tools may be found by search only. */
  readonly from: string | undefined = undefined;
  /** The most estimated tokens of one result's text, if fewer than the session allows. */
  readonly mostTokens: number = Infinity;
  private ready: ReadySchema | undefined;

  constructor(
    public readonly name: string,
    public readonly displayName: string,
    public readonly description: string,
    public readonly kind: Kind,
    /** JSON Schema of the parameters, draft-07 or 2020-12. */
    public readonly schema: object,
    public readonly isOutputMarkdown: boolean = false,
    public readonly canUpdateOutput: boolean = false,
  ) {}

  /** False: models are not told of it for now; a call is answered all the same. */
  get isOffered(): boolean {
    return true;
  }

  /** `schema`, made ready for many checks; it is not to be changed once the tool is in use. */
  get readySchema(): ReadySchema {
    if (this.ready?.schema !== this.schema) this.ready = new ReadySchema(this.schema);
    return this.ready;
  }

  /** The same object as `schema` (K1). */
  get parameterSchema(): object {
    return this.schema;
  }

  /** Null when the parameters are valid, else the message for the model: schema first, then the tool's own rules (K2). */
  abstract validateToolParams(params: TParams): string | null;
  protected abstract createInvocation(params: TParams): ToolInvocation<TParams, TResult>;

  /** An invocation of valid parameters. @throws ToolError `invalid_tool_params`, or the code of a `Refusal` */
  build(params: TParams): ToolInvocation<TParams, TResult> {
    const problem = this.validateToolParams(params);
    if (problem !== null) throw new ToolError(this.codeOf(problem, params), problem);
    return this.createInvocation(params);
  }

  /** `build` for parameters that the schema was found to accept this very moment, so that it need not look again. */
  buildValid(params: TParams): ToolInvocation<TParams, TResult> {
    return this.build(params);
  }

  /** The code that goes with what `validateToolParams` said about these parameters. */
  protected codeOf(_problem: string, _params: TParams): ToolErrorType {
    return ToolErrorType.INVALID_TOOL_PARAMS;
  }

  /** Like `build`, but never throws: bad parameters give an invocation whose result is the error (K4). */
  invoke(params: TParams): ToolInvocation<TParams, ToolResult> {
    try {
      return this.build(params);
    } catch (thrown) {
      return new RefusedInvocation(params, this.displayName, resultOfThrown(thrown));
    }
  }

  /** K3: the steps that documents C, D and E put on the tool, for given parameters. */
  getDescription(params: TParams): string {
    return this.invoke(params).getDescription();
  }

  async shouldConfirmExecute(params: TParams, signal: AbortSignal): Promise<ToolCallConfirmationDetails | false> {
    return (await this.invoke(params).shouldConfirmExecute?.(signal)) ?? false;
  }

  execute(params: TParams, signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    return this.invoke(params).execute(signal, updateOutput);
  }
}

/** A tool that declares its parameters by JSON Schema (S12, S26–S29). */
export abstract class BaseDeclarativeTool<TParams extends object, TResult extends ToolResult> extends BaseTool<
  TParams,
  TResult
> {
  validateToolParams(params: TParams): string | null {
    const choose = chooseExample(this.example, (shown: TParams) => this.validateToolParamValues(shown));
    const problem = validateAgainst(this.readySchema, params, choose) ?? this.validateToolParamValues(params);
    return problem === null || typeof problem === 'string' ? problem : problem.message;
  }

  override buildValid(params: TParams): ToolInvocation<TParams, TResult> {
    // Whoever writes a check or a way of building of their own is asked.
    const isPlain = isAsDeclared(this, 'build') && isAsDeclared(this, 'validateToolParams');
    return isPlain && this.validateToolParamValues(params) === null
      ? this.createInvocation(params)
      : this.build(params);
  }

  /** Parameters to show to a caller whose own are not valid; absent: the shortest that the schema allows, if the tool takes them. */
  protected get example(): TParams | undefined {
    return undefined;
  }

  /** Rules beyond the schema: the message for the model, with a code where it has one of its own; or null. */
  protected validateToolParamValues(_params: TParams): string | Refusal | null {
    return null;
  }

  protected override codeOf(problem: string, params: TParams): ToolErrorType {
    // Asked again rather than remembered: a tool serves many calls at once, and few of them are refused.
    const refusal = validateAgainst(this.readySchema, params) === null ? this.validateToolParamValues(params) : null;
    if (refusal === null || typeof refusal === 'string' || refusal.message !== problem)
      return super.codeOf(problem, params);
    return refusal.code;
  }
}

function isAsDeclared(tool: object, method: 'build' | 'validateToolParams'): boolean {
  return Reflect.get(tool, method) === Reflect.get(BaseDeclarativeTool.prototype, method);
}

class RefusedInvocation<TParams extends object> extends BaseToolInvocation<TParams, ToolResult> {
  readonly #toolName: string;
  readonly #result: ToolResult;

  constructor(params: TParams, toolName: string, result: ToolResult) {
    super(params);
    this.#toolName = toolName;
    this.#result = result;
  }

  effects(): readonly Effect[] {
    return [];
  }

  getDescription(): string {
    return `${this.#toolName} with invalid parameters`;
  }

  async execute(): Promise<ToolResult> {
    return this.#result;
  }
}
