import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { WireObject } from './wire-message.js';
import { isObject } from '../../util/is-object.js';

const PARKED = 'tenon/raw';

const LIST = { ttlMs: 0, cacheScope: 'private' };
/** The least that the SDK accepts as result of each method. */
const STUBS: ReadonlyMap<string, WireObject> = new Map<string, WireObject>([
  ['tools/list', { tools: [], ...LIST }],
  ['tools/call', { content: [] }],
  ['resources/list', { resources: [], ...LIST }],
  ['resources/templates/list', { resourceTemplates: [], ...LIST }],
  ['resources/read', { contents: [], ...LIST }],
  ['prompts/list', { prompts: [], ...LIST }],
  ['prompts/get', { messages: [] }],
  ['completion/complete', { completion: { values: [] } }],
  ['tasks/get', {}],
  ['tasks/result', {}],
  ['tasks/update', {}],
  ['tasks/cancel', {}],
]);

/**
 * The SDK checks results as a whole, before our own schema sees them: one entry that is wrong would cost all others, and
 * results of a call that was done would be lost. So it gets a stub for each, and `schema` gives back what came.
 */
export class RawResults {
  readonly #parked = new Map<number, unknown>();
  #count = 0;

  /** What the SDK is told instead. `input_required` goes to the SDK, which answers it. */
  park(method: string, result: WireObject): WireObject {
    const stub = STUBS.get(method);
    if (stub === undefined || result['resultType'] === 'input_required') return result;
    const key = ++this.#count;
    this.#parked.set(key, result);
    return { resultType: 'complete', ...stub, _meta: { [PARKED]: key } };
  }

  /** Lets everything through. */
  readonly schema: StandardSchemaV1<unknown, unknown> = {
    '~standard': { version: 1, vendor: 'tenon', validate: (value: unknown) => ({ value: this.#take(value) }) },
  };

  #take(value: unknown): unknown {
    const meta = isObject(value) ? value['_meta'] : undefined;
    const key = isObject(meta) ? meta[PARKED] : undefined;
    if (typeof key !== 'number' || !this.#parked.has(key)) return value;
    const result = this.#parked.get(key);
    this.#parked.delete(key);
    return result;
  }
}

/** An answer to `initialize` that lacks what nobody needs is good enough. */
export function soundInitialize(result: WireObject): WireObject {
  const info = isObject(result['serverInfo']) ? result['serverInfo'] : {};
  const capabilities = isObject(result['capabilities']) ? result['capabilities'] : {};
  const { instructions, ...rest } = result;
  return {
    ...rest,
    protocolVersion: typeof result['protocolVersion'] === 'string' ? result['protocolVersion'] : '2024-11-05',
    capabilities: Object.fromEntries(
      Object.entries(capabilities)
        .filter(([, value]) => value !== null && value !== false)
        .map(([name, value]) => [name, isObject(value) ? value : {}]),
    ),
    serverInfo: {
      name: textOf(info['name'], 'unnamed'),
      version: textOf(info['version'], '?'),
      ...(typeof info['title'] === 'string' ? { title: info['title'] } : {}),
    },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}
