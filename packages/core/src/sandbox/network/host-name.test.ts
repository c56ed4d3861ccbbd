import fc from 'fast-check';
import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readAuthority, readHost, readWrittenHost } from './host-name.js';

describe('a host that came over the wire', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[FD00::00AB]', 'fd00::ab'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['_dmarc.example.com', '_dmarc.example.com'],
  ])('%s is read as %s', (text, host) => expect(readHost(text)).toBe(host));

  it.each([
    '',
    '.',
    'a..b',
    'example.com..',
    '-a.com',
    'a-.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}com`,
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '127.1',
    '010.0.0.1',
    '127.0.0.1.',
    '127.0.0.256',
    '1.2.3.4.5',
    'a.0x',
    'a.1',
    'bücher.example',
    'ex ample.com',
    'example.com%00',
    'example%2ecom',
    'exa\nmple.com',
    'user@example.com',
    '*.com',
    '::1',
    '[::1%lo]',
    '[::1',
    '[127.0.0.1]',
    '[]',
    '１２７.0.0.1',
    'a。com',
    'example.com\0',
    'a/b',
    'a\\b',
    'a:1',
  ])('%j is nobody’s', (text) => {
    // One spelling of 127.0.0.1 that the whole world reads alike.
    expect(readHost(text)).toBe(text === '127.0.0.1.' ? '127.0.0.1' : undefined);
  });

  it('is what every reader of addresses makes of it, or is not read', () => {
    const digits = fc.constantFrom(
      '127',
      '0',
      '010',
      '0x7f',
      '1',
      '256',
      '2130706433',
      'localhost',
      'a',
      'COM',
      'xn--a',
      '',
      '%31',
      '１',
    );
    const texts = fc.oneof(
      fc.array(digits, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.')),
      fc.ipV6().map((ip) => `[${ip}]`),
      fc.ipV4Extended(),
      fc.domain(),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const host = readHost(text);
        if (host === undefined) return;
        expect(readHost(isIP(host) === 6 ? `[${host}]` : host)).toBe(host);
        const url = `http://${text}/`;
        // Labels of `xn--` that mean nothing are hosts for us, whom nobody resolves.
        if (!URL.canParse(url)) expect(text.toLowerCase()).toContain('xn--');
        else expect(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')).toBe(host);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['example.com:443', 'example.com 443'],
    ['[::1]:8080', '::1 8080'],
    ['example.com', 'example.com 80'],
    ['example.com:0', ''],
    ['example.com:65536', ''],
    ['example.com:', ''],
    ['example.com:+80', ''],
    ['a@example.com:443', ''],
    ['example.com:443:443', ''],
    ['example.com:443/x', ''],
    ['example.com\\:443', ''],
    [':443', ''],
  ])('with its port: %s', (text, expected) => {
    const { host, port } = readAuthority(text, 80) ?? {};
    expect([host ?? '', port ?? ''].join(' ').trim()).toBe(expected);
  });
});

it('a host that a person wrote may be of another alphabet', () => {
  expect(['Bücher.example', '::1', '10.0.0.1', 'fe80::1%lo', 'a b'].map(readWrittenHost)).toEqual([
    'xn--bcher-kva.example',
    '::1',
    '10.0.0.1',
    undefined,
    undefined,
  ]);
});
