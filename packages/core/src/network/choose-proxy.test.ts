import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../util/failure.js';
import { chooseProxy, type Environment } from './choose-proxy.js';

const SECURE = 'https://mcp.example.com/mcp';
const PLAIN = 'http://mcp.example.com/mcp';

function through(url: string, environment: Environment): string | undefined {
  const proxy = chooseProxy(new URL(url), environment);
  return proxy && `${proxy.variable} ${proxy.origin}`;
}

function failureFor(environment: Environment, url = SECURE): Failure {
  try {
    chooseProxy(new URL(url), environment);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
  }
  throw new Error('it did not fail');
}

describe('the proxy of a request', () => {
  it.each<readonly [string, string, Environment, string | undefined]>([
    ['no variable', SECURE, {}, undefined],
    ['by scheme', SECURE, { HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://b:2' }, 'HTTPS_PROXY http://a:1'],
    ['by scheme', PLAIN, { HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://b:2' }, 'HTTP_PROXY http://b:2'],
    ['none of the other scheme', SECURE, { HTTP_PROXY: 'http://b:2' }, undefined],
    ['lower case first', SECURE, { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2' }, 'https_proxy http://b:2'],
    ['an empty one is none', SECURE, { HTTPS_PROXY: 'http://a:1', https_proxy: ' ' }, 'HTTPS_PROXY http://a:1'],
    ['for all', SECURE, { ALL_PROXY: 'http://a:1' }, 'ALL_PROXY http://a:1'],
    ['for all, behind the scheme', PLAIN, { all_proxy: 'http://a:1', HTTP_PROXY: 'b:2' }, 'HTTP_PROXY http://b:2'],
    ['no scheme', SECURE, { HTTPS_PROXY: 'proxy.local:3128' }, 'HTTPS_PROXY http://proxy.local:3128'],
    ['an address alone', SECURE, { HTTPS_PROXY: '10.0.0.1:3128' }, 'HTTPS_PROXY http://10.0.0.1:3128'],
    ['IPv6', SECURE, { HTTPS_PROXY: 'http://[fd00::1]:3128/' }, 'HTTPS_PROXY http://[fd00::1]:3128'],
    ['by TLS', SECURE, { HTTPS_PROXY: 'https://proxy.local' }, 'HTTPS_PROXY https://proxy.local'],
    ['in a CGI program', PLAIN, { HTTP_PROXY: 'http://evil:1', REQUEST_METHOD: 'GET' }, undefined],
    ['in a CGI program', PLAIN, { http_proxy: 'http://a:1', REQUEST_METHOD: 'GET' }, 'http_proxy http://a:1'],
    ['in a CGI program', SECURE, { HTTPS_PROXY: 'http://a:1', REQUEST_METHOD: 'GET' }, 'HTTPS_PROXY http://a:1'],
    ['another scheme', 'ftp://mcp.example.com/', { ALL_PROXY: 'http://a:1' }, undefined],
  ])('%s: %s', (_fact, url, environment, expected) => {
    expect(through(url, environment)).toBe(expected);
  });

  it.each([
    'http://localhost:3000/',
    'http://a.localhost/',
    'http://127.0.0.1:1/',
    'http://127.9.9.9/',
    'http://[::1]/',
  ])('is never one for this machine: %s', (url) =>
    expect(through(url, { ALL_PROXY: 'http://a:1', HTTP_PROXY: 'http://a:1' })).toBeUndefined(),
  );

  it('gets user and password as the address has them, percent-encoded', () => {
    const at = (user: string): string | undefined =>
      chooseProxy(new URL(SECURE), { HTTPS_PROXY: `http://${user}@a:1` })?.authorization;
    const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
    expect(at('me:p%40ss%3A')).toBe(basic('me:p@ss:'));
    expect(at('me')).toBe(basic('me:'));
    expect(at(':pw')).toBe(basic(':pw'));
    expect(at('m%C3%A9:ü')).toBe(basic('mé:ü'));
    expect(chooseProxy(new URL(SECURE), { HTTPS_PROXY: 'http://a:1' })).not.toHaveProperty('authorization');
  });

  it.each([
    'http://me:secret@',
    'http://me:secret@a:99999',
    'ftp://me:secret@a',
    'http://me:secret@a:1/path',
    'http://me:secret%zz@a:1',
    'me:secret@a b:1',
    'http://me:secret@a:1?x',
  ])('that is no address is told by its variable, without what it holds: %s', (value) => {
    const failure = failureFor({ https_proxy: value });
    expect(failure.code).toBe('proxy_unusable');
    expect(failure.message).toContain('https_proxy is no address of a proxy');
    expect(failure.message).not.toContain('secret');
  });

  it.each(['socks5://me:secret@a:1', 'socks://a:1', 'SOCKS4A://a:1', 'socks5h://a:1'])('is not SOCKS: %s', (value) => {
    const failure = failureFor({ ALL_PROXY: value });
    expect(failure.message).toContain('ALL_PROXY names a SOCKS proxy');
    expect(failure.message).not.toContain('secret');
  });

  it('that cannot be used is no matter where it is not needed', () => {
    expect(through(SECURE, { HTTPS_PROXY: 'socks5://a:1', NO_PROXY: 'example.com' })).toBeUndefined();
    expect(through('http://127.0.0.1/', { HTTP_PROXY: '::' })).toBeUndefined();
  });

  it('never shows a password, whatever the variable holds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('http://', 'socks5://', '', 'x://'),
        (rest, scheme) => {
          const secret = 'hunter2secret';
          const environment = { HTTPS_PROXY: `${scheme}me:${secret}@${rest}` };
          try {
            const proxy = chooseProxy(new URL(SECURE), environment);
            expect(JSON.stringify({ ...proxy, authorization: '' })).not.toContain(secret);
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(Failure);
            expect((thrown as Failure).message).not.toContain(secret);
          }
        },
      ),
    );
  });
});

describe('NO_PROXY', () => {
  it.each<readonly [string, string, boolean]>([
    ['*', 'https://mcp.example.com/', true],
    ['example.com', 'https://example.com/', true],
    ['example.com', 'https://mcp.example.com/', true],
    ['EXAMPLE.com', 'https://mcp.example.COM/', true],
    ['example.com', 'https://badexample.com/', false],
    ['example.com', 'https://example.com.evil.net/', false],
    ['.example.com', 'https://mcp.example.com/', true],
    ['.example.com', 'https://example.com/', true],
    ['*.example.com', 'https://a.mcp.example.com/', true],
    ['*.example.com', 'https://badexample.com/', false],
    ['example.com.', 'https://mcp.example.com/', true],
    ['example.com', 'https://mcp.example.com./', true],
    ['a.net, example.com', 'https://example.com/', true],
    ['a.net example.com', 'https://example.com/', true],
    [',, ,', 'https://example.com/', false],
    ['example.com:443', 'https://example.com/', true],
    ['example.com:443', 'https://example.com:8443/', false],
    ['example.com:8443', 'https://example.com:8443/', true],
    ['example.com:80', 'http://example.com/', true],
    ['10.1.2.3', 'http://10.1.2.3/', true],
    ['10.1.2.3', 'http://10.1.2.30/', false],
    ['10.1.2.3:8080', 'http://10.1.2.3:8080/', true],
    ['10.1.2.3:8080', 'http://10.1.2.3/', false],
    ['2.3', 'http://10.1.2.3/', false],
    ['10.0.0.0/8', 'http://10.200.2.3/', true],
    ['10.0.0.0/8', 'http://11.0.0.1/', false],
    ['10.0.0.0/33', 'http://10.0.0.1/', false],
    ['10.0.0.0/', 'http://10.0.0.1/', false],
    ['10.0.0.0/8', 'http://ten.example.com/', false],
    ['0.0.0.0/0', 'http://8.8.8.8/', true],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['[fd00::]/8', 'http://[fd12::1]/', true],
    ['fd00::/8', 'http://[fe80::1]/', false],
    ['fd00::1', 'http://[fd00:0::1]/', true],
    ['[fd00::1]', 'http://[fd00::1]/', true],
    ['[fd00::1]:8080', 'http://[fd00::1]:8080/', true],
    ['[fd00::1]:8080', 'http://[fd00::1]/', false],
    ['10.0.0.0/8', 'http://[::ffff:10.1.1.1]/', true],
    ['[broken', 'http://broken/', false],
  ])('%s and %s: %s', (list, url, isExempt) => {
    const environment = { HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://a:1', NO_PROXY: list };
    expect(through(url, environment) === undefined).toBe(isExempt);
  });

  it('is read in lower case first', () => {
    const proxy = { HTTPS_PROXY: 'http://a:1' };
    expect(through(SECURE, { ...proxy, no_proxy: 'other.net', NO_PROXY: '*' })).toBeDefined();
    expect(through(SECURE, { ...proxy, no_proxy: '', NO_PROXY: '*' })).toBeUndefined();
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(SECURE, PLAIN, 'http://[fd00::1]/'), (list, url) => {
        const isThrough = (environment: Environment): boolean => through(url, environment) !== undefined;
        const environment = { ALL_PROXY: 'http://a:1', NO_PROXY: list };
        // More words only exempt more.
        if (!isThrough(environment)) expect(isThrough({ ...environment, NO_PROXY: `x.y,${list},z` })).toBe(false);
        expect(isThrough({ ...environment, NO_PROXY: `${list},*` })).toBe(false);
      }),
    );
  });
});
