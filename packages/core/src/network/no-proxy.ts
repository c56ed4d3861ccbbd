import { BlockList, isIP } from 'node:net';

/** Of a request, as `URL` has them: `port` is never empty. */
export interface Target {
  /** Lower case, IPv6 without its brackets. */
  readonly host: string;
  readonly port: string;
}

export function targetOf(url: URL): Target {
  const host = url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
  return { host, port: url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port };
}

/** This machine, which no proxy knows. */
export function isLoopback({ host }: Target): boolean {
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return isInNet(host, '127.0.0.0', 8) || isInNet(host, '::1', 128);
}

/**
 * Whether a list as in `NO_PROXY` names the target. Entries are parted by commas or white space: `*` is all; a name is
 * itself and all below it, `.name` and `*.name` too; an address is itself, `address/bits` its network; `:port` narrows.
 * Names are not looked up for addresses. What cannot be read names nothing.
 */
export function isListed(target: Target, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/u)
    .some((entry) => entry !== '' && matches(target, entry));
}

function matches(target: Target, entry: string): boolean {
  if (entry === '*') return true;
  const { host, port } = partsOf(entry);
  if (host === '' || (port !== undefined && Number(port) !== Number(target.port))) return false;
  const [address = '', bits] = host.split('/');
  const family = isIP(address);
  if (family === 0) return bits === undefined && isBelow(target.host, host);
  const most = family === 4 ? 32 : 128;
  if (bits === undefined) return isInNet(target.host, address, most);
  return /^\d{1,3}$/u.test(bits) && Number(bits) <= most && isInNet(target.host, address, Number(bits));
}

/** `[::1]:80` and `host:80`; of two colons or more without brackets, the whole is an address. */
function partsOf(entry: string): { readonly host: string; readonly port?: string | undefined } {
  const inBrackets = /^\[([^\]]*)\](\/\d+)?(?::(\d+))?$/u.exec(entry);
  if (inBrackets !== null) return { host: `${inBrackets[1] ?? ''}${inBrackets[2] ?? ''}`, port: inBrackets[3] };
  const withPort = /^([^:]*):(\d+)$/u.exec(entry);
  return withPort === null ? { host: entry } : { host: withPort[1] ?? '', port: withPort[2] };
}

function isBelow(host: string, entry: string): boolean {
  if (isIP(host) !== 0) return false;
  const name = entry.replace(/^\*?\./u, '').replace(/\.$/u, '');
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

/** An IPv4 address that is written as IPv6 is the IPv4 address. */
function isInNet(host: string, net: string, bits: number): boolean {
  const family = isIP(host);
  if (family === 0) return false;
  const list = new BlockList();
  list.addSubnet(net, bits, isIP(net) === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
