import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeEscaped, encodeEscaped } from '../files/escaped-bytes.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { FileStatter } from './content/file-stamps.js';
import { findFiles, findHints, newFindHints, type FindHints } from './find-files.js';
import { GIT_IGNORE } from '../files/ignore-stack.js';
import { IgnoreRules } from '../files/ignore-rules.js';
import { realPath } from '../util/real-path.js';
import { planGlobs } from './globs/glob-plan.js';
import { GlobSet } from './globs/glob-set.js';
import { NewestFiles } from './newest-files.js';
import { TreeIndex } from './tree/tree-index.js';
import { newWalkCounts } from './tree/walked-folder.js';

const statter = new FileStatter();
const { signal } = new AbortController();
afterAll(async () => statter.close());

async function find(root: string, patterns: readonly string[], tree = new TreeIndex()): Promise<string[]> {
  const newest = new NewestFiles(1000);
  const ignored = new IgnoreRules(GIT_IGNORE, [root]);
  const facts = { realOf: realPath, isHidden: (path: string, from: string) => ignored.isShutOff(path, from) };
  for (const { real, globSet } of planGlobs(patterns, [root], facts).folders) {
    await findFiles(
      {
        index: { tree, statter },
        folder: { path: real, workingDirectory: real },
        roots: [root],
        globs: globSet(),
        allowsLink: () => true,
        counts: newWalkCounts(),
        signal,
      },
      newest,
    );
  }
  expect(newest.total).toBe(newest.sorted().length);
  return newest.sorted().map(({ path }) => path.slice(root.length + 1));
}

/** What bash finds: regular files only, or folders too. `pattern` must be harmless as shell text. */
function bash(root: string, pattern: string, test: '-f' | '-e' = '-f'): string[] {
  const script = `for f in ${pattern}; do [[ ${test} $f ]] && printf '%s\\0' "$f"; done; true`;
  const flags = ['globstar', 'extglob', 'dotglob', 'nullglob'].flatMap((option) => ['-O', option]);
  const output = execFileSync('/bin/bash', ['--norc', ...flags, '-c', script], {
    cwd: root,
    env: { LC_ALL: 'C.UTF-8' },
  });
  return decodeEscaped(output)
    .split('\0')
    .filter((name) => name !== '')
    .map((name) =>
      name
        .replace(/^(?:\.\/)+/, '')
        .replace(/\/+$/, '')
        .replace(/\/(?:\.?\/)+/g, '/'),
    );
}

/** A file is excluded with what bash finds, or when it lies in a folder that bash finds. */
function isOut(excluded: ReadonlySet<string>, file: string): boolean {
  const names = file.split('/');
  return names.some((_name, at) => excluded.has(names.slice(0, at + 1).join('/')));
}

const NAMES = ['a', 'b', 'ab', 'a.b', '.a', '-b', 'B', 'ä', 'a\nb', decodeEscaped(Buffer.from([0x61, 0xff])), 'd', 'e'];
const name = fc.constantFrom(...NAMES);
const paths = fc.uniqueArray(
  fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/')),
  { minLength: 1, maxLength: 12 },
);
const part = fc.constantFrom(
  '*',
  '**',
  '**',
  'a',
  'b',
  'd',
  'a*',
  '*b',
  '?',
  '??',
  '[ab]',
  '[!a]',
  '{a,b}',
  '{a,d/*}',
  '{,a}',
  '{a/,b}',
  '{./a,b}',
  '.',
  '.*',
  '*.b',
  '-*',
  '@(a|b)',
  '!(a)',
  '+(a|b)',
  '?(a)b',
  '*(a|.)b',
  'a?',
  '[a-d]',
  '*[!b]',
  '{a..d}',
  '**',
);
const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

function makeTree(root: string, files: readonly string[]): void {
  for (const file of files) {
    try {
      mkdirSync(encodeEscaped(dirname(`${root}/${file}`)), { recursive: true });
      writeFileSync(encodeEscaped(`${root}/${file}`), '');
    } catch {
      // A file stands where a folder is wanted, or the other way round.
    }
  }
}

describe('findFiles', () => {
  it('finds what bash finds, names with line breaks and of no encoding included (S99)', async () => {
    await fc.assert(
      fc.asyncProperty(paths, fc.array(pattern, { minLength: 3, maxLength: 3 }), async (files, patterns) => {
        const workspace = await createTempWorkspace();
        const tree = new TreeIndex();
        try {
          makeTree(workspace.root, files);
          const all = await find(workspace.root, ['**'], tree);
          expect(all.toSorted()).toEqual(bash(workspace.root, '**').toSorted());
          const each = patterns.map((text) => bash(workspace.root, text));
          for (const [index, text] of patterns.entries()) {
            expect([text, (await find(workspace.root, [text], tree)).toSorted()]).toEqual([
              text,
              unique(each[index] ?? []),
            ]);
          }
          // Two patterns, of which a third takes away.
          const [first = '', second = '', third = ''] = patterns;
          const out = new Set(bash(workspace.root, third, '-e'));
          const both = unique([...(each[0] ?? []), ...(each[1] ?? [])]).filter((file) => !isOut(out, file));
          if (third.includes('/') && !/(?:^|\/)(?:\.|\{,a\})$|^\{,a\}\//.test(third))
            expect((await find(workspace.root, [first, `!${third}`, second], tree)).toSorted()).toEqual(both);
        } finally {
          await workspace.remove();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('sorts by time, then by path, however many share a time (S100)', async () => {
    const files = ['b', 'a', 'd/c', 'd/a', 'e'];
    const workspace = await createTempWorkspace(Object.fromEntries(files.map((file) => [file, ''])));
    for (const file of files) utimesSync(workspace.path(file), 1000, file === 'e' ? 2000 : 1000);
    expect(await find(workspace.root, ['**'])).toEqual(['e', 'a', 'b', 'd/a', 'd/c']);
    await workspace.remove();
  });

  it('takes patterns from several folders and an exclusion by its absolute path', async () => {
    const workspace = await createTempWorkspace({
      'a/x.ts': '',
      'a/y.ts': '',
      'b/x.ts': '',
      'b/gen/x.ts': '',
      'c.log': '',
    });
    const { root } = workspace;
    const sorted = async (...patterns: string[]): Promise<string[]> => (await find(root, patterns)).toSorted();
    expect(await sorted(`${root}/a/*.ts`, `${root}/b/**`, `!${root}/b/gen/**`)).toEqual(['a/x.ts', 'a/y.ts', 'b/x.ts']);
    expect(await sorted('**/*.ts', '!b/**', '!y.ts')).toEqual(['a/x.ts']);
    expect(await sorted('!**/x.ts', '!*.log')).toEqual(['a/y.ts']);
    expect(await sorted('a/*', `${root}/a/x.ts`)).toEqual(['a/x.ts', 'a/y.ts']);
    await workspace.remove();
  });
});

describe('findFiles in several places', () => {
  it('sees what braces name wherever that is', async () => {
    const workspace = await createTempWorkspace(
      Object.fromEntries(
        ['src/a.ts', 'src/b.ts', 'src/sub/z.ts', 'lib/c.ts', 'f01.t', 'f1.t', 'f02.t', 'f10.t'].map((file) => [
          file,
          '',
        ]),
      ),
    );
    const { root } = workspace;
    const sorted = async (...patterns: string[]): Promise<string[]> => (await find(root, patterns)).toSorted();
    expect(await sorted('{./src,./lib}/*.ts')).toEqual(['lib/c.ts', 'src/a.ts', 'src/b.ts']);
    expect(await sorted('src/{,sub}/*.ts')).toEqual(['src/a.ts', 'src/b.ts', 'src/sub/z.ts']);
    expect(await sorted('{src/,lib/}/*.ts')).toEqual(['lib/c.ts', 'src/a.ts', 'src/b.ts']);
    expect(await sorted(`{${root}/src,${root}/lib}/*.ts`)).toEqual(['lib/c.ts', 'src/a.ts', 'src/b.ts']);
    expect(await sorted(`{${root}/src/*.ts,lib/*.ts}`)).toEqual(['lib/c.ts', 'src/a.ts', 'src/b.ts']);
    expect(await sorted('**/*.ts', '!{./src,x}/**')).toEqual(['lib/c.ts']);
    expect(await sorted('f{01..02}.t')).toEqual(['f01.t', 'f02.t']);
    expect(await sorted('f{1..10..9}.t')).toEqual(['f1.t', 'f10.t']);
    await workspace.remove();
  });

  it('excludes in every place, and a folder with all that is in it', async () => {
    const workspace = await createTempWorkspace(
      Object.fromEntries(
        ['src/a.ts', 'lib/c.ts', 'lib/d.md', 'n/m/x.js', 'm/y.js', 'm.d/z.js'].map((file) => [file, '']),
      ),
    );
    const { root } = workspace;
    const sorted = async (...patterns: string[]): Promise<string[]> => (await find(root, patterns)).toSorted();
    expect(await sorted(`${root}/lib/**`, `${root}/src/**`, '!*.ts')).toEqual(['lib/d.md']);
    for (const out of ['!m', '!m/', '!**/m', '!**/m/**', `!{${root}/m,n/m}`])
      expect([out, await sorted('**/*.js', out)]).toEqual([out, ['m.d/z.js']]);
    expect(await sorted('**/*.js', '!n/m/')).toEqual(['m.d/z.js', 'm/y.js']);
    await workspace.remove();
  });

  it('names each file once, and in a list no less than alone', async () => {
    const workspace = await createTempWorkspace({
      '.gitignore': 'dist\n',
      'src/a.ts': '',
      'src/b.ts': '',
      'lib/c.ts': '',
      'dist/o.js': '',
      link: { linkTo: 'src' },
    });
    const { root } = workspace;
    const sorted = async (...patterns: string[]): Promise<string[]> => (await find(root, patterns)).toSorted();
    const src = ['src/a.ts', 'src/b.ts'];
    expect(await sorted(`${root}/link/*.ts`)).toEqual(src);
    expect(await sorted(`${root}/link/*.ts`, `${root}/src/*.ts`)).toEqual(src);
    expect(await sorted(`${root}/link/*.ts`, 'lib/*.ts')).toEqual(['lib/c.ts', ...src]);
    expect(await sorted(`${root}/link/*.ts`, '!src/a.ts')).toEqual(['src/b.ts']);
    expect(await sorted(`${root}/dist/*.js`, 'lib/*.ts')).toEqual(['dist/o.js', 'lib/c.ts']);
    expect(await sorted(`${root}/dist/*.js`, '**/*.js', `${root}/dist`)).toEqual(['dist/o.js']);
    await workspace.remove();
  });
});

describe('findHints', () => {
  it('tells what would match in another case, at any depth, or but for .gitignore', async () => {
    const workspace = await createTempWorkspace({
      '.gitignore': 'dist\n*.log\n',
      '.qwenignore': 'secret\n',
      'dist/a.js': '',
      'dist/deep/b.js': '',
      'x.log': '',
      'Docs/README.md': '',
      'secret/readme.md': '',
    });
    const hintsFor = async (text: string): Promise<FindHints> => {
      const hints = newFindHints();
      const folder = { path: workspace.root, workingDirectory: workspace.root };
      const globs = [{ anchor: workspace.root, pattern: text }];
      const request = {
        index: { tree: new TreeIndex(), statter },
        folder,
        roots: [workspace.root],
        globs: new GlobSet(workspace.root, globs),
        looseGlobs: new GlobSet(workspace.root, globs, { anyDepth: true, ignoreCase: true }),
        deadline: performance.now() + 10_000,
        signal,
      };
      await findHints(request, hints);
      return hints;
    };
    expect(await hintsFor('readme.md')).toEqual({ ...newFindHints(), looseMatches: 1, ignoredMatches: 0 });
    expect(await hintsFor('dist/**/*.js')).toEqual({ ...newFindHints(), looseMatches: 0, ignoredMatches: 2 });
    expect(await hintsFor('**/*.log')).toEqual({ ...newFindHints(), looseMatches: 0, ignoredMatches: 1 });
    await workspace.remove();
  });
});

describe('a hostile pattern in one large folder', () => {
  // Some 20 s, one after the other.
  const names = Array.from({ length: 1_000 }, (_, at) => `${'a'.repeat(200)}${at}`);
  const globs = new GlobSet('/w', [{ anchor: '/w', pattern: '!(*!(*!(*a*a)*a)*a)b' }]);
  const folder = { path: '/w', workingDirectory: '/w' };
  const tree: Pick<TreeIndex, 'walk'> = {
    walk: async function* () {
      yield [{ folder: '', names, links: names, isWhole: true }];
    },
  };
  const request = { index: { tree, statter }, folder, roots: ['/w'], globs, counts: newWalkCounts() };

  it('is given up soon after the signal', async () => {
    const started = performance.now();
    const finding = findFiles(
      { ...request, allowsLink: () => true, signal: AbortSignal.timeout(50) },
      new NewestFiles(1),
    );
    await expect(finding).rejects.toThrow('timeout');
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  it('is looked for without it only until the time is up', async () => {
    const hints = newFindHints();
    const started = performance.now();
    await findHints({ ...request, looseGlobs: globs, deeperGlobs: globs, deadline: started + 50, signal }, hints);
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(hints.isCutShort).toBe(true);
  });
});

function unique(files: readonly string[]): string[] {
  return Array.from(new Set(files)).toSorted();
}
