import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { narrowRoots } from './narrow-roots.js';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'narrow-')));
const FOLDERS = ['', 'a', 'a/b', 'a/b/c', 'a/bb', 'd', 'd/e e'];
FOLDERS.forEach((folder) => mkdirSync(path.join(base, folder), { recursive: true }));
writeFileSync(path.join(base, 'file'), '');
symlinkSync(path.join(base, 'd'), path.join(base, 'a', 'link'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const at = (folder: string): string => path.join(base, folder);
const uri = (folder: string): string => pathToFileURL(at(folder)).href;
const lies = (folder: string, other: string): boolean => folder === other || folder.startsWith(`${other}${path.sep}`);

it.each([
  [['a'], ['a'], ['a']],
  [['a/b'], ['a'], ['a/b']],
  [['a'], ['a/b', 'd'], ['a/b']],
  [['a/bb'], ['a/b'], []],
  [['a/link'], ['a'], []],
  [['a/link'], ['a', 'd'], ['d']],
  [
    ['d/e e', 'a/b', 'a'],
    ['a', 'd'],
    ['d/e e', 'a'],
  ],
  [['file', 'missing'], ['a'], []],
])('%j of the client within %j of the start is %j', async (roots, allowed, expected) => {
  expect(await narrowRoots(roots.map(uri), allowed.map(at))).toEqual(expected.map(at));
});

it('takes nothing but folders of this machine', async () => {
  const strange = ['https://example.org/', 'nonsense', `file://elsewhere${at('a')}`, 'file:///%00', ''];
  expect(await narrowRoots(strange, [at('a')])).toEqual([]);
});

it('never gives more than what both sides have', async () => {
  const some = fc.subarray(FOLDERS, { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(some, some, async (roots, allowed) => {
      const narrowed = await narrowRoots(roots.map(uri), allowed.map(at));
      for (const folder of narrowed) {
        expect(roots.some((root) => lies(folder, at(root)))).toBe(true);
        expect(allowed.some((one) => lies(folder, at(one)))).toBe(true);
      }
    }),
  );
});
