import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Unit tests with a process of their own: they watch all that a process does, start and end many programs, or set the clock. */
const ALONE = [
  'packages/core/src/{journal,lsp,process,testing}/**/*.test.ts',
  'packages/core/src/mcp/connect/{limit-requests,told-in-time}.test.ts',
  'packages/core/src/mcp/server/pace-progress.test.ts',
];

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
      { extends: true, test: { name: 'unit-alone', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...ALONE],
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
