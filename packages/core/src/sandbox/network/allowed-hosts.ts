import { isIP } from 'node:net';
import { readWrittenHost, type HostAndPort } from './host-name.js';

/** One entry of the list: a host exactly, or what lies below it; one port, or those of HTTP and HTTPS. */
export interface AllowedHost {
  readonly host: string;
  readonly onlyBelow: boolean;
  readonly port?: number;
}

/** What a connection without a tunnel goes to, and what a tunnel goes to, where no port is named. */
export const HTTP_PORT = 80;
export const HTTPS_PORT = 443;

/** `registry.npmjs.org`, `*.github.com`, `example.com:8443`, `10.1.2.3`, `[fd00::1]:8080`, `localhost:5432`. */
export function parseAllowedHost(text: string): AllowedHost | { readonly problem: string } {
  const onlyBelow = text.startsWith('*.');
  const rest = onlyBelow ? text.slice(2) : text;
  const [, hostText = '', portText] =
    /^(\[.*\]|[^:]*|[0-9a-f:]*:[0-9a-f:.]*:[0-9a-f:.]*)(?::(\d{1,5}))?$/i.exec(rest) ?? [];
  const host = readWrittenHost(hostText);
  const port = portText === undefined ? undefined : Number(portText);
  const problem = problemOf(text, { host, onlyBelow, port });
  if (host === undefined || problem !== undefined) return { problem: problem ?? '' };
  return { host, onlyBelow, ...(port === undefined ? {} : { port }) };
}

function problemOf(
  text: string,
  {
    host,
    onlyBelow,
    port,
  }: { readonly host: string | undefined; readonly onlyBelow: boolean; readonly port: number | undefined },
): string | undefined {
  if (host === undefined || (port !== undefined && (port < 1 || port > 65_535)))
    return `${JSON.stringify(text)} is not a host; write registry.npmjs.org, *.github.com or example.com:8443`;
  if (onlyBelow && (isIP(host) !== 0 || !host.includes('.')))
    return `${JSON.stringify(text)} allows too much or nothing; name at least two labels, such as *.github.com`;
  if (isLocalName(host) && port === undefined)
    return `${JSON.stringify(text)} needs a port, such as ${host}:5432, since every service of this machine answers to that name`;
  return undefined;
}

/** The entries that can be read; the settings refuse others. */
export function parseAllowedHosts(texts: readonly string[]): AllowedHost[] {
  return texts.flatMap((text) => {
    const parsed = parseAllowedHost(text);
    return 'problem' in parsed ? [] : [parsed];
  });
}

/** `host` as `readHost` gives it. `usualPort` is the one for which an entry need not name it. */
export function isAllowedHost(hosts: readonly AllowedHost[], { host, port }: HostAndPort, usualPort: number): boolean {
  return hosts.some((entry) => matches(entry, host) && port === (entry.port ?? usualPort));
}

/** An entry that names the address itself: then it may be one that is not public. */
export function namesAddress(hosts: readonly AllowedHost[], address: HostAndPort, usualPort: number): boolean {
  return isAllowedHost(
    hosts.filter(({ host, onlyBelow }) => !onlyBelow && isIP(host) !== 0),
    address,
    usualPort,
  );
}

/** Services of this machine that are named with their port: inside, they answer at the same address. */
export function localPorts(hosts: readonly AllowedHost[]): number[] {
  const ports = hosts.flatMap(({ host, port }) => (isLocalName(host) || isLoopback(host) ? (port ?? []) : []));
  return [...new Set(ports)];
}

export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === '::1';
}

/** Compared label by label, so that `evilgithub.com` is not below `github.com`. */
function matches({ host, onlyBelow }: AllowedHost, asked: string): boolean {
  return onlyBelow ? isIP(asked) === 0 && asked.endsWith(`.${host}`) : asked === host;
}
