import type { CallContext } from '../effects/call-context.js';
import type { ForeignEffect } from '../effects/effect.js';
import { callResult } from '../mcp/catalog/call-result.js';
import type { CleanDefinition } from '../mcp/catalog/clean-definition.js';
import { paramHeaderValues } from '../mcp/catalog/param-headers.js';
import type { McpServer, ServerProgress } from '../mcp/mcp-types.js';
import type { ToolRuntime } from '../runtime.js';
import { cutBytes } from '../util/clean-text.js';
import { foreignPlace } from './foreign-place.js';
import { contentPorts } from './foreign-content.js';
import { runWatched } from './run-watched.js';
import { ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  toParts,
  ToolErrorType,
  type ProgressDisplay,
  type ToolInvocation,
  type ToolMcpConfirmationDetails,
  type ToolResult,
  type UpdateOutput,
} from './tools.js';

const LONGEST_TITLE = 200;
const LONGEST_ERROR = 2000;

interface ServerTool {
  readonly server: McpServer;
  readonly definition: CleanDefinition;
  readonly runtime: Pick<ToolRuntime, 'getTempDir' | 'getSecrets' | 'getFileChanges'>;
  /** Called when an allowed call of it begins. */
  readonly onCall?: () => void;
}

class McpInvocation extends RunInvocation<object> {
  readonly #tool: ServerTool;

  constructor(tool: ServerTool, params: object) {
    super(params);
    this.#tool = tool;
  }

  getDescription(): string {
    const { alias, title } = this.#tool.definition;
    const args = JSON.stringify(this.params);
    return cutBytes(`${title} of ${alias}${args === '{}' ? '' : ` ${args}`}`, LONGEST_TITLE);
  }

  effects(): readonly ForeignEffect[] {
    return [effectOf(this.#tool)];
  }

  async confirmationDetails(): Promise<ToolMcpConfirmationDetails> {
    const { alias, serverName, title } = this.#tool.definition;
    const named = title === serverName ? '' : `${title}\n`;
    const prompt = `${named}Arguments: ${JSON.stringify(this.params, null, 2)}`;
    return { type: 'mcp', title: 'Confirm tool of a server', serverName: alias, toolName: serverName, prompt };
  }

  /** A server on this machine can change the files here. */
  protected async run(signal: AbortSignal, updateOutput?: UpdateOutput, context?: CallContext): Promise<ToolResult> {
    const { runtime, onCall } = this.#tool;
    onCall?.();
    const { at, does } = effectOf(this.#tool);
    const call = async (): Promise<ToolResult> => this.#call(signal, updateOutput);
    return at !== undefined || does === 'reads' ? call() : runWatched(call, { runtime, signal, context });
  }

  async #call(signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    const { server, definition, runtime } = this.#tool;
    const { hints, paramHeaders, taskSupport, serverName, alias, outputSchema } = definition;
    const raw = await server.callTool(serverName, this.params, {
      signal,
      ...(updateOutput !== undefined && {
        onProgress: (progress: ServerProgress) => updateOutput(progressOf(progress)),
      }),
      mayRepeat: server.definition.trust && (hints.readOnly === true || hints.idempotent === true),
      headers: paramHeaderValues(paramHeaders, this.params),
      asTask: taskSupport === 'required',
    });
    const readLink = server.features()?.resources === true ? ` (${ToolNames.MCP_RESOURCE} reads it)` : undefined;
    const ports = contentPorts(runtime, readLink);
    const { parts, display, data, isError } = await callResult({
      raw,
      alias,
      ports,
      ...(outputSchema !== undefined && { outputSchema }),
    });
    const result = { llmContent: toParts(parts), returnDisplay: display, ...(data !== undefined && { data }) };
    if (!isError) return result;
    const message = `${serverName} of the server ${JSON.stringify(alias)} reported an error: ${display}`;
    return { ...result, error: { message: cutBytes(message, LONGEST_ERROR), type: ToolErrorType.EXECUTION_FAILED } };
  }
}

/** A tool of a server as one of ours (S132). What it says of itself may raise what it is taken for; only trust lowers it. */
export class DiscoveredMCPTool extends BaseDeclarativeTool<object, ToolResult> {
  override readonly from: string;
  readonly #tool: ServerTool;

  constructor(tool: ServerTool) {
    const { name, title, description, inputSchema, alias } = tool.definition;
    super(name, `${title} (${alias})`, description, Kind.Other, inputSchema, false, true);
    this.from = alias;
    this.#tool = tool;
  }

  protected createInvocation(params: object): ToolInvocation<object, ToolResult> {
    return new McpInvocation(this.#tool, params);
  }
}

function effectOf({ server, definition }: ServerTool): ForeignEffect {
  const { alias, serverName, hash } = definition;
  const at = foreignPlace(server.definition);
  return {
    kind: 'foreign',
    from: alias,
    tool: serverName,
    ...natureOf(server.definition.trust, definition.hints),
    definition: hash,
    ...(at !== undefined && { at }),
  };
}

function natureOf(trusted: boolean, hints: CleanDefinition['hints']): Pick<ForeignEffect, 'does' | 'reason'> {
  if (!trusted) {
    if (hints.destructive === true && hints.readOnly !== true)
      return { does: 'destroys', reason: 'it says so of itself' };
    return { does: 'unknown', reason: 'its server is not trusted' };
  }
  if (hints.readOnly === true) return { does: 'reads', reason: 'its server says so and is trusted' };
  if (hints.destructive !== false)
    return { does: 'destroys', reason: 'its server does not say that it destroys nothing' };
  return { does: 'changes', reason: 'its server says that it destroys nothing' };
}

function progressOf({ progress, total, message }: ServerProgress): ProgressDisplay {
  const share = total !== undefined && total > 0 ? Math.min(1, Math.max(0, progress / total)) : undefined;
  const counted = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return { status: cutBytes(message ?? counted, LONGEST_TITLE), ...(share !== undefined && { progress: share }) };
}
