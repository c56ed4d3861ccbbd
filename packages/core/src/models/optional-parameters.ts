import { asArray, asObject, asText, parseJson, type WireObject } from './wire-json.js';

/** A part of a request that a server can do without. */
export interface OptionalParameter {
  /** Where it stands in the body: `stream_options`, `generationConfig.thinkingConfig`. */
  readonly path: string;
  /** Other names that refusals have for it. */
  readonly names?: readonly string[];
  /** The parameter that is sent in its place, unless that is refused as well. */
  readonly instead?: string;
  /** The user's own wish: only a server that does not know it goes without, a refused value is an error. */
  readonly isWish?: true;
}

/** Ways in which servers say that they do not take a parameter. */
const REFUSAL =
  /unsupported|not (?:be )?(?:supported|permitted|allowed|enabled|recogni[sz]ed|a valid)|n[o']t support|unknown|unrecogni[sz]ed|unexpected|extra[ _](?:inputs?|fields?|forbidden)|extraneous|cannot find field|deprecated|only be (?:defined|set|used|specified)|only (?:valid|allowed) when/i;
/** What follows names other parameters, those that would do. */
const ADVICE =
  /[,;]? *\b(?:expected one of|(?:allowed|valid|supported|accepted|known) (?:fields|parameters|keys|names|arguments|properties)|(?:please )?use |try |did you mean)\b.*$/i;
/** Keys under which servers repeat the request. */
const ECHOES = new Set(['input', 'ctx', 'body', 'request', 'url']);

/** What a server refused of requests, so that it is not sent again. Lives as long as the model. */
export class OptionalParameters {
  readonly #known: readonly OptionalParameter[];
  readonly #refused: Set<string>;

  /** `refused`: paths, shared by the adapters of one model. */
  constructor(known: readonly OptionalParameter[], refused = new Set<string>()) {
    this.#known = known;
    this.#refused = refused;
  }

  /** The body without what was refused so far. */
  fit(body: WireObject): WireObject {
    let fitted = body;
    for (const { path, instead } of this.#known) {
      if (!this.#refused.has(path)) continue;
      const value = valueAt(fitted, path.split('.'));
      fitted = without(fitted, path.split('.'));
      if (value !== undefined && instead !== undefined && !this.#refused.has(instead) && !(instead in fitted))
        fitted = { ...fitted, [instead]: value };
    }
    return fitted;
  }

  /** Whether another try is worth it: something that was sent was refused, and is not from now on. */
  learn(failure: { readonly status: number; readonly body: string }, sent: WireObject): boolean {
    // Not about what was asked.
    if ([401, 402, 403, 407, 408, 413, 429].includes(failure.status)) return false;
    const said = statements(failure.body);
    const found = this.#known.filter(
      (one) =>
        !this.#refused.has(one.path) &&
        valueAt(sent, one.path.split('.')) !== undefined &&
        said.some((statement) => refuses(statement, one)),
    );
    for (const { path } of found) this.#refused.add(path);
    return found.length > 0;
  }
}

function refuses(statement: string, { path, names = [], isWish }: OptionalParameter): boolean {
  if (!REFUSAL.test(statement)) return false;
  if (isWish === true && /\bvalues?\b/i.test(statement)) return false;
  return [path, ...names].some((name) => {
    const word = name.replace(/\./g, '\\.');
    // Not where it is part of another name or path, as in `messages[0].temperature`.
    return new RegExp(`(?<![\\w.-])${word}(?![\\w[-]|\\.\\w)`, 'i').test(statement);
  });
}

/** What a failure says, cut so that each piece is about one parameter. */
function statements(body: string): readonly string[] {
  const json = parseJson(body);
  return json === undefined ? sentences(body) : statementsIn(json, 0);
}

function statementsIn(value: unknown, depth: number): readonly string[] {
  if (depth > 6) return [];
  if (typeof value === 'string')
    return parseJson(value) === undefined ? sentences(value) : statementsIn(parseJson(value), depth + 1);
  if (Array.isArray(value)) return asArray(value).flatMap((item) => statementsIn(item, depth + 1));
  const object = asObject(value);
  if (object === undefined) return [];
  const place =
    asText(object['param']) ??
    asArray(object['loc'])
      .filter((step) => step !== 'body')
      .join('.');
  const about = ['code', 'type', 'msg', 'message'].map((key) => asText(object[key]) ?? '');
  const own = place === '' ? [] : sentences(`'${place}' ${about.join(' ')}`).slice(0, 1);
  const parts = Object.entries(object).filter(([key]) => !ECHOES.has(key));
  return [...own, ...parts.flatMap(([, part]) => statementsIn(part, depth + 1))];
}

function sentences(text: string): readonly string[] {
  return text
    .replace(/\n\s+/g, ' ')
    .split(/\n|;|\}|(?<=[.!?])\s/)
    .map((sentence) => sentence.replace(/\bbody(?:\.| -> )/g, ' ').replace(ADVICE, ''));
}

function valueAt(object: WireObject, [first = '', ...rest]: readonly string[]): unknown {
  const value = object[first];
  if (rest.length === 0) return value;
  const inner = asObject(value);
  return inner === undefined ? undefined : valueAt(inner, rest);
}

function without(object: WireObject, [first = '', ...rest]: readonly string[]): WireObject {
  const { [first]: value, ...others } = object;
  const inner = asObject(value);
  if (rest.length === 0 || inner === undefined) return rest.length === 0 ? others : object;
  return { ...object, [first]: without(inner, rest) };
}
