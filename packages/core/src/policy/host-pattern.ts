import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** `domain:example.com`: the host and everything below it; `domain:*.example.com`: only what is below. */
export interface HostPattern {
  readonly host: string;
  readonly onlyBelow: boolean;
}

/** Reads what stands after `domain:`. */
export function parseHostPattern(text: string): HostPattern | { readonly problem: string } {
  const onlyBelow = text.startsWith('*.');
  const host = normaliseHost(onlyBelow ? text.slice(2) : text);
  if (host === undefined) return { problem: `"${text}" is not a host name; write domain:example.com` };
  return { host, onlyBelow };
}

/** What names a host, twice: both are read. */
interface Reached {
  readonly host: string;
  readonly url: string;
}

/** For allow rules: the stated host and the host in the URL both match. */
export function allowsHost(pattern: HostPattern, effect: Reached): boolean {
  return hostsOf(effect).every((host) => host !== undefined && matches(pattern, host));
}

/** For deny and ask rules: either matches, or cannot be read. */
export function meetsHost(pattern: HostPattern, effect: Reached): boolean {
  return hostsOf(effect).some((host) => host === undefined || matches(pattern, host));
}

function hostsOf(effect: Reached): (string | undefined)[] {
  const fromUrl = URL.canParse(effect.url) ? normaliseHost(new URL(effect.url).hostname) : undefined;
  return [normaliseHost(effect.host.replace(/:\d+$/, '')), fromUrl];
}

/** Compared label by label, so that `evilexample.com` is not below `example.com`. */
function matches(pattern: HostPattern, host: string): boolean {
  if (host === pattern.host) return !pattern.onlyBelow;
  return isIP(host) === 0 && host.endsWith(`.${pattern.host}`);
}

/** Lower case, punycode, no brackets, no trailing dot; undefined when it is no host name. */
function normaliseHost(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  if (isIP(bare) !== 0) return bare.toLowerCase();
  if (bare === '' || /[\s/@:?#*\\]/.test(bare)) return undefined;
  const ascii = domainToASCII(bare);
  return ascii === '' || ascii.split('.').includes('') ? undefined : ascii;
}
