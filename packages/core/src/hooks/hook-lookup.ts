import { lookup } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { isCloudAddress } from '../network/public-address.js';
import { errorMessage, Failure } from '../util/failure.js';

/** Finds all addresses of a name, as `dns.lookup` does. */
export type ResolveHookHost = (host: string) => Promise<readonly string[]>;

/**
 * How names of hooks' addresses become addresses for a connection: looked up once, judged, and connected to, so that a name
 * server cannot say something else the second time. A person's hook may be in their own network, never where clouds tell
 * machines their secrets; and what is called this machine is this machine.
 */
export function hookLookup(resolve: ResolveHookHost = systemResolve): LookupFunction {
  return (host, options, callback) => {
    const answer = async (): Promise<void> => {
      const found = await addressesOf(host, resolve).catch((thrown: unknown) =>
        thrown instanceof Failure ? thrown : refused(`${host} could not be resolved: ${errorMessage(thrown)}`),
      );
      if (found instanceof Failure) return callback(found, '', 0);
      const addresses = found.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      const [first] = addresses;
      if (options.all === true || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    void answer();
  };
}

async function addressesOf(host: string, resolve: ResolveHookHost): Promise<readonly string[]> {
  const name = host.toLowerCase().replace(/\.$/, '');
  const isHere = name === 'localhost' || name.endsWith('.localhost');
  const found = await resolve(host);
  const open = found.filter((address) => (isHere ? isLoopback(address) : isReachable(address)));
  if (open.length > 0) return open;
  const leads = found.slice(0, 4).join(', ') || 'no address';
  throw refused(`${host} leads to ${leads}, where hooks are not sent`);
}

function isReachable(address: string): boolean {
  return !isCloudAddress(address) && address !== '0.0.0.0' && address !== '::';
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

async function systemResolve(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address);
}

function refused(message: string): Failure {
  return new Failure('hook_unreachable', message);
}
