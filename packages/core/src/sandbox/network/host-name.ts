import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const MOST_CHARACTERS = 253;

/**
 * The one spelling of a host as it came over the wire: lower case, without a trailing dot, IPv6 without brackets and as
 * short as it gets. Undefined for everything that two programs could read differently: numbers that only some take for
 * an address (`0x7f.1`, `2130706433`, `010.0.0.1`), zones, percent signs, letters that are not ASCII.
 */
export function readHost(text: string): string | undefined {
  const bracketed = /^\[([0-9a-f:.]+)\]$/i.exec(text)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? shortIPv6(bracketed) : undefined;
  const name = text.replace(/\.$/, '').toLowerCase();
  if (isIPv4(name)) return name;
  const labels = name.split('.');
  if (name.length > MOST_CHARACTERS || !labels.every((label) => LABEL.test(label))) return undefined;
  return /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') ? undefined : name;
}

/** As `readHost`, for what a person wrote: other alphabets become what goes over the wire, IPv6 needs no brackets. */
export function readWrittenHost(text: string): string | undefined {
  if (isIPv6(text)) return text.includes('%') ? undefined : shortIPv6(text);
  if (/[^\x21-\x7e]/.test(text)) {
    const ascii = /[\s\p{Cc}]/u.test(text) ? '' : domainToASCII(text);
    return ascii === '' ? undefined : readHost(ascii);
  }
  return readHost(text);
}

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** `host:port` of a CONNECT, `host` or `host:port` of an address. Undefined for anything else, user names among it. */
export function readAuthority(text: string, defaultPort?: number): HostAndPort | undefined {
  const [, hostText = '', portText] = /^(\[[^\]]*\]|[^:@/\\?#]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = readHost(hostText);
  const port = portText === undefined ? defaultPort : Number(portText);
  return host === undefined || port === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}

function shortIPv6(text: string): string {
  return new URL(`http://[${text}]/`).hostname.slice(1, -1);
}
