import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, ForksPoolWorker, type PoolOptions, type PoolTask, type TestSpecification } from 'vitest/node';

/** Unit tests in these folders of the core, and of these names, have a process of their own. */
const ALONE = {
  // They watch all that a process does, or start and end many programs.
  folders: ['journal', 'lsp', 'process', 'testing'],
  names: [
    // They set the clock, or act as another user.
    'limit-requests',
    'pace-progress',
    'told-in-time',
    'closed-places',
    // They start hundreds of programs, which is done soonest by a process that holds little; see `SlimForks`.
    'bash-oracle',
    'create-hybrid-engine',
    'create-ripgrep-engine',
    'file-types',
    'git-config',
    'grep-odd-files',
    'grep-patterns',
    'ignore-rules',
    'ignore-settings',
    'long-lines',
    'lsp',
    'pages-of-matches',
    'ripgrep-dialects',
    'ripgrep-matcher',
    'ripgrep-spans',
    'ripgrep-texts',
    'search-place-real',
  ],
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

/** What a process may hold when it takes on the next file. In MiB. */
const MOST_HELD = 600;

/**
 * Processes that many files share, until they hold much: to start a program takes the longer, the more memory whoever starts it
 * has (16 ms with 150 MiB, 110 ms with 850), and tests start many.
 */
class SlimForks extends ForksPoolWorker {
  override readonly name = 'slim-forks';
  #judged: PoolTask | undefined;
  #isSlim = true;

  /** Asked twice for each file: when the one before is done, and when this one begins. */
  canReuse(next: PoolTask): boolean {
    if (next !== this.#judged) [this.#judged, this.#isSlim] = [next, heldBy(this['fork'].pid) < MOST_HELD];
    return this.#isSlim;
  }
}

/** The memory of a process, in MiB; 0 where nobody tells. */
function heldBy(pid: number | undefined): number {
  try {
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

const slimForks = { name: 'slim-forks', createPoolWorker: (options: PoolOptions) => new SlimForks(options) };

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
    // Most tests wait for other programs: two workers more than processors, so that none of these waits with them.
    maxWorkers: availableParallelism() + 2,
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
          // A few processes for some six hundred files: most take less time than a process of their own and its imports would.
          isolate: false,
          pool: slimForks,
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
          pool: slimForks,
        },
      },
    ],
  },
});
