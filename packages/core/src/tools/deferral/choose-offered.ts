/** A tool as far as it matters for what models are told of. */
export interface OfferedTool {
  readonly name: string;
  /** Only tools of others are ever put behind the search. */
  readonly isForeign: boolean;
  /** Its declaration. In characters of JSON. */
  readonly size: number;
}

export interface OfferChoice {
  /** The names of the tools that models are told of, in order. */
  readonly offered: readonly string[];
  /** Those that are found by search only. */
  readonly deferred: readonly string[];
}

/**
 * Which tools models are told of. When all tools of others fit into the budget, all are; else none of them but those that were
 * offered before and those that were found or called, in the order in which they were found. What was offered once keeps its
 * place for as long as the tool is there: the caches of models hold for a beginning that stays the same. Pure.
 */
export function chooseOffered(
  tools: readonly OfferedTool[],
  {
    before,
    found,
    budget,
  }: { readonly before: readonly string[]; readonly found: readonly string[]; readonly budget: number },
): OfferChoice {
  const there = new Map(tools.map((tool) => [tool.name, tool]));
  const offered = new Set(before.filter((name) => there.has(name)));
  const size = tools.reduce((sum, tool) => (tool.isForeign ? sum + tool.size : sum), 0);
  const fits = size <= budget;
  for (const { name, isForeign } of tools) if (!isForeign || fits) offered.add(name);
  for (const name of found) if (there.has(name)) offered.add(name);
  return {
    offered: [...offered],
    deferred: tools.filter(({ name }) => !offered.has(name)).map(({ name }) => name),
  };
}
