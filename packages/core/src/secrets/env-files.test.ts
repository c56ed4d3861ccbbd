import { linkSync, mkdirSync, mkdtempSync, renameSync, symlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EnvFiles } from './env-files.js';
import { EnvFileSearch } from './env-file-search.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-env-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lines = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${name}_${index}=value-${index}\n`).join('');

it('are believed as far as real ones go, however much a stranger wrote into one', () => {
  const files = new EnvFiles([folder]);
  writeFileSync(join(folder, '.env'), lines('MINE', 10));
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(folder, `.env.${name}`), lines('OTHER', 20_000));
  const values = files.values();
  expect(values.length).toBe(5000);
  expect(values.filter(({ name }) => name.startsWith('MINE'))).toHaveLength(10);
});

it('do not grow with every change of a file, and what it holds now is always known', () => {
  const files = new EnvFiles([folder]);
  for (let round = 0; round < 40; round += 1) {
    writeFileSync(join(folder, '.env'), `${lines(`ROUND${round}`, 100)}# ${'x'.repeat(round)}\n`);
    expect(files.values()[0]?.name).toBe(`ROUND${round}_0`);
  }
  expect(files.values().length).toBe(2000);
});

it('are found further down, where a search reads them without naming them, but not in what others wrote', async () => {
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  put('packages/a/.env', 'A=value-of-a\n');
  put('apps/deep/er/.env.local', 'B=value-of-b\n');
  put('apps/.env.example', 'C=value-of-c\n');
  put('node_modules/x/.env', 'D=value-of-d\n');
  put('.env', 'E=value-of-e\n');
  symlinkSync(folder, join(folder, 'packages', 'loop'));
  const files = new EnvFiles([folder]);
  expect(files.values().map(({ name }) => name)).toEqual(['E']);
  await files.search();
  expect(files.values().map(({ name }) => name)).toEqual(['E', 'A', 'B']);
});

it('are looked for within limits', async () => {
  for (let one = 0; one < 60; one += 1)
    for (let two = 0; two < 60; two += 1) mkdirSync(join(folder, `f${one}`, `g${two}`), { recursive: true });
  writeFileSync(join(folder, 'f59', '.env'), 'A=value-of-a\n');
  const began = performance.now();
  expect(await new EnvFileSearch([folder]).find(10)).toEqual([join(folder, 'f59', '.env')]);
  expect(performance.now() - began).toBeLessThan(1500);
});

/** Where it is searched: folders within folders, some of them passed over. */
const FOLDERS = ['a', 'a/b', 'a/b/c', 'd', 'd/node_modules', 'd/e'];
const NAMES = ['.env', '.env.local', 'main.ts'];
const change = fc.oneof(
  fc.record({ kind: fc.constant('put'), folder: fc.constantFrom(...FOLDERS), name: fc.constantFrom(...NAMES) }),
  fc.record({ kind: fc.constant('remove'), folder: fc.constantFrom(...FOLDERS), name: fc.constantFrom(...NAMES) }),
  fc.record({ kind: fc.constant('rename'), folder: fc.constantFrom(...FOLDERS), name: fc.constantFrom('x', 'a', 'd') }),
  fc.record({ kind: fc.constant('link'), folder: fc.constantFrom(...FOLDERS), name: fc.constant('.env') }),
);

function make({ kind, folder: below, name }: { kind: string; folder: string; name: string }): void {
  const [place, path] = [join(folder, below), join(folder, below, name)];
  try {
    if (kind === 'put') {
      mkdirSync(place, { recursive: true });
      writeFileSync(path, 'A=value-of-a\n');
    } else if (kind === 'remove') rmSync(path, { force: true });
    else if (kind === 'link') symlinkSync('/dev/null', path);
    else renameSync(place, join(dirname(place), name));
  } catch {
    // It does not come to that: nothing is there, or something else is.
  }
}

it('are found as if nothing were known, whatever was changed since the last search', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { minLength: 2, maxLength: 4 }), async (rounds) => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      const search = new EnvFileSearch([folder]);
      for (const changes of rounds) {
        for (const one of changes) make(one);
        const found = await search.find(10);
        expect(found).toEqual(await new EnvFileSearch([folder]).find(10));
        // Old enough for their times to prove a later change.
        await sleep(130);
        expect(await search.find(10)).toEqual(found);
      }
    }),
    { numRuns: 12 },
  );
});

it('are found in a folder of very many files', async () => {
  mkdirSync(join(folder, 'many'));
  // Links cost a tenth of files.
  const first = join(folder, 'first');
  writeFileSync(first, '');
  for (let one = 0; one < 8_000; one += 1) {
    linkSync(first, join(folder, `a-file-with-a-long-name-${one}.json`));
    linkSync(first, join(folder, 'many', `a-file-with-a-long-name-${one}`));
  }
  writeFileSync(join(folder, 'many', '.env'), 'A=value-of-a\n');
  expect(await new EnvFileSearch([folder]).find(10)).toEqual([join(folder, 'many', '.env')]);
});
