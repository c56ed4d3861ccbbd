import type { CallContext } from '../effects/call-context.js';
import { repairArguments } from '../schema/repair.js';
import { ToolError, ToolErrorType } from '../tools/tool-error.js';
import { otherToolsHint } from '../tools/find-tool.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { ToolResult } from '../tools/tool-result.js';
import { type BaseTool, resultOfThrown, type ToolInvocation, type ToolLocation } from '../tools/tools.js';
import { cutBytes } from '../util/clean-text.js';
import type { CallSecrets } from './call-secrets.js';
import type { SchedulerServices } from './services.js';

/** A call as a model sends it. `argumentsText` is JSON text, perhaps cut or not JSON at all. */
export interface CallRequest {
  readonly callId: string;
  readonly toolName: string;
  readonly argumentsText: string;
  /** The answer was cut off in this call: nothing at all does not mean no arguments. */
  readonly isCut?: boolean;
}

export type AnyInvocation = ToolInvocation<object, ToolResult>;

/** A call that may go on. */
export interface PreparedCall {
  readonly tool: BaseTool;
  readonly invocation: AnyInvocation;
  /** The parameters that the invocation was built from; hooks, approvals and logs show them. */
  readonly params: object;
  readonly repairs: readonly string[];
  /** One line for people. */
  readonly title: string;
  readonly locations: readonly ToolLocation[];
  readonly context: CallContext;
  /** Absent where it has nothing to do with any. */
  readonly secrets?: CallSecrets;
}

/** A call that cannot go on, and what people see of it. */
export interface InvalidCall {
  readonly failure: ToolResult;
  readonly displayName: string;
  /** One line: the arguments, of which nobody can say what they mean. */
  readonly title: string;
}

/** In bytes. */
const LONGEST_TITLE = 200;

/** Parameters that are never repaired: what is written or run is what the model sent. */
const VERBATIM = ['command', 'content', 'old_string', 'new_string', 'patch'];

const CUT_OFF =
  'The call did not run: your answer reached the limit of output tokens before its arguments were whole. Sent again as it was, it ' +
  'would be cut off again. Send less at once: a long file in parts, many changes in several calls.';

type PrepareServices = Pick<SchedulerServices, 'registry' | 'caller' | 'secrets'>;

/** Parses, repairs, validates and builds (S23, S25 steps 2–4). @throws ToolError */
export function prepareCall(call: CallRequest, { registry, caller, secrets }: PrepareServices): PreparedCall {
  const tool = registry.findTool(call.toolName);
  if (tool === undefined) throw unknownTool(call.toolName, registry);
  let valid: object | undefined;
  const parsed = repairArguments({
    schema: tool.readySchema,
    argumentsText: call.argumentsText,
    aliases: tool.parameterAliases,
    verbatim: VERBATIM,
    mend: tool.mend,
    onValid: (value) => {
      valid = value;
    },
  });
  if (call.isCut === true && (!parsed.ok || call.argumentsText.trim() === ''))
    throw new ToolError(ToolErrorType.INVALID_TOOL_PARAMS, CUT_OFF);
  if (!parsed.ok) throw new ToolError(ToolErrorType.INVALID_TOOL_PARAMS, parsed.message);
  const params: object = parsed.value;
  const invocation: AnyInvocation = params === valid ? tool.buildValid(params) : tool.build(params);
  const described = invocation.getDescription();
  // The journal has it as well.
  const title = secrets?.hide(described) ?? described;
  const locations = invocation.toolLocations?.() ?? [];
  const context = { ...caller(), callId: call.callId, toolName: tool.name, title };
  return { tool, invocation, params, repairs: parsed.repairs, title, locations, context };
}

/** Rebuilds the call with other parameters. @throws ToolError */
export function rebuilt<T extends Pick<PreparedCall, 'tool'>>(call: T, params: object): T & BuiltCall {
  return { ...call, params, invocation: call.tool.build(params) };
}

type BuiltCall = Pick<PreparedCall, 'invocation' | 'params'>;

/** Runs `prepareCall`; what it throws is the call's result. */
export function tryPrepareCall(call: CallRequest, services: PrepareServices): PreparedCall | InvalidCall {
  try {
    return prepareCall(call, services);
  } catch (thrown) {
    const displayName = services.registry.findTool(call.toolName)?.displayName ?? call.toolName;
    return { failure: resultOfThrown(thrown), displayName, title: titleAsSent(call, services) };
  }
}

function titleAsSent({ argumentsText }: CallRequest, { secrets }: PrepareServices): string {
  const sent = (secrets?.hide(argumentsText) ?? argumentsText).trim();
  return sent === '' ? 'without arguments' : cutBytes(sent.replaceAll(/\s+/g, ' '), LONGEST_TITLE);
}

function unknownTool(name: string, registry: ToolRegistry): ToolError {
  const reason = registry.whyHeld(name);
  if (reason !== undefined) return new ToolError(ToolErrorType.EXECUTION_DENIED, reason);
  const shown = JSON.stringify(name.slice(0, 100));
  return new ToolError(
    ToolErrorType.TOOL_NOT_REGISTERED,
    `There is no tool named ${shown}. ${otherToolsHint(name, registry.getAllTools())} Call one of those you were given.`,
  );
}
