import { isCloudAddress } from '../network/public-address.js';

/** Why hooks are not posted there, or undefined: HTTPS anywhere but where machines tell their secrets, HTTP on this machine. */
export function hookAddressProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'it is no address.';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'it holds a user or a password; put them into "headers".';
  if (isRefused(hostname))
    return 'hooks are not sent to link-local addresses, nor where clouds tell machines their secrets.';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:' && isLoopbackName(hostname)) return undefined;
  return 'it must begin with https://, or with http:// for this machine (localhost, 127.0.0.1, [::1]).';
}

function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}

/** `URL` has written every notation of an IPv4 address the same way. */
function isRefused(host: string): boolean {
  const address = host.replaceAll(/^\[|\]$/g, '');
  return isCloudAddress(address) || address === '0.0.0.0' || address === '::';
}
