import { isJsonObject, own, type JsonObject } from './json-value.js';
import { HOLDERS, IN_PLACE } from './keywords.js';
import { toPointer } from './pointer.js';
import type { SchemaDocument } from './schema-document.js';

/** Steps of one chain of schemas that judge the same value; validation recurses along it. */
const MAX_CHAIN = 300;

interface Place {
  readonly node: JsonObject;
  readonly path: readonly string[];
}

/** `$ref`s that lead nowhere, and those that go in a circle without ever taking a step into the value. */
export function referenceProblems(document: SchemaDocument, places: readonly Place[]): string[] {
  const dangling = places
    .filter(({ node }) => typeof node['$ref'] === 'string' && document.target(node) === undefined)
    .map(({ node, path }) => {
      const pointer = toPointer([...path, '$ref']);
      return `\`${pointer}\` leads nowhere: ${JSON.stringify(node['$ref'])} is not part of this schema, and others are not fetched.`;
    });
  return dangling.length > 0 ? dangling : circleProblems(document, places);
}

/** Depth-first search over the schemas that judge the same value. Each circle is told once. */
function circleProblems(document: SchemaDocument, places: readonly Place[]): string[] {
  const nameOf = new Map<JsonObject, string>(places.map(({ node, path }) => [node, `#${toPointer(path)}`]));
  const done = new Set<JsonObject>();
  const problems: string[] = [];
  const visit = (node: JsonObject, chain: readonly JsonObject[]): void => {
    if (done.has(node)) return;
    if (chain.includes(node)) {
      const circle = [...chain.slice(chain.indexOf(node)), node].map((step) => nameOf.get(step) ?? '#');
      problems.push(`\`$ref\`s go in a circle that never ends: ${circle.join(' → ')}.`);
      return;
    }
    if (chain.length >= MAX_CHAIN) {
      problems.push(`A chain of \`$ref\`s is longer than ${MAX_CHAIN} steps.`);
      return;
    }
    for (const next of sameValueSchemas(document, node)) visit(next, [...chain, node]);
    done.add(node);
  };
  for (const { node } of places) visit(node, []);
  return [...new Set(problems)];
}

function sameValueSchemas(document: SchemaDocument, node: JsonObject): JsonObject[] {
  const target = document.target(node);
  const next: unknown[] = target === undefined ? [] : [target];
  // In draft-07 nothing beside a `$ref` counts.
  if (target !== undefined && document.draft === '7') return next.filter(isJsonObject);
  for (const keyword of IN_PLACE) {
    const held = own(node, keyword);
    const isOne = HOLDERS.get(keyword) === 'schema';
    if (typeof held === 'object' && held !== null) next.push(...(isOne ? [held] : Object.values(held)));
  }
  return next.filter(isJsonObject);
}
