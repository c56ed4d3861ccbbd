import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../testing/temp-workspace.js';
import { createFileFilter } from './file-filter.js';
import { createTypeFilter } from './file-types.js';

function fitting(globs: readonly string[], paths: readonly string[], type?: string, folder = '/w'): string[] {
  const isOfType = type === undefined ? undefined : createTypeFilter(type);
  const wants = createFileFilter({ globs, isOfType }, folder, ['/w']);
  return wants === undefined ? [...paths] : paths.filter((path) => wants(path));
}

const paths = ['a.ts', 'src/b.ts', 'src/b.test.ts', 'src/deep/c.tsx', 'docs/d.md', 'src/e.js'];

describe('a file filter', () => {
  it('lets every file pass when there is nothing to judge by', () => {
    expect(createFileFilter({ globs: [] }, '/w', ['/w'])).toBeUndefined();
  });

  it('takes several globs, of which one must fit, and exclusions, of which none may', () => {
    expect(fitting(['*.ts', '*.md'], paths)).toEqual(['a.ts', 'src/b.ts', 'src/b.test.ts', 'docs/d.md']);
    expect(fitting(['*.ts', '!*.test.ts'], paths)).toEqual(['a.ts', 'src/b.ts']);
    expect(fitting(['!src/**'], paths)).toEqual(['a.ts', 'docs/d.md']);
    expect(fitting(['!(a|b).ts'], paths)).toEqual(['src/b.test.ts']);
  });

  it('means globs from the folder, from the root, or by their absolute path', () => {
    const below = ['b.ts', 'deep/c.tsx'];
    expect(fitting(['src/**/*.tsx'], below, undefined, '/w/src')).toEqual(['deep/c.tsx']);
    expect(fitting(['deep/*'], below, undefined, '/w/src')).toEqual(['deep/c.tsx']);
    expect(fitting(['/w/src/deep/**'], below, undefined, '/w/src')).toEqual(['deep/c.tsx']);
    expect(fitting(['!src/deep/**'], below, undefined, '/w/src')).toEqual(['b.ts']);
    expect(fitting(['/w/src/*.js'], paths)).toEqual(['src/e.js']);
  });

  it('means relative globs, and a leading slash, from workspace folders below as well, where that is asked for', () => {
    const all = ['src/a.ts', 'b/src/a.ts', 'b/c/src/a.ts', 'd/src/a.ts', 'w/src/a.ts', 'b/w/src/a.ts', 'b/src'];
    const fits = (globs: readonly string[], fromRootsBelow = true, folder = '/w'): string[] => {
      const wants = createFileFilter({ globs, fromRootsBelow }, folder, ['/w/b/c', '/w', '/w/b', '/other']);
      return all.filter((path) => wants?.(path));
    };
    expect(fits(['src/*.ts'])).toEqual(['src/a.ts', 'b/src/a.ts', 'b/c/src/a.ts']);
    expect(fits(['{src,none}/*'])).toEqual(['src/a.ts', 'b/src/a.ts', 'b/c/src/a.ts']);
    expect(fits(['/src/*.ts'])).toEqual(['src/a.ts', 'b/src/a.ts', 'b/c/src/a.ts']);
    expect(fits(['!src/*.ts'])).toEqual(['d/src/a.ts', 'w/src/a.ts', 'b/w/src/a.ts', 'b/src']);
    expect(fits(['*/src/*.ts', '!c'])).toEqual(['b/src/a.ts', 'd/src/a.ts', 'w/src/a.ts', 'b/w/src/a.ts']);
    expect(fits(['/w/src/*.ts'])).toEqual(['src/a.ts']);
    expect(fits(['/w/b/src/*.ts'])).toEqual(['b/src/a.ts']);
    expect(fits(['src/*.ts'], false)).toEqual(['src/a.ts']);
    expect(fits(['src/*.ts'], true, '/w/b')).toEqual(['src/a.ts']);
    expect(fits(['c/src/*.ts'], true, '/w/b')).toEqual([]);
  });

  it('takes an absolute glob for what its leading folders lead to as well', () => {
    const realOf = (path: string): string => path.replace(/^\/link(?=\/|$)/, '/w').replace('/w/new', '/w/[a]');
    const all = [...paths, '[a]/x.ts', 'a/x.ts', 'link/src/b.ts'];
    const fits = (glob: string, folder = '/w'): string[] => {
      const wants = createFileFilter({ globs: [glob], realOf }, folder, ['/w']);
      return all.filter((path) => wants?.(path));
    };
    expect(fits('/link/*.ts')).toEqual(['a.ts']);
    expect(fits('/link/src/b.ts')).toEqual(['src/b.ts', 'link/src/b.ts']);
    expect(fits('/link/src/*.ts', '/w/src')).toEqual(['a.ts']);
    expect(fits('!/link/src')).toEqual(['a.ts', 'docs/d.md', '[a]/x.ts', 'a/x.ts']);
    expect(fits('/w/new/*')).toEqual(['[a]/x.ts']);
    expect(fits('{/link/docs,src}/*.{md,js}')).toEqual(['docs/d.md', 'src/e.js']);
  });

  it('excludes a folder with all that is in it, as ripgrep does, and takes a leading slash for the root', () => {
    const all = ['top.ts', 'lib/a.ts', 'src/lib/b.ts', 'src/sub/c.ts', 'lib.ts', 'src/top.ts'];
    expect(fitting(['!lib'], all)).toEqual(['top.ts', 'src/sub/c.ts', 'lib.ts', 'src/top.ts']);
    expect(fitting(['!lib/'], all)).toEqual(['top.ts', 'src/sub/c.ts', 'lib.ts', 'src/top.ts']);
    expect(fitting(['!/lib'], all)).toEqual(['top.ts', 'src/lib/b.ts', 'src/sub/c.ts', 'lib.ts', 'src/top.ts']);
    expect(fitting(['!src/sub'], all)).toEqual(['top.ts', 'lib/a.ts', 'src/lib/b.ts', 'lib.ts', 'src/top.ts']);
    expect(fitting(['/top.ts'], all)).toEqual(['top.ts']);
    expect(fitting(['/lib/**'], all)).toEqual(['lib/a.ts']);
    expect(fitting(['{/lib,src/sub}/**'], all)).toEqual(['lib/a.ts', 'src/sub/c.ts']);
    // A folder that is named as place is searched, whatever excludes it from above.
    expect(fitting(['!src'], ['a.ts'], undefined, '/w/src')).toEqual(['a.ts']);
    expect(fitting(['/src/a.ts'], ['a.ts', 'b.ts'], undefined, '/w/src')).toEqual(['a.ts']);
  });

  it('lets pass what ripgrep searches with the same globs, exclusions last', async () => {
    const name = fc.constantFrom('a', 'b', 'ab', '.a', 'a.b', 'c');
    const trees = fc.uniqueArray(
      fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/')),
      { minLength: 1, maxLength: 12 },
    );
    const part = fc.constantFrom('*', '**', 'a', 'b', 'c', 'a*', '*b', '?', '[ab]', '[!a]', '{a,b}', '*.b', '.*');
    const glob = fc
      .tuple(fc.constantFrom('', '', '', '/'), fc.array(part, { minLength: 1, maxLength: 3 }))
      .map(([start, parts]) => start + parts.join('/'));
    const exclusion = fc.tuple(glob, fc.constantFrom('', '', '/')).map(([text, end]) => `!${text}${end}`);
    await fc.assert(
      fc.asyncProperty(
        trees,
        fc.array(fc.tuple(fc.array(glob, { maxLength: 2 }), fc.array(exclusion, { maxLength: 2 })), {
          minLength: 4,
          maxLength: 4,
        }),
        async (files, lists) => {
          const workspace = await createTempWorkspace();
          const { root } = workspace;
          try {
            const made = files.filter((file) => isMade(join(root, file)));
            for (const [wanted, excluded] of lists) {
              const globs = [...wanted, ...excluded];
              const wants = createFileFilter({ globs }, root, [root]);
              const ours = made.filter((file) => wants?.(file) !== false);
              expect([globs, ours.toSorted()]).toEqual([globs, ripgrepFiles(root, globs)]);
            }
          } finally {
            await workspace.remove();
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  it('asks for glob and type, both', () => {
    expect(fitting([], paths, 'ts')).toEqual(['a.ts', 'src/b.ts', 'src/b.test.ts', 'src/deep/c.tsx']);
    expect(fitting(['src/**'], paths, 'js')).toEqual(['src/e.js']);
    expect(fitting(['!*.test.ts'], paths, 'ts')).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.tsx']);
  });
});

function isMade(path: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '', { flag: 'wx' });
    return true;
  } catch {
    // A file stands where a folder is wanted, or the other way round.
    return false;
  }
}

function ripgrepFiles(root: string, globs: readonly string[]): string[] {
  const args = [
    '--files',
    '--hidden',
    '--no-ignore',
    '--no-config',
    '--null',
    ...globs.flatMap((glob) => ['-g', glob]),
  ];
  try {
    return execFileSync(rgPath, args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean).toSorted();
  } catch (thrown) {
    // Nothing fits.
    if ((thrown as { status?: number }).status === 1) return [];
    throw thrown;
  }
}
