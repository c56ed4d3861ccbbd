import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryAt } from './ignore-repository.js';
import { GitUser, ignoreSettings, type IgnoreSettings } from './ignore-settings.js';

type Environment = Readonly<Record<string, string>>;

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-settings-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

/** The machine's configuration is a file of the temporary home. */
const envOf = (extra: Environment): Environment => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  GIT_CONFIG_SYSTEM: join(home, 'system'),
  ...extra,
});

function git(folder: string, args: readonly string[], extra: Environment = {}): string {
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  return execFileSync('git', args, { cwd: folder, env: envOf(extra), encoding: 'utf8', stdio: [...stdio] });
}

/** Undefined when git refuses the configuration. */
function gitSays(folder: string, extra: Environment = {}): IgnoreSettings | undefined {
  const ask = (type: string, name: string): string | undefined => {
    try {
      return git(folder, ['config', `--type=${type}`, name], extra).replace(/\n$/, '');
    } catch (thrown) {
      if (thrown instanceof Error && 'status' in thrown && thrown.status === 1) return undefined;
      throw thrown;
    }
  };
  try {
    const file = ask('path', 'core.excludesFile') ?? join(home, '.config/git/ignore');
    return {
      excludesFile: file === '' ? undefined : resolve(folder, file),
      ignoreCase: ask('bool', 'core.ignoreCase') === 'true',
    };
  } catch {
    return undefined;
  }
}

function weSay(folder: string | undefined, extra: Environment = {}): IgnoreSettings {
  return ignoreSettings(new GitUser(home, envOf(extra)), folder === undefined ? undefined : repositoryAt(folder));
}

const BASE = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';

/** A repository, a linked work tree of it, and one whose git folder lies elsewhere as that of a submodule does. */
function makeRepositories(): readonly string[] {
  const main = join(home, 'Work/main');
  mkdirSync(main, { recursive: true });
  git(main, ['init', '-q', '-b', 'feature/x']);
  git(main, ['-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-q', '--allow-empty', '-m', 'x']);
  git(main, ['worktree', 'add', '-q', '-b', 'other', join(home, 'linked')]);
  const apart = join(home, 'Work/main/sub');
  const folder = join(main, '.git/modules/sub');
  mkdirSync(dirname(folder));
  git(main, ['init', '-q', '-b', 'deep/er', '--separate-git-dir', folder, apart]);
  return [main, join(home, 'linked'), apart];
}

describe('ignoreSettings', () => {
  it.each([
    '[core]\n\texcludesFile = ~/.gitignore_global\n',
    '[user]\nname = x\n[CORE]\nEXCLUDESFILE=/etc/my ignore ; comment\n[core "sub"]\nexcludesFile = /no\n',
    '[core] excludesfile = "/a # b"  # c\n',
    '[core]\nexcludesFile = "/a b "  \n',
    '[core]\nexcludesFile = /first\nexcludesFile = /seco\\\\nd   \n',
    '[core]\nexcludesFile = /yes\\\\\n# excludesFile = /no \\\nignoreCase = true\n',
    '[core]\nexcludesFile = /a\\\n/b\n',
    '[core]\nexcludesFile = /no\n[include]\npath = more/included\n',
    '[include] path = "~/more/included"\n[core]\nexcludesFile = /last\n',
    '[include]\npath = nowhere\n[core]\nexcludesFile = /yes\n',
    '[core]\nexcludesFile = rules\n',
    '[core]\nignoreCase\n',
    'excludesFile = /no\nignoreCase\n[core]\nexcludesFile = /yes\n',
    '[core]\nignoreCase = 1\n',
    '[core]\nignoreCase = -2k\n',
    '[core]\nignoreCase = 0\n',
    '[core]\nignoreCase = true\n[core]\nignoreCase = ""\n',
  ])('says of %j what git says, of the person and of a repository', (config) => {
    const [main = ''] = makeRepositories();
    put('more/included', '[core]\nexcludesFile = ~/of-included\n[include]\npath = deeper\n');
    put('more/deeper', '[core]\n  excludesFile = /deeper\n');
    put('.gitconfig', config);
    expect(weSay(main)).toEqual(gitSays(main));
    put('Work/main/.git/more/included', '[core]\nexcludesFile = ~/of-included\n');
    put('.gitconfig', '[core]\nexcludesFile = /of-the-person\n');
    put('Work/main/.git/config', BASE + config);
    expect(weSay(main)).toEqual(gitSays(main));
  });

  it('is the default file where no configuration says anything', () => {
    put('.gitconfig', '[user]\nexcludesFile = /no\n');
    expect(weSay(undefined)).toEqual({ excludesFile: join(home, '.config/git/ignore'), ignoreCase: false });
    expect(weSay(undefined, { XDG_CONFIG_HOME: '/xdg' }).excludesFile).toBe('/xdg/git/ignore');
    expect(ignoreSettings(undefined, undefined)).toEqual({ excludesFile: undefined, ignoreCase: false });
  });

  it('reads what a repository names no longer than a moment, whatever it is', () => {
    const [main = ''] = makeRepositories();
    const again = '[include]\npath = config\n'.repeat(2000);
    execFileSync('mkfifo', [join(home, 'fifo')]);
    put('Work/main/.git/config', `${BASE}excludesFile = /yes\n[include]\npath = /dev/zero\npath = ~/fifo\n${again}`);
    const started = performance.now();
    expect(weSay(main).excludesFile).toBe('/yes');
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

const CONDITIONS = [
  'gitdir:~/Work/',
  'gitdir:~/work/',
  'gitdir/i:~/work/',
  'gitdir:~/Work/main/.git',
  'gitdir:Work/*/.git',
  'gitdir:main/',
  'gitdir:./Work/',
  'gitdir:./work/**',
  'gitdir/i:./work/',
  'gitdir:~/W[nop]rk/**/sub',
  'gitdir/i:~/[V-X]ork/*/.GIT',
  'gitdir:linked',
  'gitdir:**/worktrees/linked',
  'gitdir:~/link/',
  'gitdir:',
  'onbranch:feature/',
  'onbranch:feature/*',
  'onbranch:Feature/*',
  'onbranch:other',
  'onbranch:**/er',
  'onbranch:*',
  'unknown:x',
];
const setting = fc.constantFrom(
  ...['/absolute', '~/own', 'relative/rules', '""', '~'].map((file) => `[core]\nexcludesFile = ${file}\n`),
  ...['true', 'false', 'YES', '0', 'on'].map((value) => `[core]\nignoreCase = ${value}\n`),
  '[user]\nname = x\n',
);
const include = fc.constantFrom(
  '[include]\npath = ~/included\n',
  '[include]\npath = included\n',
  ...CONDITIONS.map((condition) => `[includeIf "${condition}"]\npath = ~/included\n`),
);
const some = (piece: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''));
const config = some(fc.oneof(setting, include));
const configs = fc.record({
  system: config,
  '.config/git/config': config,
  'dots/gitconfig': config,
  other: config,
  included: some(setting),
  'Work/main/.git/config': fc
    .tuple(config, fc.constantFrom('', '[extensions]\nworktreeConfig = true\n'))
    .map(([text, more]) => BASE + text + more),
  'Work/main/.git/config.worktree': config,
  'Work/main/.git/worktrees/linked/config.worktree': config,
  'Work/main/.git/modules/sub/config': config.map((text) => BASE + text),
});
const environment = fc.constantFrom<(folder: string) => Environment>(
  () => ({}),
  () => ({}),
  () => ({ GIT_CONFIG_NOSYSTEM: 'yes' }),
  (folder) => ({ GIT_CONFIG_GLOBAL: join(folder, 'other') }),
  () => ({ GIT_CONFIG_GLOBAL: '' }),
  () => ({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'Core.ignoreCase', GIT_CONFIG_VALUE_0: 'true' }),
  (folder) => ({
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'includeIf.onbranch:feature/.path',
    GIT_CONFIG_VALUE_0: join(folder, 'included'),
    GIT_CONFIG_KEY_1: 'core.excludesfile',
    GIT_CONFIG_VALUE_1: '~/of-environment',
  }),
);

describe('the settings of a repository', () => {
  it('are those of git, on generated configurations of machine, person, repository and environment', () => {
    const repositories = makeRepositories();
    symlinkSync(join(home, 'Work'), join(home, 'link'));
    symlinkSync('dots/gitconfig', join(home, '.gitconfig'));
    let compared = 0;
    fc.assert(
      fc.property(configs, environment, fc.constantFrom(...repositories), (files, extraOf, folder) => {
        for (const [path, text] of Object.entries(files)) put(path, text);
        put('Work/main/.git/included', files.included);
        put('.config/git/included', files.included);
        put('dots/included', '[core]\nexcludesFile = /beside-the-link\n');
        const extra = extraOf(home);
        const said = gitSays(folder, extra);
        if (said === undefined) return;
        compared += 1;
        expect(weSay(folder, extra)).toEqual(said);
      }),
      { numRuns: 80 },
    );
    expect(compared).toBeGreaterThan(40);
  }, 60_000);
});
