import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newListingCounts, type ListingScope } from './list-folder.js';
import { ListingRules } from './listing-rules.js';
import { readTree } from './read-tree.js';
import { allEntries, showTree } from './show-tree.js';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-tree-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function scope(signal = new AbortController().signal): ListingScope {
  return {
    folder: { path: root, workingDirectory: root },
    rules: new ListingRules({ path: root, roots: [root], respectGitIgnore: true }),
    isUnwanted: undefined,
    refusalOf: () => undefined,
    signal,
    counts: newListingCounts(),
  };
}

function find(depth: number, ...test: string[]): string[] {
  const found = execFileSync('find', ['.', '-mindepth', '1', '-maxdepth', String(depth), ...test, '-print0'], {
    cwd: root,
  });
  return found
    .toString()
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => path.slice(2))
    .sort();
}

describe('readTree', () => {
  it('counts what find counts, and shows no more than asked for, on generated trees', async () => {
    const name = fc.constantFrom('a', 'b', 'c.ts', 'd.ts', 'é', '.e');
    const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 30 }),
        async (paths, depth, limit) => {
          for (const old of find(1)) rmSync(join(root, old), { recursive: true });
          for (const one of paths) {
            try {
              mkdirSync(join(root, dirname(one)), { recursive: true });
              writeFileSync(join(root, one), '');
            } catch {
              // A file is in the way of a folder, or the other way round.
            }
          }
          const tree = await readTree(scope(), { depth, limit });
          const [folders, files] = [find(depth, '-type', 'd'), find(depth, '-type', 'f')];
          expect([tree.folders, tree.files, tree.isExact]).toEqual([folders.length, files.length, true]);
          const shown = Array.from(allEntries(showTree(tree.root, limit)), (one) => one.path);
          // Fewer are shown where the lines would be too long: what is shown was entered all the same.
          for (const most of [limit, Math.ceil(limit / 2)])
            for (const { entry, path: at, inside } of allEntries(showTree(tree.root, most)))
              expect(inside !== undefined).toBe(entry.kind === 'directory' && at.split('/').length < depth);
          const all = [...folders, ...files];
          expect(shown.length).toBeLessThanOrEqual(limit);
          if (depth <= 2) expect(shown.length).toBeGreaterThan(Math.min(limit, all.length) - 4);
          expect(shown.every((one) => all.includes(one))).toBe(true);
          if (all.length <= limit) expect(shown.sort()).toEqual(all.sort());
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  it('follows no more than some thousand links', async () => {
    for (let index = 0; index < 5_010; index++) symlinkSync('nowhere', join(root, String(index)));
    const tree = await readTree(scope(), { depth: 1, limit: 6_000 });
    const notes = tree.root.listing?.firstFiles.map(({ note }) => note) ?? [];
    expect(notes.filter((note) => note === 'broken link').length).toBe(5_000);
    expect(notes.filter((note) => note === 'link, not followed').length).toBe(10);
  }, 60_000);

  it('says of each link that is shown where it leads, however many there are', async () => {
    const names = Array.from({ length: 400 }, (_, index) => String(999 - index));
    for (const name of names) symlinkSync(`to-${name}`, join(root, name));
    const tree = await readTree(scope(), { depth: 1, limit: 30 });
    const shown = tree.root.listing?.firstFiles.map(({ name, target }) => [name, target]);
    const first = names.toSorted().slice(0, 30);
    expect(shown).toEqual(first.map((name) => [name, `to-${name}`]));
  });

  it('stops when it is aborted', async () => {
    for (const name of ['a', 'b']) mkdirSync(join(root, name));
    await expect(readTree(scope(AbortSignal.abort(new Error('enough'))), { depth: 2, limit: 9 })).rejects.toThrow(
      'enough',
    );
  });
});
