import { describe, expect, it } from 'vitest';
import { checkAddresses, checkPlace, readOwnHosts, readWebUrl } from './url-guard.js';

/** Whatever way of writing an address there is: `http://…/` with it is refused before anything is sent. */
const REFUSED_HOSTS: readonly string[] = [
  // This machine.
  '127.0.0.1',
  '127.0.0.2',
  '127.1',
  '127.0.1',
  '127.255.255.255',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '0177.0.0.01',
  '0x7f.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '0x0',
  '00',
  '0.0.0.1',
  '0.1.2.3',
  '127.0.0.0x1',
  '0X7F.0X0.0X0.0X1',
  '１２７.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'ｌocalhost',
  // Private networks.
  '10.0.0.1',
  '10.255.255.255',
  '10.1',
  '012.0.0.1',
  '0xa.0.0.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '172.16.1',
  '0xac100001',
  '192.168.0.1',
  '192.168.1',
  '192.168.257',
  '0xc0.0xa8.0.1',
  '3232235521',
  '0300.0250.0.1',
  // Clouds' secrets, link-local, shared.
  '169.254.169.254',
  '169.254.43518',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '169.254.0.1',
  '169.254.170.2',
  '100.64.0.1',
  '100.127.255.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  // Reserved, for documents, for many at once.
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '0xffffffff',
  '4294967295',
  // IPv6 of the same kinds.
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[ff02::1]',
  '[ff05::1:3]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[2001:2::1]',
  // IPv4 within IPv6: mapped, compatible, translated (NAT64), 6to4, Teredo, ISATAP below link-local.
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:169.254.169.254]',
  '[0:0:0:0:0:ffff:c0a8:101]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::a00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::1]',
  '[2002:a9fe:a9fe::]',
  '[2002:c0a8:101::]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[2001::1]',
  '[fe80::5efe:10.0.0.1]',
];

const ALLOWED_HOSTS: readonly string[] = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '192.169.0.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '134744072',
  '0x08080808',
  '[2606:4700:4700::1111]',
  '[2a00:1450:4001:81b::200e]',
  'example.com',
  'xn--bcher-kva.example.com',
  '127.0.0.1.example.com',
  'localhost.example.com',
];

it('the table has at least a hundred addresses', () => {
  expect(new Set([...REFUSED_HOSTS, ...ALLOWED_HOSTS]).size).toBeGreaterThanOrEqual(100);
});

describe('an address that is not public is refused however it is written (S120)', () => {
  it.each(REFUSED_HOSTS)('%s', (host) => {
    const tried = (): void => checkPlace(readWebUrl(`http://${host}/x`), [], false);
    expect(tried).toThrow(expect.objectContaining({ code: 'web_refused' }));
  });

  it.each(ALLOWED_HOSTS)('%s is not refused', (host) => {
    expect(() => checkPlace(readWebUrl(`http://${host}/x`), [], false)).not.toThrow();
  });

  it.each(REFUSED_HOSTS.filter((host) => /^[\d.]+$|^\[[\da-f:]+\]$/.test(host)))(
    'a name that leads to %s is',
    (host) => {
      const address = new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
      const url = readWebUrl('https://example.com/');
      expect(() => checkAddresses(url, [address], [])).toThrow(expect.objectContaining({ code: 'web_refused' }));
      expect(checkAddresses(url, [address, '1.1.1.1'], [])).toEqual(['1.1.1.1']);
    },
  );
});

describe('an address is refused', () => {
  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:text/html,x',
    'javascript:alert(1)',
    'https://user:secret@example.com/',
    'https://user@example.com/',
    'http://[::1',
    'http://1.2.3.4.5.6/',
    'http://999.1.1.1/',
    '//example.com',
    'example.com',
    '',
    'http://',
    `https://example.com/${'a'.repeat(9000)}`,
  ])('%s', (text) => {
    expect(() => readWebUrl(text)).toThrow(expect.objectContaining({ code: 'web_refused' }));
  });

  it('at a port of another protocol', () => {
    for (const port of [22, 25, 53, 110, 631])
      expect(() => checkPlace(new URL(`http://example.com:${port}/`), [], false)).toThrow(/Port/);
    for (const port of [80, 443, 3000, 8080])
      expect(() => checkPlace(new URL(`http://example.com:${port}/`), [], false)).not.toThrow();
  });

  it('by a name that only a near network knows, where a proxy looks it up', () => {
    for (const host of ['intranet', 'printer.local', 'metadata.google.internal', 'db.lan', 'nas.home.arpa']) {
      expect(() => checkPlace(new URL(`http://${host}/`), [], true)).toThrow(/not to a public address/);
      expect(() => checkPlace(new URL(`http://${host}/`), readOwnHosts([host]), true)).not.toThrow();
    }
  });
});

describe('the setting for hosts of one’s own', () => {
  const own = readOwnHosts(['localhost:3000', '10.1.2.3', 'wiki.corp.example']);

  it('allows the host, at its port where it names one', () => {
    expect(() => checkPlace(new URL('http://localhost:3000/'), own, false)).not.toThrow();
    expect(() => checkPlace(new URL('http://localhost:3001/'), own, false)).toThrow();
    expect(() => checkPlace(new URL('http://10.1.2.3:22/'), own, false)).not.toThrow();
    expect(() => checkPlace(new URL('http://10.1.2.4/'), own, false)).toThrow();
  });

  it('lets a name lead into a network that is not public, but never to what tells a cloud’s machines their secrets', () => {
    const url = new URL('https://wiki.corp.example/');
    expect(checkAddresses(url, ['10.9.9.9'], own)).toEqual(['10.9.9.9']);
    for (const address of ['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '::ffff:169.254.169.254'])
      expect(() => checkAddresses(url, [address], own)).toThrow(/not to a public address/);
  });
});

it('http becomes https only where the person says so', () => {
  expect(readWebUrl('http://example.com/').href).toBe('http://example.com/');
  expect(readWebUrl('http://example.com/', { upgradeHttp: true }).href).toBe('https://example.com/');
  expect(readWebUrl('http://example.com:8080/', { upgradeHttp: true }).href).toBe('http://example.com:8080/');
});
