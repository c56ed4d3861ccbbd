import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Network and its bits. */
type Subnets = readonly (readonly [string, number])[];

/** Not reached from everywhere, or not one host: IANA's registries of special addresses (RFC 6890), and one of a cloud. */
const NOT_PUBLIC_4: Subnets = [
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
const NOT_PUBLIC_6: Subnets = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Where only what is near gets to, and what asks from elsewhere must not: this machine, its network, a cloud's own addresses. */
const NEAR_4: Subnets = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];
const NEAR_6: Subnets = [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
];

/** What tells a cloud's machines their secrets. Nobody who names a host of their own means these. */
const OF_CLOUDS_4: Subnets = [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
];
const OF_CLOUDS_6: Subnets = [
  ['fe80::', 10],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  // As a gateway between both kinds writes those above.
  ...OF_CLOUDS_4.map(([network, bits]): Subnets[number] => [`64:ff9b::${network}`, 96 + bits]),
];

/** True for an address of this machine, of the network it is in, or of a cloud's own services; an IPv4 address as well where it is written as IPv6. */
export function isNearAddress(address: string): boolean {
  return isAmong(address, NEAR_4, NEAR_6);
}

/** True for the addresses at which clouds tell their machines secrets. */
export function isCloudAddress(address: string): boolean {
  return isAmong(address, OF_CLOUDS_4, OF_CLOUDS_6);
}

/** True for an address that the whole internet reaches, and that is not this machine. */
export function isPublicAddress(address: string, own: readonly string[] = ownAddresses()): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%') || own.includes(address)) return false;
  return isIPv4(address) ? !listOf('ipv4', NOT_PUBLIC_4).check(address, 'ipv4') : isPublic6(address);
}

function isPublic6(address: string): boolean {
  return listOf('ipv6', [['2000::', 3]]).check(address, 'ipv6') && !listOf('ipv6', NOT_PUBLIC_6).check(address, 'ipv6');
}

function isAmong(address: string, subnets4: Subnets, subnets6: Subnets): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const list = new BlockList();
  for (const [network, bits] of subnets4) list.addSubnet(network, bits, 'ipv4');
  for (const [network, bits] of subnets6) list.addSubnet(network, bits, 'ipv6');
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function listOf(family: 'ipv4' | 'ipv6', subnets: Subnets): BlockList {
  const list = new BlockList();
  for (const [network, bits] of subnets) list.addSubnet(network, bits, family);
  return list;
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
}
