import { asObject, type WireObject } from './wire-json.js';

/** A part of a request that a server can do without. */
export interface OptionalParameter {
  /** The parameter's path in the body: `stream_options`, `generationConfig.thinkingConfig`. */
  readonly path: string;
  /** Other names that refusals have for it. */
  readonly names?: readonly string[];
  /** The parameter that is sent in its place, unless that is refused as well. */
  readonly instead?: string;
  /** Set for a wish of the user: it is dropped only if the server does not know the parameter; a refused value is an error. */
  readonly isWish?: true;
}

/** The parameters that a server refused; they are not sent again. Lives as long as the model. */
export class OptionalParameters {
  readonly #known: readonly OptionalParameter[];
  readonly #refused: Set<string>;

  /** `refused`: paths, shared by the adapters of one model. */
  constructor(known: readonly OptionalParameter[], refused = new Set<string>()) {
    this.#known = known;
    this.#refused = refused;
  }

  /** Returns the body without the parameters refused so far. */
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

  /** Returns the parameters that a body has. */
  in(body: WireObject): readonly OptionalParameter[] {
    return this.#known.filter(({ path }) => valueAt(body, path.split('.')) !== undefined);
  }

  /** Leaves these parameters out from now on. */
  refuse(parameters: readonly OptionalParameter[]): void {
    for (const { path } of parameters) this.#refused.add(path);
  }
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
