import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Unit tests in these folders of the core, and of these names, have a process of their own. */
const ALONE = {
  // They watch all that a process does, or start and end many programs.
  folders: ['journal', 'lsp', 'process', 'testing'],
  // They set the clock, or act as another user.
  names: ['limit-requests', 'pace-progress', 'told-in-time', 'closed-places'],
};
const OTHER_FOLDERS = `packages/core/src/!(${ALONE.folders.join('|')})`;

const core = (file: string): string => fileURLToPath(new URL(`./packages/core/src/${file}`, import.meta.url));

/** They take long for their size, by which files are ordered where no earlier run has told how long each takes. */
const LONG: ReadonlySet<string> = new Set([
  'tool-pages',
  'journal-kill',
  'worktree-kill',
  'conformance-auth',
  'conformance-client',
  'million-entries',
  'architecture',
  'web',
  'bad-tools',
  'builtin-tools',
  'lying-tools',
]);

/** These first, so that none is left to the end, where all other processors would wait for it. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number =>
      2 * project.config.sequence.groupOrder + (LONG.has(path.basename(moduleId, '.test.ts')) ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

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
    sequence: { sequencer: LongFirst },
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
        test: {
          name: 'integration',
          include: ['integration-tests/**/*.test.ts'],
          testTimeout: 120_000,
          // What they try are programs of their own: the process that starts these may be one for all.
          isolate: false,
        },
      },
    ],
  },
});
