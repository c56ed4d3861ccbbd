import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Unit tests in these folders of the core, and of these names, have a process of their own. */
const ALONE = {
  // They watch all that a process does, or start and end many programs.
  folders: ['journal', 'lsp', 'process', 'testing'],
  // They set the clock, or act as another user.
  names: ['limit-requests', 'pace-progress', 'told-in-time', 'closed-places'],
};
const OTHER_FOLDERS = `packages/core/src/!(${ALONE.folders.join('|')})`;

const core = (file: string): string => fileURLToPath(new URL(`./packages/core/src/${file}`, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests run on the sources; the built command line is tested as a process.
    alias: [
      { find: /^@tenon\/core\/testing$/, replacement: core('testing/index.ts') },
      { find: /^@tenon\/core$/, replacement: core('index.ts') },
    ],
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most tests wait for other programs: a worker more than processors, so that none of these waits with them.
    maxWorkers: availableParallelism() + 1,
    setupFiles: [fileURLToPath(new URL('./integration-tests/property-seed.ts', import.meta.url))],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit-alone',
          include: [
            `packages/core/src/{${ALONE.folders.join(',')}}/**/*.test.ts`,
            `${OTHER_FOLDERS}/**/{${ALONE.names.join(',')}}.test.ts`,
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          // Without a list of exceptions: one of a project's own would make it deaf to `--exclude`.
          include: [
            'packages/cli/src/**/*.test.ts',
            'examples/**/*.test.ts',
            'packages/core/src/*.test.ts',
            `${OTHER_FOLDERS}/**/!(${ALONE.names.join('|')}).test.ts`,
          ],
          // Three processes for some six hundred files: most take less time than a process of their own and its imports would.
          isolate: false,
          // A process goes on to the next file where that may share it as well, so these come after all others.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'integration', include: ['integration-tests/**/*.test.ts'], testTimeout: 120_000 },
      },
    ],
  },
});
