import { closeSync, openSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { inheritedDescriptors, withDescriptors } from './inherited-descriptors.js';

it.runIf(process.platform === 'linux')('a descriptor that Node opened is not passed on', () => {
  const descriptor = openSync('/', 'r');
  expect(inheritedDescriptors()).not.toContain(descriptor);
  closeSync(descriptor);
});

it('without anything to close or to open nothing comes before the program', () => {
  expect(withDescriptors(['/bin/a', 'b'], { closed: [], files: [] })).toEqual(['/bin/a', 'b']);
});

it.runIf(process.platform === 'linux')('files are opened in their order, others closed, words kept', async () => {
  const workspace = await createTempWorkspace({ own: 'rooted\n' });
  const argv = [
    '/bin/sh',
    '-c',
    'cat <&3 | head -c 4; [ -e /proc/self/fd/9 ] && echo open; echo "$1"',
    'sh',
    'a "b" $c',
  ] as const;
  const [program, ...args] = withDescriptors(argv, {
    closed: [9],
    files: [{ path: workspace.path('own'), mode: 'read' }],
  });
  const { stdout } = spawnSync('/bin/bash', ['-c', 'exec 9</; exec "$@"', 'sh', program, ...args]);
  expect(stdout.toString()).toBe('roota "b" $c\n');
  await workspace.remove();
});
