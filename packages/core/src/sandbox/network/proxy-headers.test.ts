import { describe, expect, it } from 'vitest';
import { handedOn, readPlainTarget } from './proxy-headers.js';

describe('whom a plain request is for', () => {
  it.each([
    ['http://a.example/x?y=z', 'a.example 80 /x?y=z a.example'],
    ['HTTP://A.example', 'a.example 80 / a.example'],
    ['http://a.example?x', 'a.example 80 /?x a.example'],
    ['http://a.example:8080/', 'a.example 8080 / a.example:8080'],
    ['http://[::1]:81/', '::1 81 / [::1]:81'],
    ['http://a.example/x#y', undefined],
    ['http://user@a.example/', undefined],
    ['http://a.example:80:80/', undefined],
    ['http:///x', undefined],
    ['http:a.example', undefined],
    ['https://a.example/', undefined],
    ['/x', undefined],
    ['*', undefined],
  ])('%s', (url, expected) => {
    const target = readPlainTarget(url);
    expect(target && [target.host, target.port, target.path, target.authority].join(' ')).toBe(expected);
  });

  it('in a tunnel is for whom the tunnel was made', () => {
    const tunnel = { host: 'a.example', port: 80 };
    expect(readPlainTarget('//b.example/', tunnel)).toMatchObject({ host: 'a.example', path: '//b.example/' });
    expect(readPlainTarget('http://b.example/', tunnel)).toBeUndefined();
  });
});

it('what belongs to one connection is not handed on, nor what that connection names, the length excepted', () => {
  const headers = [
    'A',
    '1',
    'Connection',
    'close, x-hop , Content-Length',
    'X-HOP',
    '1',
    'content-length',
    '3',
    'Host',
    'h',
    'a',
    '2',
    'TE',
    't',
  ];
  expect(handedOn(headers)).toEqual(['A', '1', 'content-length', '3', 'a', '2']);
});
