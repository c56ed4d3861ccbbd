import { expect, it } from 'vitest';
import { isCloudAddress, isPublicAddress } from './public-address.js';

it.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

it.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '192.0.2.1',
  '192.88.99.1',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:1.1.1.1',
  '::ffff:127.0.0.1',
  '::1.1.1.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  '2001:10::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  'localhost',
  '',
  '1.1.1',
  '010.0.0.1',
])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));

it('an address of this machine is not, even where the whole internet reaches it', () => {
  expect(isPublicAddress('1.1.1.1', ['1.1.1.1'])).toBe(false);
});

it.each([
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
])('tells machines of a cloud their secrets: %s, also as a gateway writes it', (address) => {
  expect(isCloudAddress(address)).toBe(true);
  if (/^[\d.]+$/.test(address)) expect(isCloudAddress(`64:ff9b::${address}`)).toBe(true);
});

it.each(['8.8.8.8', '192.168.0.1', '127.0.0.1', '64:ff9b::8.8.8.8', '::1'])(
  'tells nobody of a cloud anything: %s',
  (address) => {
    expect(isCloudAddress(address)).toBe(false);
  },
);
