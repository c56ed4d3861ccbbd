import type { Effect } from '../effects/effect.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  type BaseTool,
  type ToolInvocation,
  type ToolResult,
} from './tools.js';

export interface ToolSearchToolParams {
  query: string;
  limit?: number;
}

/** The tools that can be searched. */
export interface SearchableTools {
  search(query: string, most: number): readonly BaseTool[];
  find(name: string): BaseTool | undefined;
  /** These are offered from now on. */
  note(names: readonly string[]): void;
  /** Who brings how many. */
  sources(): ReadonlyMap<string, number>;
}

const DEFAULT_LIMIT = 5;
const MOST = 20;
/** Characters of declarations in one answer; what does not fit is named. */
const LONGEST_ANSWER = 40_000;
/** Characters of the names of servers in the description. */
const LONGEST_LIST = 600;
const SELECT = 'select:';

class ToolSearchInvocation extends RunInvocation<ToolSearchToolParams> {
  readonly #tools: SearchableTools;

  constructor(params: ToolSearchToolParams, tools: SearchableTools) {
    super(params);
    this.#tools = tools;
  }

  getDescription(): string {
    return this.params.query;
  }

  /** Nothing but what the agent knows already is looked at. */
  effects(): Effect[] {
    return [];
  }

  protected async run(): Promise<ToolResult> {
    const { found, unknown } = this.#found();
    const { shown, others } = shareOut(found);
    const names = shown.map(({ name }) => name);
    this.#tools.note(names);
    const notes = [
      ...(found.length === 0 && unknown.length === 0
        ? [`Nothing speaks of it. Try other words, such as what the tool works on.`]
        : []),
      ...(unknown.length > 0 ? [`There is no tool named ${unknown.slice(0, MOST).join(', ')}.`] : []),
      ...(others.length > 0 ? [`For the others: ${SELECT}${others.map(({ name }) => name).join(',')}`] : []),
    ];
    const answer = {
      tools: shown.map(({ name, description, schema }) => ({ name, description, parameters: schema })),
      ...(notes.length > 0 && { note: notes.join(' ') }),
    };
    return {
      llmContent: JSON.stringify(answer),
      returnDisplay: names.length === 0 ? 'No tool was found.' : names.join('\n'),
      data: { found: names },
    };
  }

  #found(): { readonly found: readonly BaseTool[]; readonly unknown: readonly string[] } {
    const { query, limit = DEFAULT_LIMIT } = this.params;
    const text = query.trim();
    if (!text.toLowerCase().startsWith(SELECT)) return { found: this.#tools.search(text, limit), unknown: [] };
    const names = text
      .slice(SELECT.length)
      .split(/[\s,]+/)
      .filter((name) => name !== '');
    const found = names.flatMap((name) => this.#tools.find(name) ?? []);
    return { found: [...new Set(found)], unknown: names.filter((name) => this.#tools.find(name) === undefined) };
  }
}

/** As many as fit, at least one. */
function shareOut(found: readonly BaseTool[]): {
  readonly shown: readonly BaseTool[];
  readonly others: readonly BaseTool[];
} {
  let length = 0;
  const end = found.findIndex(({ name, description, schema }, index) => {
    length += JSON.stringify([name, description, schema]).length;
    return (index > 0 && length > LONGEST_ANSWER) || index >= MOST;
  });
  return end === -1
    ? { shown: found, others: [] }
    : { shown: found.slice(0, end), others: found.slice(end, end + MOST) };
}

/** Finds tools of servers and discovered ones, when there are too many to tell of all. */
export class ToolSearchTool extends BaseDeclarativeTool<ToolSearchToolParams, ToolResult> {
  static readonly Name = ToolNames.TOOL_SEARCH;
  readonly #tools: SearchableTools;

  constructor(tools: SearchableTools) {
    super(
      ToolSearchTool.Name,
      ToolDisplayNames.TOOL_SEARCH,
      `Finds further tools, which are not all listed here. Search before you say that something cannot be done. The answer holds the full declarations; call the tools by their names. Searched are the tools of: ${sourceList(tools.sources())}.`,
      Kind.Search,
      {
        type: 'object',
        properties: {
          query: {
            type: 'string',
            minLength: 1,
            description: `What the tool should do or work on, in a few words; or ${SELECT}NAME,NAME for tools by name.`,
          },
          limit: { type: 'integer', minimum: 1, maximum: MOST, description: `Default ${DEFAULT_LIMIT}.` },
        },
        required: ['query'],
        additionalProperties: false,
      },
    );
    this.#tools = tools;
  }

  protected createInvocation(params: ToolSearchToolParams): ToolInvocation<ToolSearchToolParams, ToolResult> {
    return new ToolSearchInvocation(params, this.#tools);
  }
}

function sourceList(sources: ReadonlyMap<string, number>): string {
  const all = Array.from(sources, ([from, count]) => `${from} (${count})`);
  let length = 0;
  const shown = all.filter((text) => (length += text.length + 2) <= LONGEST_LIST);
  const more = all.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more servers` : '');
}
