import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../util/failure.js';
import { isAllowedHost, isLocalName, namesAddress, type AllowedHost } from './allowed-hosts.js';
import type { HostAndPort } from './host-name.js';
import { isPublicAddress } from '../../network/public-address.js';

/** All addresses of a name. May reject. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** `status` as HTTP knows it; `isDenied`: by the list, and not because the other side does not answer. */
export interface Unconnected {
  readonly status: 403 | 502;
  readonly isDenied: boolean;
  /** One or two sentences for the model and the person. */
  readonly message: string;
}

export interface ConnectOptions {
  readonly hosts: readonly AllowedHost[];
  /** The port for which an entry of the list need not name it. */
  readonly usualPort: number;
  readonly resolve: ResolveHost;
  readonly timeoutMs: number;
}

/** Of a name with many addresses; the first that answers is taken. */
const MOST_ADDRESSES = 4;
/** Machines often think that they have IPv6. */
const NEXT_AFTER_MS = 2000;
const LOOPBACK = ['127.0.0.1', '::1'];

export async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * Connects to a host of the list: to an address that was looked up once and then judged, never to its name again, so that a
 * name server cannot answer differently the second time.
 */
export async function connectChecked(target: HostAndPort, options: ConnectOptions): Promise<Socket | Unconnected> {
  const { hosts, usualPort, timeoutMs } = options;
  if (!isAllowedHost(hosts, target, usualPort))
    return denied(
      `${describe(target)} is not among the hosts that commands in the sandbox may reach. ${howToAllow(hosts)}`,
    );
  const addresses = await addressesOf(target.host, options);
  if (typeof addresses === 'string') return unanswered(`${target.host} could not be resolved: ${addresses}.`);
  const isNamed = (address: string): boolean =>
    isLocalName(target.host) || namesAddress(hosts, { host: address, port: target.port }, usualPort);
  const open = addresses.filter((address) => isNamed(address) || isPublicAddress(address));
  if (open.length === 0)
    return denied(
      `${target.host} leads to ${addresses.slice(0, MOST_ADDRESSES).join(', ') || 'no address'}, and not to a public address. Only where the setting "sandboxHosts" names that address as well can it be reached.`,
    );
  return connectToFirst(open.slice(0, MOST_ADDRESSES), target, timeoutMs);
}

/** One of the machine's own services. */
export async function connectLocal(port: number, timeoutMs: number): Promise<Socket | Unconnected> {
  return connectToFirst(LOOPBACK, { host: 'localhost', port }, timeoutMs);
}

function denied(message: string): Unconnected {
  return { status: 403, isDenied: true, message };
}

function unanswered(message: string): Unconnected {
  return { status: 502, isDenied: false, message };
}

async function addressesOf(host: string, { resolve, timeoutMs }: ConnectOptions): Promise<readonly string[] | string> {
  if (isIP(host) !== 0) return [host];
  if (isLocalName(host)) return LOOPBACK;
  const waiting = new AbortController();
  const late = sleep(timeoutMs, 'its name server does not answer', { signal: waiting.signal }).catch(() => '');
  try {
    return await Promise.race([resolve(host), late]);
  } catch (thrown) {
    return errorMessage(thrown);
  } finally {
    waiting.abort();
  }
}

async function connectToFirst(
  addresses: readonly string[],
  target: HostAndPort,
  timeoutMs: number,
): Promise<Socket | Unconnected> {
  let problem = 'it has no address';
  for (const [index, address] of addresses.entries()) {
    const isLast = index === addresses.length - 1;
    const connected = await connectTo(address, target.port, isLast ? timeoutMs : Math.min(timeoutMs, NEXT_AFTER_MS));
    if (typeof connected !== 'string') return connected;
    problem = connected;
  }
  return unanswered(`${describe(target)} could not be reached: ${problem}.`);
}

async function connectTo(host: string, port: number, timeoutMs: number): Promise<Socket | string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true, noDelay: true });
    const timer = setTimeout(() => fail('it does not answer'), timeoutMs);
    const fail = (problem: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(problem);
    };
    socket.once('error', (error) => fail(errorMessage(error)));
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

function describe({ host, port }: HostAndPort): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

const MOST_SHOWN = 8;

function howToAllow(hosts: readonly AllowedHost[]): string {
  const shown = hosts
    .slice(0, MOST_SHOWN)
    .map(({ host, onlyBelow, port }) => `${onlyBelow ? '*.' : ''}${host}${port === undefined ? '' : `:${port}`}`);
  const more = hosts.length > MOST_SHOWN ? ', …' : '';
  return `The setting "sandboxHosts" allows ${shown.join(', ')}${more}.`;
}
