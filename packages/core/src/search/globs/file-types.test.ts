import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../testing/temp-workspace.js';
import { createTypeFilter, FILE_TYPE_ALIASES, FILE_TYPES } from './file-types.js';

const listed = new Map(
  ripgrep('--type-list').map((line): [string, string[]] => {
    const [name = '', globs = ''] = line.split(': ');
    return [name, globs.split(', ')];
  }),
);

function ripgrep(...args: readonly string[]): string[] {
  const output = execFileSync(rgPath, ['--no-config', ...args], { encoding: 'utf8' });
  return output.split('\n').filter((line) => line !== '');
}

/** Names that the glob has, and some that it almost has. */
function namesFor(glob: string): string[] {
  const choices = glob.split(/(\*|\[[^\]]*\])/).map((part) => {
    if (part === '*') return ['', 'x', 'a.b'];
    return part.startsWith('[') ? [...part.slice(1, -1).split(''), 'q'] : [part];
  });
  const names = choices.reduce<string[]>((all, part) => all.flatMap((name) => part.map((each) => name + each)), ['']);
  // ripgrep passes by a name that ends with a dot, whatever glob it has.
  return names.flatMap((name) => [name, `${name}~`, name.toUpperCase()]).filter((name) => !name.endsWith('.'));
}

describe('file types', () => {
  it('are all that ripgrep has, and find what it finds (S106)', async () => {
    const folder = await createTempWorkspace();
    const names = [...new Set(Array.from(listed.values(), (globs) => globs.flatMap(namesFor)).flat())];
    for (const name of names) writeFileSync(folder.path(name), '');
    expect(listed.size).toBeGreaterThan(200);
    for (const type of listed.keys()) {
      const found = ripgrep('--hidden', '--no-ignore', '--type', type, '--files', folder.root);
      const expected = found.map((path) => basename(path)).sort();
      expect(expected.length).toBeGreaterThan(0);
      expect([type, names.filter(createTypeFilter(type)).sort()]).toEqual([type, expected]);
    }
    await folder.remove();
  });

  it('have further names that are not taken for another type', () => {
    for (const [alias, name] of Object.entries(FILE_TYPE_ALIASES)) {
      expect(FILE_TYPES).toHaveProperty(name);
      expect(FILE_TYPES).not.toHaveProperty([alias]);
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

  it.each([
    ['all', 'all. Leave type out to search files of all types.'],
    ['*', '*. Leave type out to search files of all types.'],
    ['typscript', 'typscript. Did you mean typescript, '],
    ['TS', 'TS. Did you mean ts? Or use glob.'],
    ['.ts', '.ts. Did you mean ts? Or use glob.'],
    ['**/*.py', '**/*.py. Did you mean py? Or use glob.'],
    ['ts,js', 'ts,js. It takes one type. For several use glob, such as *.{ts,js}.'],
    ['re\nact', '"re\\nact". It takes one type.'],
    ['__proto__', '__proto__. Known are'],
    [`q${'x'.repeat(300)}`, `q${'x'.repeat(28)}…${'x'.repeat(29)}. Known are`],
  ])('that are none are answered with the next step: %j', (type, message) => {
    expect(() => createTypeFilter(type)).toThrow(`Unknown file type: ${message}`);
  });
});
