import { isIP } from 'node:net';
import { isCloudAddress, isPublicAddress } from '../network/public-address.js';
import { isAllowedHost, isLocalName, parseAllowedHosts, type AllowedHost } from '../sandbox/network/allowed-hosts.js';
import { webFailure } from './web-failure.js';

const LONGEST_URL = 8000;
/** Below it only the web's own ports: what else listens there speaks other protocols, and may be told things by a request. */
const FIRST_FREE_PORT = 1024;

/** Hosts of the person's own, by the setting. */
export type OwnHosts = readonly AllowedHost[];

export function readOwnHosts(texts: readonly string[] = []): OwnHosts {
  return parseAllowedHosts(texts);
}

/**
 * An address as it will be asked for, judged as far as it can be without looking its name up. The parser of `URL` reads
 * every notation of an address (octal, hexadecimal, one number, short forms, other alphabets) to the one it stands for.
 * @throws Failure `web_refused`
 */
export function readWebUrl(text: string, { upgradeHttp = false }: { readonly upgradeHttp?: boolean } = {}): URL {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_URL) throw refused(`The address has more than ${LONGEST_URL} characters.`);
  if (!URL.canParse(trimmed)) {
    // A single word is rarely a host.
    const namesHost = /^[^/\s]+[.:]/.test(trimmed) || /^localhost\b/i.test(trimmed);
    const hint =
      namesHost && URL.canParse(`https://${trimmed}`)
        ? ` Write https://${trimmed}`
        : ' Write it whole: https://host/path';
    throw refused(`This is no address: ${JSON.stringify(trimmed.slice(0, 200))}.${hint}`);
  }
  const url = new URL(trimmed);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(`Only http and https are fetched, not ${url.protocol.slice(0, -1)}.`);
  if (url.username !== '' || url.password !== '')
    throw refused('The address holds a user or a password. Leave them out: they are never sent.');
  if (upgradeHttp && url.protocol === 'http:' && url.port === '') url.protocol = 'https:';
  url.hash = '';
  return url;
}

/**
 * Judges host and port of a request before anything is sent; of a name, only what it says by itself.
 * `throughProxy`: the name is looked up elsewhere, so that names which only mean something near here are refused too.
 * @throws Failure `web_refused`
 */
export function checkPlace(url: URL, own: OwnHosts, throughProxy: boolean): void {
  const place = placeOf(url);
  if (isOwn(own, place)) return;
  if (place.port < FIRST_FREE_PORT && place.port !== 80 && place.port !== 443)
    throw refused(`Port ${place.port} of ${place.host} is not one of the web. ${howToAllow(place)}`);
  if (isIP(place.host) !== 0) {
    if (!isPublicAddress(place.host)) throw notPublic(place, place.host);
    return;
  }
  if (isLocalName(place.host)) throw notPublic(place, 'this machine');
  if (throughProxy && isNearName(place.host)) throw notPublic(place, 'a network that is not public');
}

/**
 * Of the addresses of a name those that may be connected to.
 * @throws Failure `web_refused` where there is none
 */
export function checkAddresses(url: URL, addresses: readonly string[], own: OwnHosts): readonly string[] {
  const place = placeOf(url);
  const isNamed = isOwn(own, place);
  // A name of the person's own may lead into their network, but it is not what they called a cloud's secrets.
  const open = addresses.filter((address) => isPublicAddress(address) || (isNamed && !isCloudAddress(address)));
  if (open.length === 0) throw notPublic(place, addresses.slice(0, 4).join(', ') || 'no address');
  return open;
}

export interface Place {
  /** Lower case, IPv6 without brackets, no dot at the end. */
  readonly host: string;
  readonly port: number;
}

export function placeOf(url: URL): Place {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return { host, port: url.port === '' ? usualPort(url) : Number(url.port) };
}

function usualPort(url: URL): number {
  return url.protocol === 'https:' ? 443 : 80;
}

/** An entry without a port is the host with whichever port. */
function isOwn(own: OwnHosts, place: Place): boolean {
  return isAllowedHost(own, place, place.port);
}

/** Names that only some networks know. */
function isNearName(host: string): boolean {
  return !host.includes('.') || /\.(?:local|internal|intranet|lan|home|corp|home\.arpa)$/.test(host);
}

function notPublic(place: Place, where: string): Error {
  const leads =
    where === place.host
      ? `${place.host} is not a public address`
      : `${place.host} leads to ${where}, not to a public address`;
  return refused(`${leads}; it was not contacted. ${howToAllow(place)}`);
}

function howToAllow({ host, port }: Place): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return `Only the user can allow it, by the setting "web.allowPrivateHosts": ["${shown}:${port}"].`;
}

function refused(message: string): Error {
  return webFailure('web_refused', message);
}
