import type { ForeignEffect } from '../effects/effect.js';
import { displayOf, marked } from '../mcp/catalog/call-result.js';
import { ContentParts, kindOf, label } from '../mcp/catalog/content-parts.js';
import { isObject } from '../util/is-object.js';
import type { McpServer, ServerList } from '../mcp/mcp-types.js';
import type { ToolRuntime } from '../runtime.js';
import { count } from '../util/count.js';
import { nearestName } from '../util/nearest-names.js';
import { contentPorts } from './foreign-content.js';
import { foreignPlace } from './foreign-place.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  toParts,
  type ToolInvocation,
  type ToolMcpConfirmationDetails,
  type ToolResult,
} from './tools.js';

export interface McpResourceToolParams {
  operation: 'list' | 'templates' | 'read' | 'subscribe' | 'unsubscribe';
  server: string;
  uri?: string;
}

const MOST_LISTED = 200;

const SCHEMA = {
  type: 'object',
  properties: {
    operation: { type: 'string', enum: ['list', 'templates', 'read', 'subscribe', 'unsubscribe'] },
    server: { type: 'string', description: 'Name of the server.' },
    uri: {
      type: 'string',
      description: 'For read, subscribe and unsubscribe: the address, as listed or made from a template.',
    },
  },
  required: ['operation', 'server'],
  additionalProperties: false,
};

interface Needs {
  /** Those that have resources. */
  readonly servers: () => readonly McpServer[];
  readonly runtime: Pick<ToolRuntime, 'getTempDir' | 'getSecrets'>;
}

class McpResourceInvocation extends RunInvocation<McpResourceToolParams> {
  readonly #needs: Needs;

  constructor(needs: Needs, params: McpResourceToolParams) {
    super(params);
    this.#needs = needs;
  }

  getDescription(): string {
    const { operation, server, uri } = this.params;
    return `${operation} ${uri ?? 'resources'} of ${server}`;
  }

  effects(): readonly ForeignEffect[] {
    const { operation, server: alias } = this.params;
    const server = this.#needs.servers().find(({ definition }) => definition.alias === alias);
    const at = server === undefined ? undefined : foreignPlace(server.definition);
    const isList = operation === 'list' || operation === 'templates';
    const nature = isList
      ? ({ does: 'reads', reason: 'lists of servers only tell' } as const)
      : server?.definition.trust === true
        ? ({ does: 'reads', reason: 'its server is trusted' } as const)
        : ({ does: 'unknown', reason: 'its server is not trusted' } as const);
    const tool = `resources/${operation}`;
    return [{ kind: 'foreign', from: alias, tool, ...nature, ...(at !== undefined && { at }) }];
  }

  async confirmationDetails(): Promise<ToolMcpConfirmationDetails> {
    const { operation, server, uri } = this.params;
    const prompt = `Resource: ${uri ?? ''}`;
    return {
      type: 'mcp',
      title: 'Confirm resource of a server',
      serverName: server,
      toolName: `${operation} resource`,
      prompt,
    };
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const { operation, uri = '' } = this.params;
    const server = this.#server();
    if (operation === 'list') return this.#listed(await server.listResources(signal), 'uri');
    if (operation === 'templates') return this.#listed(await server.listResourceTemplates(signal), 'uriTemplate');
    if (operation === 'read') return this.#read(server, uri, signal);
    if (server.features()?.subscribe !== true) {
      const what = `The server ${JSON.stringify(server.definition.alias)} does not tell of changes. Read it again instead.`;
      throw new ToolError(ToolErrorType.EXECUTION_FAILED, what);
    }
    if (operation === 'unsubscribe') await server.unsubscribe(uri, signal);
    else await server.subscribe(uri, signal);
    const said = operation === 'subscribe' ? 'You are told when it changes.' : 'You are no longer told of its changes.';
    return { llmContent: said };
  }

  #server(): McpServer {
    const servers = this.#needs.servers();
    const found = servers.find(({ definition }) => definition.alias === this.params.server);
    if (found !== undefined) return found;
    const names = servers.map(({ definition }) => definition.alias);
    const nearest = nearestName(this.params.server, names);
    const hint =
      nearest === undefined ? `Those with resources: ${names.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
    const what = `No server ${JSON.stringify(this.params.server)} with resources is connected. ${hint}`;
    throw new ToolError(ToolErrorType.INVALID_TOOL_PARAMS, what);
  }

  #listed({ entries, problems }: ServerList, key: 'uri' | 'uriTemplate'): ToolResult {
    const content = new ContentParts(contentPorts(this.#needs.runtime));
    const lines = entries.slice(0, MOST_LISTED).map((entry) => {
      const [name, about, type] = [
        label(entry['title'] ?? entry['name']),
        label(entry['description']),
        label(entry['mimeType']),
      ];
      return [label(entry[key]), name, type && `(${type})`, about && `- ${about}`]
        .filter((part) => part !== '')
        .join(' ');
    });
    content.addText(lines.length === 0 ? 'There are none.' : lines.join('\n'));
    if (entries.length > lines.length) content.notes.push(`${count(entries.length - lines.length, 'more')} not shown.`);
    content.notes.push(...problems);
    return this.#result(content);
  }

  async #read(server: McpServer, uri: string, signal: AbortSignal): Promise<ToolResult> {
    const raw = await server.readResource(uri, signal);
    const content = new ContentParts(contentPorts(this.#needs.runtime));
    const contents = isObject(raw) ? raw['contents'] : undefined;
    if (Array.isArray(contents)) for (const one of contents.slice(0, MOST_LISTED)) await content.addResource(one);
    else content.notes.push(`The server answered without contents, with ${kindOf(raw)}.`);
    if (Array.isArray(contents) && contents.length > MOST_LISTED)
      content.notes.push(`${contents.length - MOST_LISTED} more contents were left out.`);
    return this.#result(content);
  }

  #result(content: ContentParts): ToolResult {
    const parts = marked(this.params.server, content);
    return { llmContent: toParts(parts), returnDisplay: displayOf(content) };
  }
}

/** The resources of all servers behind one tool; there only while a server has some. */
export class McpResourceTool extends BaseDeclarativeTool<McpResourceToolParams, ToolResult> {
  static readonly Name = ToolNames.MCP_RESOURCE;
  readonly #needs: Needs;

  constructor(needs: Needs) {
    const about =
      'Lists, reads and watches resources (documents, records, files) that servers offer. `templates` lists patterns of addresses with {placeholders} to fill in. After `subscribe` you are told when it changes.';
    super(ToolNames.MCP_RESOURCE, ToolDisplayNames.MCP_RESOURCE, about, Kind.Read, SCHEMA);
    this.#needs = needs;
  }

  protected override validateToolParamValues({ operation, uri }: McpResourceToolParams): string | null {
    const needsUri = operation !== 'list' && operation !== 'templates';
    return needsUri && (uri === undefined || uri === '')
      ? `\`uri\` is required for ${operation}: list them first.`
      : null;
  }

  protected createInvocation(params: McpResourceToolParams): ToolInvocation<McpResourceToolParams, ToolResult> {
    return new McpResourceInvocation(this.#needs, params);
  }
}
