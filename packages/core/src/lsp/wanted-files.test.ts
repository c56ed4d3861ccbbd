import { expect, it } from 'vitest';
import { Registrations } from './registrations.js';
import { wantedFiles, type FileEventType } from './wanted-files.js';

const ROOT = '/work/app';
const watching = (globPattern: unknown, kind?: number): unknown => ({
  watchers: [{ globPattern, ...(kind !== undefined && { kind }) }],
});
const wants = (options: readonly unknown[], path: string, type: FileEventType = 2): boolean =>
  wantedFiles(options, ROOT)(path, type);

it.each([
  ['**/*.ts', '/work/app/a.ts', true],
  ['**/*.ts', '/work/app/src/deep/a.ts', true],
  ['**/*.ts', '/work/app/a.tsx', false],
  ['*.ts', '/work/app/src/a.ts', false],
  ['**/*.{ts,tsx}', '/work/app/a.tsx', true],
  ['**/go.[ms]od', '/work/app/x/go.mod', true],
  ['**', '/work/app/.hidden/any', true],
  ['**/*.ts', '/elsewhere/a.ts', false],
  ['/work/app/src/**', '/work/app/src/a.ts', true],
  ['/work/app/src/**', '/work/app/test/a.ts', false],
  [{ baseUri: 'file:///work/app/src', pattern: '*.ts' }, '/work/app/src/a.ts', true],
  [{ baseUri: 'file:///work/app/src/', pattern: '*.ts' }, '/work/app/src/a.ts', true],
  [{ baseUri: { uri: 'file:///work/app/src', name: 'src' }, pattern: '**/*.ts' }, '/work/app/src/x/a.ts', true],
  [{ baseUri: 'file:///work/app/src', pattern: '*.ts' }, '/work/app/a.ts', false],
  [{ baseUri: 'file:///work/app/src', pattern: '**' }, '/work/app/srcs/a.ts', false],
])('%j and %s: %s', (pattern, path, expected) => {
  expect(wants([watching(pattern)], path)).toBe(expected);
});

it('goes by kind: created, changed and deleted are one bit each, and all of them where nothing is said', () => {
  const types: readonly FileEventType[] = [1, 2, 3];
  const heard = (kind?: number) => types.filter((type) => wants([watching('**', kind)], '/work/app/a', type));
  expect([heard(), heard(1), heard(2), heard(4), heard(5), heard(0)]).toEqual([types, [1], [2], [3], [1, 3], []]);
});

it('is everything where nothing is registered, or what is registered cannot be read', () => {
  expect(wants([], '/anywhere/a')).toBe(true);
  const unreadable = [null, {}, { watchers: 3 }, { watchers: [null] }, watching(7), watching({ pattern: '*' })];
  for (const options of [...unreadable, watching('x'.repeat(5000))]) expect(wants([options], '/work/app/a')).toBe(true);
  expect(wants([{ watchers: [] }], '/work/app/a')).toBe(false);
});

it('is what is registered now, of all registrations together', () => {
  const offers = new Registrations({});
  const method = 'workspace/didChangeWatchedFiles';
  const hears = (path: string): boolean => offers.wantedFiles(ROOT)(path, 2);
  expect(hears('/work/app/a.md')).toBe(true);
  offers.register({ registrations: [{ id: '1', method, registerOptions: watching('**/*.ts') }] });
  offers.register({ registrations: [{ id: '2', method, registerOptions: watching('**/*.js') }] });
  expect(['a.ts', 'a.js', 'a.md'].map((name) => hears(`/work/app/${name}`))).toEqual([true, true, false]);
  offers.unregister({ unregisterations: [{ id: '1', method }] });
  expect(['a.ts', 'a.js'].map((name) => hears(`/work/app/${name}`))).toEqual([false, true]);
});
