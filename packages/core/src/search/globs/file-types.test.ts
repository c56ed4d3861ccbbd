import { execFileSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import { createTypeFilter, FILE_TYPE_ALIASES, FILE_TYPES } from './file-types.js';

const listed = new Map(
  execFileSync(rgPath, ['--type-list'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
);

describe('file types', () => {
  it('are what ripgrep has under the same names', () => {
    expect(Object.keys(FILE_TYPES).length).toBeGreaterThan(60);
    for (const [name, globs] of Object.entries(FILE_TYPES)) expect([name, globs]).toEqual([name, inOurForm(name)]);
    for (const [alias, name] of Object.entries(FILE_TYPE_ALIASES)) {
      expect(FILE_TYPES).toHaveProperty(name);
      if (listed.has(alias)) expect([alias, FILE_TYPES[name]]).toEqual([alias, inOurForm(alias)]);
    }
  });

  it('judge by the last name, in exact case', () => {
    const fits = (type: string, path: string): boolean => createTypeFilter(type)(path);
    expect(fits('ts', 'a/b.mts')).toBe(true);
    expect(fits('ts', 'a.ts/b')).toBe(false);
    expect(fits('ts', 'a.TS')).toBe(false);
    expect(fits('cpp', 'x/y.hxx')).toBe(true);
    expect(fits('make', 'sub/GNUmakefile')).toBe(true);
    expect(fits('docker', 'x/dev.Dockerfile')).toBe(true);
    expect(fits('py', '.hidden.py')).toBe(true);
  });

  it('have the names that people use', () => {
    expect(createTypeFilter('rb')('Rakefile')).toBe(true);
    expect(createTypeFilter('tsx')('a.tsx')).toBe(true);
  });

  it('that are unknown are answered with the nearest names', () => {
    expect(() => createTypeFilter('javascrip')).toThrow('Unknown file type: javascrip. Did you mean javascript');
    expect(() => createTypeFilter('constructor')).toThrow('Unknown file type: constructor.');
    expect(() => createTypeFilter('qqqqqqqq')).toThrow('Known are, among others: ts, js');
  });
});

function inOurForm(name: string): string | undefined {
  return listed.get(name)?.split(', ').join(' ');
}
