import { open } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { refusePseudoFile } from './pseudo-file.js';
import { readHead } from './read-text-window.js';

describe.runIf(process.platform === 'linux')('files that the kernel makes up', () => {
  it.each(['/proc/version', '/proc/self/status', '/sys/kernel/mm/transparent_hugepage/enabled'])(
    'are refused before they are read: %s',
    async (path) => {
      const file = await open(path).catch(() => undefined);
      if (file === undefined) return;
      const { size } = await file.stat();
      await expect(readHead(file, size, path)).rejects.toMatchObject({
        code: 'not_a_regular_file',
        message: expect.stringContaining(path),
      });
      await file.close();
    },
  );

  it('are told apart from an empty file', async () => {
    const workspace = await createTempWorkspace();
    await workspace.write({ empty: '' });
    const file = await open(workspace.path('empty'));
    await expect(refusePseudoFile(file, 'empty')).resolves.toBeUndefined();
    expect(await readHead(file, 0, 'empty')).toHaveLength(0);
    await file.close();
    await workspace.remove();
  });
});
