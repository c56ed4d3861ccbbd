import { parseGitConfig, type GitSetting } from '../files/git-config.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/**
 * Settings of a repository that name no program, no other place and no other configuration: with nothing but these,
 * commands that look around do what they say. A list of what is known, since every version of git knows more
 * programs that it can start. Keys without a subsection, by section.
 */
const PLAIN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'core',
    words(
      `abbrev autocrlf bigfilethreshold checkstat commentchar commentstring commitgraph compression eol filemode filesreflocktimeout fscache
       fsync fsyncmethod hidedotfiles ignorecase ignorestat logallrefupdates longpaths loosecompression multipackindex packedgitlimit
       packedgitwindowsize precomposeunicode preloadindex protecthfs protectntfs quotepath repositoryformatversion
       safecrlf sharedrepository sparsecheckout sparsecheckoutcone symlinks trustctime untrackedcache whitespace`,
    ),
  ],
  ['user', words('name email signingkey useconfigonly')],
  ['author', words('name email')],
  ['committer', words('name email')],
  ['pull', words('rebase ff octopus twohead')],
  ['push', words('default autosetupremote followtags recursesubmodules gpgsign')],
  ['fetch', words('prune prunetags parallel writecommitgraph output showforcedupdates')],
  ['branch', words('autosetupmerge autosetuprebase sort')],
  ['checkout', words('defaultremote guess workers thresholdforparallelism')],
  ['commit', words('cleanup gpgsign status verbose')],
  ['tag', words('gpgsign sort forcesignannotated')],
  ['merge', words('ff conflictstyle renamelimit renames directoryrenames stat log autostash branchdesc')],
  ['rebase', words('autostash autosquash stat updaterefs missingcommitscheck')],
  ['rerere', words('enabled autoupdate')],
  [
    'diff',
    words(
      `algorithm colormoved colormovedws context dirstat indentheuristic interhunkcontext mnemonicprefix noprefix relative renamelimit
       renames statgraphwidth suppressblankempty wserrorhighlight`,
    ),
  ],
  ['log', words('abbrevcommit date decorate follow mailmap showroot')],
  ['status', words('aheadbehind branch relativepaths renamelimit renames short showstash showuntrackedfiles')],
  ['init', words('defaultbranch')],
  ['extensions', words('worktreeconfig relativeworktrees preciousobjects noop')],
  ['index', words('threads version recordendofindexentries recordoffsettable skiphash')],
  ['pack', words('threads window depth usesparse writereverseindex')],
  ['gc', words('auto autodetach autopacklimit logexpiry packrefs pruneexpire reflogexpire reflogexpireunreachable')],
  ['maintenance', words('auto strategy')],
  ['feature', words('manyfiles')],
  ['color', words('ui branch diff status interactive advice')],
  ['lfs', words('repositoryformatversion')],
]);

/** The same for keys under a name, such as `[remote "origin"]`. */
const NAMED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['remote', words('url pushurl fetch push prune prunetags tagopt mirror skipdefaultupdate skipfetchall gh-resolved')],
  ['branch', words('remote pushremote merge rebase description vscode-merge-base gh-merge-base')],
  ['submodule', words('url active branch ignore')],
  ['color', words('branch diff status interactive decorate')],
]);

/**
 * Settings whose programs, places or words read-only commands never use. Aliases replace no command of git, and the others are read only
 * when something is fetched, changed, signed or edited. By section; `*`: every key.
 */
const NOT_FOR_LOOKING: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['core', words('askpass editor gitproxy hookspath sshcommand')],
  ['commit', words('template')],
  ['sequence', words('editor')],
  ['remote', words('proxy proxyauthmethod receivepack uploadpack vcs')],
  ...'alias branch credential difftool gpg http lfs merge mergetool rebase sendemail submodule url'
    .split(' ')
    .map((section): [string, ReadonlySet<string>] => [section, words('*')]),
]);

/** Folders that count as control files: writing into them is asked about in every mode. */
const GUARDED_HOOKS = /^(?:\.git\/hooks|\.husky(?:\/_)?|\.githooks)\/?$/;

/** The remarkable settings, a line each, for users. */
export interface RemarkableSettings {
  /** All settings that are not plain. `core.hooksPath` may name a folder whose files the agent cannot write unasked. */
  readonly all: readonly string[];
  /** The subset that read-only commands may obey. */
  readonly forLooking: readonly string[];
}

/** Finds the settings that matter for trust. Hooks are checked separately. */
export function remarkableSettings(text: string): RemarkableSettings {
  const settings = parseGitConfig(text);
  const unread = ['a configuration that cannot be read with certainty'];
  if (settings === undefined) return { all: unread, forLooking: unread };
  const remarkable = settings.filter((setting) => !isPlain(setting));
  const lines = (some: readonly GitSetting[]): readonly string[] => [
    ...new Set(some.map((setting) => `${nameOf(setting)} = ${setting.value ?? ''}`)),
  ];
  return { all: lines(remarkable), forLooking: lines(remarkable.filter((setting) => !isForOthers(setting))) };
}

function isForOthers({ section, key, value }: GitSetting): boolean {
  // Such a path is not relative to the work tree, where the hook of read-only commands is searched.
  if (key === 'hookspath' && /^[~%]/.test(value ?? '~')) return false;
  const keys = NOT_FOR_LOOKING.get(section);
  return keys?.has('*') === true || keys?.has(key) === true;
}

/** The folder of the hooks, as the configuration names it. */
export function hooksPathOf(text: string): string | undefined {
  return parseGitConfig(text)?.findLast((setting) => nameOf(setting) === 'core.hookspath')?.value;
}

function isPlain(setting: GitSetting): boolean {
  const { section, subsection, key, value } = setting;
  if (subsection !== undefined) return NAMED.get(section)?.has(key) === true;
  if (section === 'core' && key === 'bare') return value?.toLowerCase() === 'false';
  if (section === 'core' && key === 'hookspath') return value !== undefined && GUARDED_HOOKS.test(value);
  if (section === 'core' && key === 'fsmonitor') return value?.toLowerCase() === 'false';
  return section === 'advice' || section === 'gui' || PLAIN.get(section)?.has(key) === true;
}

function nameOf({ section, subsection, key }: GitSetting): string {
  if (section === '') return key;
  return subsection === undefined ? `${section}.${key}` : `${section}.${subsection}.${key}`;
}
