import { describe, expect, it } from 'vitest';
import { createFileFilter } from './file-filter.js';

function fitting(globs: readonly string[], paths: readonly string[], type?: string, folder = '/w'): string[] {
  const wants = createFileFilter({ globs, type }, folder, ['/w']);
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

  it('asks for glob and type, both', () => {
    expect(fitting([], paths, 'ts')).toEqual(['a.ts', 'src/b.ts', 'src/b.test.ts', 'src/deep/c.tsx']);
    expect(fitting(['src/**'], paths, 'js')).toEqual(['src/e.js']);
    expect(fitting(['!*.test.ts'], paths, 'ts')).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.tsx']);
  });
});
