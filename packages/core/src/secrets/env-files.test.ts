import { mkdirSync, mkdtempSync, symlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EnvFiles } from './env-files.js';
import { findEnvFiles } from './find-env-files.js';

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
  expect(await findEnvFiles([folder], 10)).toEqual([join(folder, 'f59', '.env')]);
  expect(performance.now() - began).toBeLessThan(1500);
});
