import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tenon-compiled-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(home: string): string {
  const { code } = transformSync(readFileSync(new URL('keep-compiled.ts', import.meta.url), 'utf8'), { loader: 'ts' });
  writeFileSync(path.join(folder, 'keep-compiled.mjs'), code);
  writeFileSync(path.join(folder, 'part.mjs'), `console.log('ran');\n${'// a part\n'.repeat(2000)}`);
  const entry = path.join(folder, 'entry.mjs');
  const steps = [`keepCompiled(${JSON.stringify(home)});`, `await import('./part.mjs');`, 'process.exit(0);'];
  writeFileSync(entry, [`import { keepCompiled } from './keep-compiled.mjs';`, ...steps].join('\n'));
  const { stdout, stderr } = spawnSync(process.execPath, [entry], { encoding: 'utf8' });
  return stdout + stderr;
}

test('what was compiled is kept in the own folder, where Node can do that', () => {
  const home = path.join(folder, 'home');
  mkdirSync(home);
  expect(run(home)).toBe('ran\n');
  expect(run(home)).toBe('ran\n');
  const isKept = existsSync(path.join(home, 'compiled')) && readdirSync(path.join(home, 'compiled')).length > 0;
  expect(isKept).toBe('enableCompileCache' in nodeModule);
});

test('nothing is made where there is no such folder', () => {
  const home = path.join(folder, 'none');
  expect(run(home)).toBe('ran\n');
  expect(existsSync(home)).toBe(false);
});
