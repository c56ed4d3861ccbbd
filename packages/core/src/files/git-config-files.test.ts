import { mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GitConfigFiles } from './git-config-files.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-config-files-'));
  file = join(folder, 'config');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (value: string, path = file): void => writeFileSync(path, `[core]\nexcludesFile = ${value}\n`);
const MOST = 1024;

it('reads a file anew as soon as it may be another, and only then', async () => {
  const files = new GitConfigFiles();
  const value = (): string | undefined => files.read(file, MOST)?.settings[0]?.value;
  expect(value()).toBeUndefined();
  write('/one');
  expect(value()).toBe('/one');
  write('/two');
  expect(value()).toBe('/two');
  await sleep(2200);
  const known = files.read(file, MOST);
  expect(files.read(file, MOST)).toBe(known);
  const { atime, mtime } = statSync(file);
  write('/new');
  utimesSync(file, atime, mtime);
  expect(value()).toBe('/new');
  write('/old', join(folder, 'other'));
  renameSync(join(folder, 'other'), file);
  expect(value()).toBe('/old');
  rmSync(file);
  expect(value()).toBeUndefined();
});

it('takes what is too large, no file or no configuration for nothing', () => {
  const files = new GitConfigFiles();
  write('/yes');
  expect(files.read(file, 10)).toBeUndefined();
  expect(files.read(folder, MOST)).toBeUndefined();
  writeFileSync(file, '[core\nexcludesFile = /no\n');
  expect(files.read(file, MOST)?.settings).toEqual([]);
});
