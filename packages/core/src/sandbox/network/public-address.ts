import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Not reached from everywhere, or not one host: IANA's registries of special addresses (RFC 6890), and one of a cloud. */
const NOT_PUBLIC_4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Shared behind carriers; 100.100.100.200 tells a cloud's machines their secrets.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local; 169.254.169.254 tells a cloud's machines their secrets.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A cloud's own service for its machines, although the number is a public one.
  ['168.63.129.16', 32],
];

/** Of `2000::/3`, which is all that is public. What carries an IPv4 address within leads anywhere. */
const NOT_PUBLIC_6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** True for an address that the whole internet reaches, and that is not this machine. */
export function isPublicAddress(address: string, own: readonly string[] = ownAddresses()): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%') || own.includes(address)) return false;
  return isIPv4(address) ? !listOf('ipv4', NOT_PUBLIC_4).check(address, 'ipv4') : isPublic6(address);
}

function isPublic6(address: string): boolean {
  return listOf('ipv6', [['2000::', 3]]).check(address, 'ipv6') && !listOf('ipv6', NOT_PUBLIC_6).check(address, 'ipv6');
}

function listOf(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of subnets) list.addSubnet(network, bits, family);
  return list;
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
}
