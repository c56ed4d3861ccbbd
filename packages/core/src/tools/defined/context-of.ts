import type { CallContext } from '../../effects/call-context.js';
import { isObject } from '../../util/is-object.js';

/** Who makes the call, as it comes behind the other parameters of `execute`. */
export function contextOf(value: unknown): CallContext | undefined {
  return isObject(value) ? (value as unknown as CallContext) : undefined;
}
