import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { putAside } from './put-aside.js';

it('a control file is moved away whole, and nothing of it is lost', async () => {
  const workspace = await createTempWorkspace({ 'w/.hg/hgrc': 'x', 'aside/': '' });
  const place = await putAside(workspace.path('w/.hg'), workspace.path('aside'));
  expect(existsSync(workspace.path('w/.hg'))).toBe(false);
  expect(readFileSync(`${place}/hgrc`, 'utf8')).toBe('x');
  await workspace.remove();
});
