import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

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
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'integration', include: ['integration-tests/**/*.test.ts'], testTimeout: 120_000 },
      },
    ],
  },
});
