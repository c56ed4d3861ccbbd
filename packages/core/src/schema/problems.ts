import type { OutputUnit } from '@cfworker/json-schema';
import { isJsonObject, own, valueAt, type JsonObject } from './json-value.js';
import { parseLocation, toPointer } from './pointer.js';
import type { SchemaDocument, SchemaNode } from './schema-document.js';

/** One thing that is wrong with a value. */
export interface Problem {
  /**
   * `mismatch`: the value at `path` does not meet `node`. `missing`: the property at `path` is required.
   * `unknown`: the property at `path` is not allowed. `several`: it meets more than one of `oneOf`.
   */
  readonly kind: 'mismatch' | 'missing' | 'unknown' | 'several';
  readonly path: readonly string[];
  /** The schema that was not met; for `missing` that of the property, for `unknown` that of its object. */
  readonly node: SchemaNode;
  /** The schema in which the keyword stands. */
  readonly owner: SchemaNode;
  /** The keyword of `node` that failed. */
  readonly keyword: string;
  /** True when `node` stands under `properties`: a declared property, not one that is merely let in. */
  readonly declared: boolean;
}

/** Keywords that only pass on what is wrong further in. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  '$ref',
  'allOf',
  'if',
  'dependentSchemas',
]);
const MISSING: ReadonlySet<string> = new Set(['required', 'dependentRequired', 'dependencies']);
const CONTAINS: ReadonlySet<string> = new Set(['contains', 'minContains', 'maxContains']);

/** What is wrong, in the order of the schema; empty when the value is valid. @throws RangeError when there is far too much */
export function findProblems(document: SchemaDocument, value: unknown): Problem[] {
  return uniqueProblems(readUnits(document, value, document.errors(value, true)));
}

/** The first problems only, for a value with more than can be listed. */
export function findFirstProblems(document: SchemaDocument, value: unknown): Problem[] {
  return uniqueProblems(readUnits(document, value, document.errors(value, false)));
}

function readUnits(document: SchemaDocument, value: unknown, units: readonly OutputUnit[]): Problem[] {
  const problems: Problem[] = [];
  const shown = withoutContainsDetails(units);
  for (let index = 0; index < shown.length; index++) {
    const unit = shown[index];
    if (unit === undefined) break;
    const end = groupEnd(shown, index);
    if (unit.keyword === 'anyOf' || unit.keyword === 'oneOf') {
      problems.push(...readBranches(document, value, unit, shown.slice(index + 1, end)));
      index = end - 1;
    } else if (unit.keyword === 'propertyNames') {
      const next = shown[index + 1] ?? unit;
      problems.push({ ...mismatch(document, unit), kind: 'unknown', path: parseLocation(next.instanceLocation) });
      index = end - 1;
    } else if (unit.keyword === 'false') {
      problems.push(forbidden(document, unit, shown[index - 1]));
    } else if (MISSING.has(unit.keyword)) {
      problems.push(...missing(document, value, unit));
    } else if (!WRAPPERS.has(unit.keyword)) {
      problems.push(mismatch(document, unit));
    }
  }
  return problems;
}

/** Why each item was not the one `contains` looks for is noise: the sentence about `contains` is enough. */
function withoutContainsDetails(units: readonly OutputUnit[]): OutputUnit[] {
  const insides = units
    .filter((unit) => CONTAINS.has(unit.keyword))
    .map((unit) => `${unit.keywordLocation.slice(0, unit.keywordLocation.lastIndexOf('/'))}/contains/`);
  if (insides.length === 0) return [...units];
  return units.filter((unit) => !insides.some((inside) => unit.keywordLocation.startsWith(inside)));
}

/** Where the details that belong to the unit at `start` end. */
function groupEnd(units: readonly OutputUnit[], start: number): number {
  const inside = `${units[start]?.keywordLocation ?? ''}/`;
  let end = start + 1;
  for (let unit = units[end]; unit !== undefined; unit = units[++end]) {
    // `false` schemas carry no location of their own; they follow what they belong to.
    if (!unit.keywordLocation.startsWith(inside) && unit.keyword !== 'false') break;
  }
  return end;
}

/**
 * `anyOf` and `oneOf`: when just one alternative is of the right shape, what is wrong with it is
 * what the reader needs; otherwise the alternatives are named.
 */
function readBranches(
  document: SchemaDocument,
  value: unknown,
  unit: OutputUnit,
  details: readonly OutputUnit[],
): Problem[] {
  const whole = mismatch(document, unit);
  const branches = isJsonObject(whole.node) ? own(whole.node, unit.keyword) : undefined;
  if (!Array.isArray(branches)) return [whole];
  const path = parseLocation(unit.instanceLocation);
  const current = valueAt(value, path);
  const matching = branches.filter((branch: SchemaNode) => document.accepts(branch, current)).length;
  if (matching > 1) return [{ ...whole, kind: 'several' }];
  const read = branches.map((_branch, index) => {
    const inside = `${unit.keywordLocation}/${index}/`;
    const inner = details.filter((detail) => detail.keywordLocation.startsWith(inside));
    return uniqueProblems(readUnits(document, value, inner));
  });
  const right = read.filter(
    (problems) => problems.length > 0 && !problems.some((problem) => isWrongKind(problem, path)),
  );
  const best = right.sort((a, b) => rank(a) - rank(b));
  const [first, second] = best;
  if (first === undefined || (second !== undefined && rank(first) === rank(second))) return [whole];
  return first;
}

/** The value as a whole is not what the alternative is about. */
function isWrongKind(problem: Problem, path: readonly string[]): boolean {
  return problem.path.length === path.length && problem.kind === 'mismatch';
}

/** Lower is nearer. A failed `const` or `enum` is how alternatives are told apart, so it counts most. */
function rank(problems: readonly Problem[]): number {
  const tags = problems.filter((problem) => problem.keyword === 'const' || problem.keyword === 'enum');
  return tags.length * 100 + problems.length;
}

function mismatch(document: SchemaDocument, unit: OutputUnit): Problem {
  const location = parseLocation(unit.keywordLocation).slice(0, -1);
  const node = document.nodeAt(location) ?? true;
  return {
    kind: 'mismatch',
    path: parseLocation(unit.instanceLocation),
    node,
    owner: node,
    keyword: unit.keyword,
    declared: isDeclared(location),
  };
}

/** Whether the schema is that of a declared property, through any references and alternatives. */
function isDeclared(location: readonly string[]): boolean {
  const steps = [...location];
  for (let last = steps.at(-1); last !== undefined; last = steps.at(-1)) {
    if (last === '$ref' && steps.at(-2) !== 'properties') steps.pop();
    else if (/^\d+$/.test(last) && /^(allOf|anyOf|oneOf)$/.test(steps.at(-2) ?? '')) steps.splice(-2);
    else break;
  }
  return steps.at(-2) === 'properties';
}

function forbidden(document: SchemaDocument, unit: OutputUnit, parent: OutputUnit | undefined): Problem {
  const path = parseLocation(unit.instanceLocation);
  const owner = parent === undefined ? document.root : mismatch(document, parent).node;
  return { kind: 'unknown', path, node: owner, owner, keyword: parent?.keyword ?? 'false', declared: false };
}

function missing(document: SchemaDocument, value: unknown, unit: OutputUnit): Problem[] {
  const place = mismatch(document, unit);
  if (!isJsonObject(place.node)) return [place];
  const object = valueAt(value, place.path);
  if (!isJsonObject(object)) return [place];
  const properties = own(place.node, 'properties');
  return requiredNames(place.node, unit.keyword, object)
    .filter((name) => !Object.hasOwn(object, name))
    .map((name) => {
      const schema = isJsonObject(properties) ? own(properties, name) : undefined;
      const node = isJsonObject(schema) ? schema : true;
      return { ...place, kind: 'missing', path: [...place.path, name], node, declared: true };
    });
}

function requiredNames(node: JsonObject, keyword: string, object: JsonObject): string[] {
  const held = own(node, keyword);
  const lists: unknown[] = keyword === 'required' ? [held] : [];
  if (keyword !== 'required' && isJsonObject(held)) {
    lists.push(...Object.keys(object).map((name) => own(held, name)));
  }
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []));
}

/** One problem for each place and schema: the sentence about it names everything the schema wants. */
function uniqueProblems(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, SchemaNode[]>();
  return problems.filter((problem) => {
    const key = `${problem.kind} ${toPointer(problem.path)}`;
    const nodes = seen.get(key) ?? [];
    if (problem.kind !== 'mismatch' ? nodes.length > 0 : nodes.includes(problem.node)) return false;
    seen.set(key, [...nodes, problem.node]);
    return true;
  });
}
