import { lookup } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { abortable, timeLimit } from '../util/abort.js';
import { errorMessage, Failure } from '../util/failure.js';
import { checkAddresses, type OwnHosts } from './url-guard.js';
import { webFailure } from './web-failure.js';
import type { ResolveName } from './web-options.js';

export interface CheckedLookup {
  readonly resolve?: ResolveName | undefined;
  readonly own: OwnHosts;
  /** The request that a connection is opened for. */
  readonly current: () => URL;
  /** In milliseconds. */
  readonly timeoutMs: number;
}

/**
 * How names become addresses for a connection: looked up once, judged, and connected to, so that a name server cannot say
 * something else the second time.
 */
export function checkedLookup({ resolve = systemResolve, own, current, timeoutMs }: CheckedLookup): LookupFunction {
  return (host, options, callback) => {
    const answer = async (): Promise<void> => {
      const found = await lookUp(host, { resolve, own, current, timeoutMs }).catch((thrown: unknown) =>
        thrown instanceof Failure ? thrown : unresolved(host, errorMessage(thrown)),
      );
      if (found instanceof Failure) callback(found, '', 0);
      else tell(found, options.all === true, callback);
    };
    void answer();
  };
}

function tell(found: readonly string[], wantsAll: boolean, callback: Parameters<LookupFunction>[2]): void {
  const addresses = found.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const [first] = addresses;
  if (wantsAll || first === undefined) callback(null, addresses);
  else callback(null, first.address, first.family);
}

async function lookUp(
  host: string,
  { resolve, own, current, timeoutMs }: Required<CheckedLookup> & { readonly resolve: ResolveName },
): Promise<readonly string[]> {
  const limit = timeLimit(timeoutMs);
  const addresses = await abortable(resolve(host), limit).catch((thrown: unknown) => {
    throw unresolved(host, limit.aborted ? 'its name server does not answer' : errorMessage(thrown));
  });
  return checkAddresses(current(), addresses, own);
}

async function systemResolve(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address);
}

function unresolved(host: string, why: string): Failure {
  return webFailure('web_unreachable', `${host} could not be resolved: ${why}. Check its spelling.`);
}
