import { nodeTransport, readText } from './http-transport.js';
import { asArray, asText, at, parseJson } from './wire-json.js';
import { timeLimit } from '../util/abort.js';

export interface LocalServerPort {
  readonly name: string;
  readonly port: number;
}

/** A server on this machine that speaks OpenAI's API. Name and models are what it is by habit and says: untrusted. */
export interface LocalServer {
  readonly name: string;
  readonly baseUrl: string;
  /** Ids as the server lists them, at most 100. Some servers list none before a model is loaded. */
  readonly models: readonly string[];
}

export interface FindLocalServersOptions {
  readonly signal: AbortSignal;
  readonly ports?: readonly LocalServerPort[];
  /** For all servers together, in milliseconds. Default and maximum 300. */
  readonly timeoutMs?: number;
}

export const USUAL_PORTS: readonly LocalServerPort[] = [
  { name: 'Ollama', port: 11_434 },
  { name: 'LM Studio', port: 1_234 },
  { name: 'llama.cpp', port: 8_080 },
  { name: 'vLLM', port: 8_000 },
];

const TIME_LIMIT_MS = 300;
const BODY_LIMIT = 1024 * 1024;
const MODEL_LIMIT = 100;
const MODEL_ID_LIMIT = 200;

/**
 * Asks the usual ports of this machine, side by side, for their models. Whatever does not answer in
 * time with a list of models is left out. The order is that of `ports`.
 *
 * @throws the reason of `signal` when it is aborted; nothing else
 */
export async function findLocalServers(options: FindLocalServersOptions): Promise<readonly LocalServer[]> {
  options.signal.throwIfAborted();
  const limit = timeLimit(Math.min(options.timeoutMs ?? TIME_LIMIT_MS, TIME_LIMIT_MS));
  const signal = AbortSignal.any([options.signal, limit]);
  const found = await Promise.all((options.ports ?? USUAL_PORTS).map((port) => probe(port, signal)));
  options.signal.throwIfAborted();
  return found.filter((server) => server !== undefined);
}

async function probe({ name, port }: LocalServerPort, signal: AbortSignal): Promise<LocalServer | undefined> {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  try {
    const models = modelIds(await getText(`${baseUrl}/models`, signal));
    return models === undefined ? undefined : { name, baseUrl, models };
  } catch {
    // Nobody there, somebody else, or too slow: all the same to us.
    return undefined;
  }
}

async function getText(url: string, signal: AbortSignal): Promise<string> {
  // Nothing here is asked again: the connection is not kept.
  const headers = { accept: 'application/json', connection: 'close' };
  const answer = await nodeTransport({ method: 'GET', url, headers, signal });
  if (answer.status !== 200) throw new Error(`status ${answer.status}`);
  return readText(answer.body, BODY_LIMIT);
}

/** The ids of an OpenAI-style list, or undefined when the text is none: any program may sit on a port. */
export function modelIds(body: string, most = MODEL_LIMIT): readonly string[] | undefined {
  const json = parseJson(body);
  const data = at(json, 'data');
  // Ollama without models answers null.
  if (!Array.isArray(data) && !(data === null && at(json, 'object') === 'list')) return undefined;
  return asArray(data)
    .map((entry) => asText(at(entry, 'id')))
    .filter((id) => id !== undefined && id.length <= MODEL_ID_LIMIT)
    .slice(0, most) as readonly string[];
}
