import type { KeySource } from './key-source.js';
import { ModelError } from './model-error.js';
import type { ModelPort } from './model.js';

/** What `send` does with the newest key, and once more with another where the endpoint refuses that. */
export async function withKey<T>(keys: KeySource, signal: AbortSignal, send: (key: string) => Promise<T>): Promise<T> {
  const key = await keys.get(signal);
  try {
    return await send(key);
  } catch (thrown) {
    const other = await keyAfter(thrown, key, { keys, signal });
    return send(other);
  }
}

/** A model whose key is known with its first request. `make`: the adapter with a key, and without one for its names. */
export function modelWithKeys(make: (key: string | undefined) => ModelPort, keys: KeySource): ModelPort {
  const { label, model } = make(undefined);
  return {
    label,
    model,
    heldKeys: () => keys.held(),
    stream: async function* (request, signal) {
      const key = await keys.get(signal);
      let other: string;
      let hasBegun = false;
      try {
        for await (const event of make(key).stream(request, signal)) {
          hasBegun = true;
          yield event;
        }
        return;
      } catch (thrown) {
        if (hasBegun) throw thrown;
        other = await keyAfter(thrown, key, { keys, signal });
      }
      yield* make(other).stream(request, signal);
    },
  };
}

/** The key to try instead. @throws what was thrown where no other key would help */
async function keyAfter(
  thrown: unknown,
  key: string,
  { keys, signal }: { readonly keys: KeySource; readonly signal: AbortSignal },
): Promise<string> {
  if (!(thrown instanceof ModelError) || thrown.info.kind !== 'auth') throw thrown;
  // Not 429 and 402: the account has no money, whatever its key.
  if (![400, 401, 403].includes(thrown.info.status ?? 0)) throw thrown;
  const other = await keys.insteadOf(key, signal);
  if (other === key) throw thrown;
  return other;
}
