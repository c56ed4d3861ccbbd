/** Plain JSON: what schemas, arguments and examples are made of. */

/** A JSON object. Names are own properties only: `toString` and `__proto__` are just names. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Levels of nesting that a schema or a value may have. Validation is recursive, so this keeps the stack safe. */
export const MAX_DEPTH = 200;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own property, or undefined. */
export function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export interface Survey {
  /** Why the value cannot be checked, as the end of a sentence that begins with "it"; null when it can. */
  readonly problem: string | null;
  /** True when some property is `undefined`: JSON has no such thing, so it counts as absent. */
  readonly hasUndefined: boolean;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Looks a value over without recursion: too deep, cyclic, or holding what JSON cannot hold. */
export function surveyJson(value: unknown): Survey {
  const stack: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let hasUndefined = false;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value: current, depth } = next;
    if (current === undefined && depth > 0) {
      hasUndefined = true;
      continue;
    }
    if (typeof current !== 'object' || current === null) {
      const problem = scalarProblem(current);
      if (problem !== null) return { problem, hasUndefined };
      continue;
    }
    if (depth >= MAX_DEPTH) return { problem: `is nested more than ${MAX_DEPTH} levels deep`, hasUndefined };
    for (const [name, child] of Object.entries(current)) {
      if (LONE_SURROGATE.test(name)) return { problem: 'has a property name that is not valid Unicode', hasUndefined };
      // What most of it is: no need to come back to it.
      if (typeof child !== 'string' && typeof child !== 'boolean') stack.push({ value: child, depth: depth + 1 });
    }
  }
  return { problem: null, hasUndefined };
}

/** Undefined is left out, as `JSON.stringify` would. The depth must have been checked. */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (item === undefined ? null : withoutUndefined(item)));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutUndefined(child)]));
}

/** The value at a path of names and indexes; undefined where the path leaves the value. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let current = root;
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as JsonObject)[name];
  }
  return current;
}

/**
 * The same value with another one at `path`; `undefined` takes the property out. Nothing is changed
 * in place, and the order of the names stays.
 */
export function replaceAt(root: unknown, path: readonly string[], replacement: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement;
  if (Array.isArray(root)) {
    return root.map((item: unknown, index) => (String(index) === name ? replaceAt(item, rest, replacement) : item));
  }
  if (!isJsonObject(root)) return root;
  const entries = Object.entries(root).map(
    ([key, child]) => [key, key === name ? replaceAt(child, rest, replacement) : child] as const,
  );
  const dropped = replacement === undefined && rest.length === 0;
  return Object.fromEntries(dropped ? entries.filter(([key]) => key !== name) : entries);
}

function scalarProblem(value: unknown): string | null {
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : `holds the number ${value}, which JSON cannot hold`;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  return `holds a value of the type ${typeof value}, which JSON cannot hold`;
}
