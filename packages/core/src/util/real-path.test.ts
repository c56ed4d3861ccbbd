import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { canonicalPath, leadsThroughNoLink, realPath } from './real-path.js';

const workspace = await createTempWorkspace();
const { root } = workspace;
afterAll(() => workspace.remove());
mkdirSync(join(root, 'real'));
symlinkSync('real', join(root, 'link'));
symlinkSync('nowhere', join(root, 'broken'));

it('follows every link', () => {
  expect(canonicalPath(join(root, 'link'))).toBe(join(realpathSync(root), 'real'));
  expect(realPath(join(root, 'link'))).toBe(join(realpathSync(root), 'real'));
});

it('knows where what is missing would lie, and says when a path leads nowhere', () => {
  expect(realPath(join(root, 'link', 'a', 'b'))).toBe(join(realpathSync(root), 'real', 'a', 'b'));
  expect(canonicalPath(join(root, 'link', 'a'))).toBeUndefined();
  expect(canonicalPath(join(root, 'broken'))).toBeUndefined();
});

it('tells what is there, under its own name', () => {
  writeFileSync(join(root, 'real', 'ä\n.txt'), '');
  symlinkSync('ä\n.txt', join(root, 'real', 'other.txt'));
  const candidates = ['real', 'real/ä\n.txt', 'real/other.txt', 'link', 'link/ä\n.txt', 'real/gone', 'real/../real'];
  const fine = candidates.filter((path) => leadsThroughNoLink(`${realpathSync(root)}/${path}`));
  expect(fine).toEqual(['real', 'real/ä\n.txt']);
});
