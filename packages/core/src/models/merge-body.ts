import { asObject, type WireObject } from './wire-json.js';

/** Merges the second object into the first: nested objects are merged, null removes a field. Pure. */
export function mergeBody(body: WireObject, more: WireObject | undefined): WireObject {
  const merged: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(more ?? {})) {
    const [before, inner] = [asObject(merged[name]), asObject(value)];
    if (value === null) delete merged[name];
    else merged[name] = before === undefined || inner === undefined ? value : mergeBody(before, inner);
  }
  return merged;
}
