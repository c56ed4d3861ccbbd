import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFileFilter } from './file-filter.js';
import { createGlobMatcher, splitStaticFolder } from './glob-match.js';

describe('createGlobMatcher', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'x/y/a.ts', true],
    ['src/**', 'src/a/b', true],
    ['src/**', 'srcs/a', false],
    ['?.ts', 'ab.ts', false],
    ['[a-c].ts', 'b.ts', true],
    ['[!a-c].ts', 'b.ts', false],
    ['[!a-c].ts', 'd.ts', true],
    ['*.{js,ts}', '.eslintrc.js', true],
    ['!*.ts', 'deep/a.ts', false],
    ['!*.ts', 'deep/a.js', true],
    ['!src/**', 'src/a', false],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['@(a|b).ts', 'b.ts', true],
    ['*.TS', 'a.ts', false],
  ])('%s on %s: %s (S99)', (pattern, path, expected) => {
    expect(createGlobMatcher(pattern)(path)).toBe(expected);
  });

  it('matches a name at any depth when it is a file filter without a slash', () => {
    const matches = createGlobMatcher('*.ts', { anyDepth: true });
    expect([matches('a.ts'), matches('x/y.ts'), matches('x.ts/y')]).toEqual([true, true, false]);
  });

  it('always matches the path that is spelled like the pattern', () => {
    const segment = fc.stringMatching(/^[a-z[\](){}*?!+@.-]{1,6}$/);
    const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(
        path.filter((text) => !text.startsWith('!') && !text.startsWith('./')),
        (text) => createGlobMatcher(text)(text),
      ),
    );
  });
});

describe('createFileFilter', () => {
  it('takes a glob from the folder, from the root, and as an absolute path', () => {
    const filter = (glob: string): ((path: string) => boolean) => createFileFilter(glob, '/ws/src', ['/ws']);
    expect(filter('lib/*.ts')('lib/a.ts')).toBe(true);
    expect(filter('src/lib/*.ts')('lib/a.ts')).toBe(true);
    expect(filter('/ws/src/**')('lib/a.ts')).toBe(true);
    expect(filter('other/**')('lib/a.ts')).toBe(false);
    expect(filter('!src/lib/**')('lib/a.ts')).toBe(false);
    expect(filter('!src/lib/**')('a.ts')).toBe(true);
  });
});

describe('splitStaticFolder', () => {
  it.each([
    ['src/a/**/*.ts', 'src/a', '**/*.ts'],
    ['*.ts', '', '*.ts'],
    ['/ws/src/*.ts', '/ws/src', '*.ts'],
    ['/*.ts', '/', '*.ts'],
    ['src/{a,b}/c', 'src', '{a,b}/c'],
    ['src/a.ts', 'src', 'a.ts'],
    ['!src/**', '', '!src/**'],
  ])('%s is %s and %s', (pattern, folder, rest) => {
    expect(splitStaticFolder(pattern)).toEqual({ folder, rest });
  });
});
