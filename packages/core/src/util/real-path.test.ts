import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { canonicalPath, realPath } from './real-path.js';

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
