import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { homeNotice } from './home-notice.js';

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  mkdirSync(join(base, 'you', 'project'), { recursive: true });
  symlinkSync('you', join(base, 'linked'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

it.each([
  ['you', ['you'], 'is your home folder'],
  ['you', ['you/project', 'you'], 'is your home folder'],
  ['linked', ['you'], 'is your home folder'],
  ['you', ['.'], 'holds your home folder'],
])('warns for the home %s and the workspace %j', (home, roots, expected) => {
  const [notice] = homeNotice(
    roots.map((root) => join(base, root)),
    join(base, home),
  );
  expect(notice).toContain(expected);
});

it.each([
  ['you', ['you/project']],
  ['you/project', ['you/projects']],
])('says nothing for the home %s and the workspace %j', (home, roots) => {
  const notices = homeNotice(
    roots.map((root) => join(base, root)),
    join(base, home),
  );
  expect(notices).toEqual([]);
});
