import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../testing/temp-workspace.js';
import { createGlobMatcher, splitStaticFolder } from './glob-match.js';

describe('createGlobMatcher', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'x/y/a.ts', true],
    ['src/**', 'src/a/b', true],
    ['src/**', 'srcs/a', false],
    ['src/**', 'src', false],
    ['*/**', 'a', false],
    ['**', 'a', true],
    ['{a,b}/**', 'b/c/d', true],
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
    ['{src,lib}/**/*.{ts,js}', 'lib/x/y.js', true],
    ['{src,lib}/**/*.{ts,js}', 'lib.js', false],
    ['a{1..3}.ts', 'a2.ts', true],
    ['a{1..3}.ts', 'a4.ts', false],
    ['a{b,{c,d/e}}', 'ad/e', true],
    ['{a}', 'a', false],
    ['!(*.{js,ts})', 'a.ts', false],
    ['!(*.{js,ts})', 'a.css', true],
    ['+(ab|c).ts', 'abcab.ts', true],
    ['+(ab|c).ts', '.ts', false],
    ['?(a)b', 'b', true],
    ['*(a|b)c', 'ababc', true],
    ['app/(auth)/*.ts', 'app/(auth)/x.ts', true],
    ['a[/]b', 'a/b', false],
  ])('%s on %s: %s (S99)', (pattern, path, expected) => {
    expect(createGlobMatcher(pattern)(path)).toBe(expected);
  });

  it('reads slashes in brackets as bash does', async () => {
    const names = ['a', 'b', '[a', 'a]', '[a/b]', 'x[a/b]', '[!a/b]', 'a/b', 'b]', '[a/-]', '[a/]', '-]'];
    const patterns = ['[a/b]', '*[a/b]', '[!a/b]', '?[a/b]', '[a/-]', '[a\\/b]', '[[:alpha:]/b]', '[a]/[b]', '[+-/]'];
    const folder = await createTempWorkspace();
    for (const [at, name] of names.entries()) await folder.write({ [`${at}/${name}`]: '' });
    for (const pattern of patterns) {
      const script = `shopt -s nullglob dotglob; for d in *; do (cd $d; for f in ${pattern}; do [ -f "$f" ] && echo "$f"; done; true); done`;
      const found = execFileSync('bash', ['-c', script], { cwd: folder.root, encoding: 'utf8' });
      const expected = found.split('\n').filter((line) => line !== '');
      expect([pattern, names.filter(createGlobMatcher(pattern)).sort()]).toEqual([pattern, expected.sort()]);
    }
    await folder.remove();
  });

  it('has in its classes what bash has in them where text is UTF-8', async () => {
    // Of each kind of characters some, and none that came into Unicode, or moved within it, of late.
    const ascii = Array.from({ length: 0x7e }, (_, at) => String.fromCodePoint(at + 1));
    const others =
      'éÉßſǅǈǲªʰαΩжЖאعअाั๑٣²½ⅧⅷⓐⒶ漢ひ한𝒜𐐀𐐨\u0301\u200b\ufeff\u00a0\u1680\u2003\u2007\u2028\u202f\u3000\u0085€«—§😀\ue000';
    const names = [...ascii, ...Array.from(others)].filter((name) => name !== '/' && name !== '.');
    const folder = await createTempWorkspace(Object.fromEntries(names.map((name) => [name, ''])));
    const classes = 'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' ');
    for (const pattern of classes.flatMap((name) => [`[[:${name}:]]`, `[![:${name}:]]`])) {
      const script = `shopt -s nullglob dotglob; printf '%s\\0' ${pattern}`;
      const env = { LC_ALL: 'C.UTF-8' };
      const found = execFileSync('/bin/bash', ['--norc', '-c', script], { cwd: folder.root, encoding: 'utf8', env });
      const expected = found.split('\0').filter((name) => name !== '');
      expect([pattern, names.filter(createGlobMatcher(pattern)).sort()]).toEqual([pattern, expected.sort()]);
    }
    await folder.remove();
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

describe('a hostile pattern', () => {
  const name = 'a'.repeat(250);

  it.each([
    `${'*a'.repeat(60)}*b`,
    `${'**/'.repeat(1300)}b`,
    `+(${'*a'.repeat(60)}*b)`,
    '*(a|*a*a*a*a*a*a*b|*(*(a)))c',
    '!(!(!(*a*a*a*b)))*b',
    '+('.repeat(2000),
    '{'.repeat(4000),
    '['.repeat(4000),
  ])('number %# answers at once', (pattern) => {
    const started = performance.now();
    expect(createGlobMatcher(pattern)(name)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it.each([
    '{a,b}'.repeat(11),
    '{1..2000}',
    `${'+('.repeat(2000)}${')'.repeat(40)}`,
    '@(a)'.repeat(40),
    'a'.repeat(5000),
  ])('number %# is refused', (pattern) => {
    const started = performance.now();
    expect(() => createGlobMatcher(pattern)).toThrow(expect.objectContaining({ code: 'invalid_pattern' }));
    expect(performance.now() - started).toBeLessThan(2000);
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
