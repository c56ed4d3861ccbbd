import { expect, it } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { containedEffects } from './contained-effects.js';

const run: Effect = { kind: 'run', command: 'x', argv: ['x'], directory: '/w', zone: 'workspace', readOnly: false };
const unknown: Effect = { kind: 'unknown', reason: 'r' };
const write: Effect = { kind: 'write', path: '/x', requested: '/x', zone: 'outside' };
const fetch = (url: string): Effect => ({ kind: 'fetch', url, host: new URL(url).hostname });
const contained = (effects: readonly Effect[], status: Parameters<typeof containedEffects>[1]): unknown[] =>
  containedEffects(effects, status).map((effect) => 'isContained' in effect && effect.isContained);

it('a sandbox without a network contains programs, and what nobody could work out; not what is said of files and hosts', () => {
  const effects = [run, unknown, write, fetch('https://a.com/')];
  expect(contained(effects, { mechanism: 'bubblewrap' })).toEqual([true, true, false, false]);
});

it('where the whole network is reached it contains nothing: what a program does can be telling anybody what it read', () => {
  expect(contained([run, unknown, fetch('https://a.com/')], { mechanism: 'bubblewrap', network: 'on' })).toEqual([
    false,
    false,
    false,
  ]);
  expect(contained([run], { mechanism: 'none' })).toEqual([false]);
});

it.each([
  ['https://registry.npmjs.org/x', true],
  ['http://registry.npmjs.org/x', true],
  ['https://registry.npmjs.org./x', true],
  ['https://registry.npmjs.org:444/x', false],
  ['https://api.github.com/', true],
  ['https://github.com/', false],
  ['https://evilgithub.com/', false],
  ['ssh://api.github.com/', false],
  ['http://localhost:5432/', true],
  ['http://localhost/', false],
  ['http://127.0.0.1:5432/', false],
])('of hosts it contains those that the list names, as its proxy would judge: %s', (url, expected) => {
  const status = { mechanism: 'bubblewrap', hosts: ['registry.npmjs.org', '*.github.com', 'localhost:5432'] } as const;
  expect(contained([fetch(url)], status)).toEqual([expected]);
});

it('a host that is not the one of its address is not contained', () => {
  const odd: Effect = { kind: 'fetch', host: 'a.com', url: 'https://b.com/' };
  expect(contained([odd], { mechanism: 'bubblewrap', hosts: ['a.com', 'b.com'] })).toEqual([false]);
});
