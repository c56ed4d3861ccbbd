/**
 * Reading and writing JSON that crosses the wire to a provider. Everything a provider sends is
 * unknown until looked at: `at` walks into it and never throws.
 */

export type WireObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): WireObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as WireObject) : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The text, or nothing when it is empty or no text. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The value at a path of own keys and indexes; undefined when anything on the way is missing. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string | number, unknown>)[step];
  }
  return current;
}

/** Parsed JSON, or undefined when the text is not JSON. (JSON has no undefined of its own.) */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const ESCAPES = /\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})/g;

/** JSON text in which every escape of an unpaired surrogate reads U+FFFD. */
export function replaceLoneEscapes(json: string): string {
  return json.replace(ESCAPES, (match, lone: string | undefined) => (lone === undefined ? match : '\\ufffd'));
}

/**
 * `JSON.stringify` for providers: unpaired surrogates, in keys too, become U+FFFD, because servers
 * refuse the whole request over one. `JSON.stringify` writes an escape for exactly those and keeps
 * pairs as they are, so its output is where they are found.
 */
export function toWellFormedJson(value: object): string {
  return replaceLoneEscapes(JSON.stringify(value));
}

/**
 * A model's own arguments as a provider takes them back: the text itself when it is a JSON object,
 * else `{}`, since many servers parse it and fail the whole request; what was wrong with it stands
 * in the call's result.
 */
export function argumentsJson(argumentsText: string): string {
  return asObject(parseJson(argumentsText)) === undefined ? '{}' : replaceLoneEscapes(argumentsText);
}

export function argumentsObject(argumentsText: string): WireObject {
  return asObject(parseJson(argumentsText)) ?? {};
}
