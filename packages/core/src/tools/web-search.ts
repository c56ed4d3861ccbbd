import type { FetchEffect } from '../effects/effect.js';
import type { ToolRuntime } from '../runtime.js';
import { SEARCH_PROVIDERS } from '../web/search/provider-table.js';
import type { ProviderAccess } from '../web/search/search-types.js';
import type { WebSearch } from '../web/search/web-search.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  type ToolInfoConfirmationDetails,
  type ToolInvocation,
  type ToolResult,
} from './tools.js';
import type { WebSearchToolParams } from './web-search-run.js';

export type { WebSearchToolParams } from './web-search-run.js';

type Runtime = Pick<ToolRuntime, 'getWebSearch'>;

const LONGEST_QUERY = 400;
const MOST_RESULTS = 20;
const DESCRIPTION = 'Searches the web. Results are title, address, date and snippet, for you to judge.';

class WebSearchInvocation extends RunInvocation<WebSearchToolParams> {
  readonly #search: WebSearch | undefined;
  /** Chosen once: what was approved is what is asked. */
  readonly #access: ProviderAccess | undefined;

  constructor(params: WebSearchToolParams, search: WebSearch | undefined) {
    super(params);
    this.#search = search;
    this.#access = search?.find(params.provider);
  }

  getDescription(): string {
    const where = this.#access === undefined ? '' : ` with ${this.#access.label}`;
    return `${JSON.stringify(this.params.query)}${where}`;
  }

  /** Without a provider nothing is sent: the call only tells how one is set up. */
  effects(): readonly FetchEffect[] {
    if (this.#access === undefined) return [];
    const { hostname, href } = new URL(this.#access.baseUrl);
    return [{ kind: 'fetch', host: hostname, url: href, onlyReads: true }];
  }

  async confirmationDetails(): Promise<ToolInfoConfirmationDetails> {
    const { label = 'a provider', baseUrl } = this.#access ?? {};
    const prompt = `${label} is sent this query: ${this.params.query}`;
    return {
      type: 'info',
      title: 'Confirm web search',
      prompt,
      ...(baseUrl !== undefined && { urls: [baseUrl] }),
    };
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const { runWebSearch } = await import('./web-search-run.js');
    return runWebSearch(this.params, { search: this.#search, access: this.#access }, signal);
  }
}

/** Finds pages by one of the search providers that are set up (S121). */
export class WebSearchTool extends BaseDeclarativeTool<WebSearchToolParams, ToolResult> {
  static readonly Name = ToolNames.WEB_SEARCH;
  override readonly parameterAliases = { max_results: 'limit', num_results: 'limit', q: 'query' };
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    super(WebSearchTool.Name, ToolDisplayNames.WEB_SEARCH, describe(runtime.getWebSearch()), Kind.Fetch, {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: LONGEST_QUERY, description: 'Words to find.' },
        limit: { type: 'integer', minimum: 1, maximum: MOST_RESULTS, description: 'Default: 5.' },
        provider: { type: 'string', enum: SEARCH_PROVIDERS, description: 'Default: the configured one.' },
      },
      required: ['query'],
      additionalProperties: false,
    });
    this.#runtime = runtime;
  }

  /** Where nothing can be asked, it would only cost every request its description. */
  override get isOffered(): boolean {
    return this.#runtime.getWebSearch()?.usual !== undefined;
  }

  protected override validateToolParamValues({ query }: WebSearchToolParams): string | null {
    return query.trim() === '' ? '`query` is empty.' : null;
  }

  protected createInvocation(params: WebSearchToolParams): ToolInvocation<WebSearchToolParams, ToolResult> {
    return new WebSearchInvocation(params, this.#runtime.getWebSearch());
  }
}

function describe(search: WebSearch | undefined): string {
  const names = search?.names ?? [];
  if (names.length > 1) return `${DESCRIPTION} Providers: ${names.join(', ')}.`;
  const hint = ' It is offered once a provider is set up: set SEARXNG_URL (no key needed), TAVILY_API_KEY or another.';
  return names.length === 1 ? DESCRIPTION : DESCRIPTION + hint;
}
