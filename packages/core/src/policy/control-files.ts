import type { PathEffect } from '../effects/effect.js';
import { lazy } from '../util/lazy.js';
import { foldForAnyFileSystem } from './fold-name.js';
import { compileSegment, splitPath } from './path-pattern.js';

/** Rows: what the files do, then their patterns. A slash at the end: the folder and all below. A slash at the start: from the disk's root. */
const TABLE: readonly (readonly [reason: string, patterns: string])[] = [
  [
    "the agent's own settings, hooks and extensions",
    '.tenon/ .qwen/ .claude/ .claude.json .gemini/ .codex/ .cursor/ .windsurf/ .continue/ .cline/ .clinerules/ .roo/ .opencode/' +
      ' opencode.json opencode.jsonc crush.json .crush.json .crush/ .aider.conf.yml .agents/ .kiro/ .amazonq/ .junie/ .augment/' +
      ' /etc/tenon/ /private/etc/tenon/ /Library/Application?Support/Tenon/ ProgramData/Tenon/',
  ],
  ['programs that the agent starts as MCP servers', '.mcp.json mcp.json mcp_config.json claude_desktop_config.json'],
  [
    'what the agent may not touch',
    '.qwenignore .geminiignore .cursorignore .codeiumignore .aiderignore .aiexclude .rooignore .clineignore',
  ],
  [
    'commands that git runs',
    '.git/hooks/ .git/modules/*/hooks/ *.git/hooks/ .githooks/ .husky/ .lefthook/ .lefthook-local/ .overcommit.yml',
  ],
  [
    'commands that git hooks run',
    '.pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml' +
      ' *lefthook*.yml *lefthook*.yaml *lefthook*.toml *lefthook*.json *lefthook*.jsonc',
  ],
  [
    "git's configuration, which names programs that git runs",
    '.git/config .git/modules/*/config *.git/config .gitconfig .gitmodules .config/git/',
  ],
  ["git's own data", '.git/'],
  [
    'a file that makes git take the folder for a repository, with hooks and configuration of its own',
    'HEAD commondir gitdir',
  ],
  ["another version control system's configuration, which names programs", '.hg/ .hgrc .svn/ .jj/ .sl/'],
  [
    'editor settings, tasks and launch entries that run programs',
    '.vscode/ .vscode-server/ .idea/ .fleet/ .zed/ *.code-workspace *.sublime-project',
  ],
  [
    'commands that an editor runs when it opens the folder',
    '.exrc .nvimrc .nvim.lua .lvimrc .vimrc .vim/ .config/nvim/ .emacs .emacs.d/ .dir-locals.el',
  ],
  ['commands that run when a development container starts', '.devcontainer/ .devcontainer.json .gitpod.yml'],
  [
    'commands that a shell runs when it starts',
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc' +
      ' .cshrc .tcshrc .login .logout .inputrc .config/fish/ .config/powershell/ *_profile.ps1 profile.ps1 .xprofile .xinitrc .xsessionrc' +
      ' .pam_environment .config/environment.d/',
  ],
  [
    'commands or variables that are loaded on entering the folder',
    '.envrc .direnvrc .config/direnv/ .mise.toml mise.toml .mise/ .config/mise/',
  ],
  [
    "a package manager's settings, which name sources, credentials and programs",
    '.npmrc .yarnrc .yarnrc.yml .yarnrc.yaml .yarn/ .pnpmfile.cjs .pnpmfile.mjs .pnpmfile.js bunfig.toml .bunfig.toml pip.conf pip.ini .pypirc' +
      ' .cargo/config .cargo/config.toml .cargo/credentials .cargo/credentials.toml .gemrc .bundle/ .condarc .m2/ .mvn/ .gradle/init.gradle .gradle/init.d/ nuget.config',
  ],
  [
    'keys and credentials',
    '.ssh/ .gnupg/ .aws/ .azure/ .kube/ .docker/config.json .config/gcloud/ .netrc _netrc .git-credentials .password-store/',
  ],
  [
    'programs that start with the system or on a schedule',
    'Library/LaunchAgents/ Library/LaunchDaemons/ .config/autostart/ .config/systemd/ /etc/ /private/etc/ /var/spool/cron/ /proc/ /sys/ /boot/' +
      ' Windows/System32/ Programs/Startup/',
  ],
  [
    'a disk or the memory of the machine itself',
    '/dev/sd* /dev/hd* /dev/vd* /dev/xvd* /dev/nvme* /dev/mmcblk* /dev/dm-* /dev/md* /dev/loop* /dev/nbd* /dev/zram* /dev/disk* /dev/rdisk*' +
      ' /dev/disk/ /dev/mapper/ /dev/block/ /dev/mem /dev/kmem /dev/port',
  ],
];

interface Row {
  readonly reason: string;
  readonly pattern: string;
  /** True for each name it accepts, from the first to the last. */
  readonly names: readonly ((name: string) => boolean)[];
  readonly fromRoot: boolean;
  readonly folder: boolean;
}

const rows = lazy((): readonly Row[] =>
  TABLE.flatMap(([reason, patterns]) => patterns.split(' ').map((pattern) => toRow(reason, pattern))),
);

function toRow(reason: string, pattern: string): Row {
  const names = splitPath(pattern).map((name) => {
    const step = compileSegment(foldForAnyFileSystem(name));
    return step === '**' ? () => true : step;
  });
  return { reason, pattern, names, fromRoot: pattern.startsWith('/'), folder: pattern.endsWith('/') };
}

/**
 * What makes writing or deleting this path a question of its own in every mode: it changes what the agent may
 * do, or what other programs run (design section 4). The file need not exist. Undefined for any other path.
 * `folders`: canonical paths of folders that hold nothing but such files.
 */
export function controlFileReason(effect: PathEffect, folders: readonly string[] = []): string | undefined {
  if (effect.kind === 'read') return undefined;
  // The project's own temp folder lies in the agent's folder.
  const own = effect.zone === 'temp' ? [] : folders.map((folder) => splitPath(folder).map(foldForAnyFileSystem));
  for (const path of new Set([effect.path, effect.requested])) {
    const names = splitPath(path).map(foldForAnyFileSystem);
    const isOwn = (folder: readonly string[]): boolean => isWithin(names, folder) || isWithin(folder, names);
    if (own.some(isOwn)) return `${path} is a control file: the agent's own settings, rules and logs`;
    const row = rows().find((each) => meets(each, names) && !(effect.zone === 'temp' && each.pattern === '.tenon/'));
    if (row !== undefined) return `${path} is a control file (${row.pattern}): ${row.reason}`;
  }
  return undefined;
}

function meets(row: Row, names: readonly string[]): boolean {
  const last = row.fromRoot ? 0 : names.length - row.names.length;
  for (let start = 0; start <= last; start += 1) {
    const end = start + row.names.length;
    if (
      (row.folder || end === names.length) &&
      end <= names.length &&
      row.names.every((test, index) => test(names[start + index] ?? ''))
    ) {
      return true;
    }
  }
  return false;
}

/** Deleting a whole tree that holds a root, the home folder, or one of them: asked in every mode. */
export function wholesaleDeleteReason(
  effect: PathEffect,
  places: { roots: readonly string[]; home: string },
): string | undefined {
  if (effect.kind !== 'delete') return undefined;
  for (const path of new Set([effect.path, effect.requested])) {
    const names = splitPath(path).map(foldForAnyFileSystem);
    const kept = [...places.roots, places.home].find((folder) =>
      isWithin(splitPath(folder).map(foldForAnyFileSystem), names),
    );
    if (kept !== undefined && effect.atWorstOf !== undefined)
      return `which files \`${effect.atWorstOf}\` names cannot be told, and may be all in ${path}: deleting them cannot be taken back`;
    if (kept !== undefined) return `${path} holds ${kept}: everything in it would be lost`;
  }
  return undefined;
}

function isWithin(names: readonly string[], folder: readonly string[]): boolean {
  return folder.length <= names.length && folder.every((name, index) => name === names[index]);
}
