import { describe, expect, it } from 'vitest';
import { createGlobMatcher } from './glob-match.js';
import { inAnyFolder, inSubFolders, withoutSets } from './loosened.js';

describe('a looser pattern', () => {
  it.each([
    ['app/[slug]/*.tsx', 'app/[slug]/a.tsx'],
    ['[[...slug]]/x', '[[...slug]]/x'],
    ['[!a-z]*', '[!a-z]b'],
    ['x[a\\]b]', 'x[a]b]'],
  ])('has the brackets of %s for the name', (pattern, name) => {
    const text = withoutSets(pattern) ?? '';
    expect(createGlobMatcher(text)(name)).toBe(true);
    expect(withoutSets(text)).toBeUndefined();
  });

  it.each(['*.ts', '\\[a\\]', '[a', '!x[ab]', 'a]'])('is not made of %s, which has no set', (pattern) => {
    expect(withoutSets(pattern)).toBeUndefined();
  });

  it.each([
    ['src/*.ts', 'src/**/*.ts'],
    ['src/**.ts', 'src/**/*.ts'],
    ['./x', './**/x'],
    ['*/x.ts', '*/**/x.ts'],
  ])('of %s goes into sub-folders', (pattern, deeper) => {
    expect(inSubFolders(pattern)).toBe(deeper);
  });

  it.each(['*.ts', 'src/**', 'src/', 'src/**/*.ts', '!src/*.ts', 'src/..'])('of %s is none', (pattern) => {
    expect(inSubFolders(pattern)).toBeUndefined();
  });

  it.each([
    ['components/*.tsx', '**/components/*.tsx'],
    ['{src,lib}/*.ts', '**/{src,lib}/*.ts'],
    ['*/x/y.ts', '**/*/x/y.ts'],
    ['.github/*', '**/.github/*'],
  ])('of %s begins in any folder', (pattern, anywhere) => {
    expect(inAnyFolder(pattern)).toBe(anywhere);
  });

  it.each(['*.ts', '**/a/*.ts', '/a/*.ts', './a/b', '../a/b', '!a/b', '{/w/a,b}/*.ts', '{a,../b}/*', '**'])(
    'of %s does not',
    (pattern) => expect(inAnyFolder(pattern)).toBeUndefined(),
  );
});
