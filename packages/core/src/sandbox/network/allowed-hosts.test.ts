import { describe, expect, it } from 'vitest';
import { isAllowedHost, localPorts, namesAddress, parseAllowedHost, parseAllowedHosts } from './allowed-hosts.js';

describe('an entry of the list', () => {
  it.each([
    ['registry.npmjs.org', { host: 'registry.npmjs.org', onlyBelow: false }],
    ['*.GitHub.com', { host: 'github.com', onlyBelow: true }],
    ['example.com:8443', { host: 'example.com', onlyBelow: false, port: 8443 }],
    ['*.example.com:8443', { host: 'example.com', onlyBelow: true, port: 8443 }],
    ['10.1.2.3', { host: '10.1.2.3', onlyBelow: false }],
    ['fd00::1', { host: 'fd00::1', onlyBelow: false }],
    ['[fd00::1]:8080', { host: 'fd00::1', onlyBelow: false, port: 8080 }],
    ['localhost:5432', { host: 'localhost', onlyBelow: false, port: 5432 }],
    ['bücher.example', { host: 'xn--bcher-kva.example', onlyBelow: false }],
  ])('%s', (text, expected) => expect(parseAllowedHost(text)).toEqual(expected));

  it.each([
    '',
    '*',
    '*.',
    '*.com',
    '*.1.2.3.4',
    'a.*.com',
    '**.a.com',
    'https://a.com',
    'a.com/x',
    'a.com:',
    'a.com:0',
    'a.com:99999',
    'localhost',
    'app.localhost',
    '0x7f.1',
    '127.1',
    'a b.com',
    'user@a.com',
    '[::1',
    'a,b',
  ])('%j is none', (text) => expect(parseAllowedHost(text)).toHaveProperty('problem', expect.stringContaining('"')));
});

describe('the list', () => {
  const hosts = parseAllowedHosts([
    'a.com',
    '*.b.com',
    'c.com:8443',
    '10.1.2.3',
    '[fd00::1]:81',
    'localhost:5432',
    '127.0.0.1:80',
  ]);
  const allows = (host: string, port: number, usual = 443): boolean => isAllowedHost(hosts, { host, port }, usual);

  it.each<[string, number, boolean]>([
    ['a.com', 443, true],
    ['a.com', 8443, false],
    ['x.a.com', 443, false],
    ['b.com', 443, false],
    ['x.b.com', 443, true],
    ['y.x.b.com', 443, true],
    ['evilb.com', 443, false],
    ['b.com.evil.com', 443, false],
    ['c.com', 443, false],
    ['c.com', 8443, true],
    ['10.1.2.3', 443, true],
    ['fd00::1', 81, true],
    ['localhost', 5432, true],
    ['localhost', 443, false],
  ])('%s:%d → %s', (host, port, expected) => expect(allows(host, port)).toBe(expected));

  it('takes the usual port of what is spoken', () => {
    expect([allows('a.com', 80, 80), allows('a.com', 80, 443), allows('a.com', 443, 80)]).toEqual([true, false, false]);
  });

  it('says which addresses and which ports of this machine it names', () => {
    expect(namesAddress(hosts, { host: '10.1.2.3', port: 443 }, 443)).toBe(true);
    expect(namesAddress(hosts, { host: '10.1.2.3', port: 22 }, 443)).toBe(false);
    expect(namesAddress(hosts, { host: '10.1.2.4', port: 443 }, 443)).toBe(false);
    expect(localPorts(hosts)).toEqual([5432, 80]);
  });
});
