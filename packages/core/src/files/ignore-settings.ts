import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { pathMatcher } from '../util/match-path.js';
import { parseGlob } from '../util/match-segment.js';
import { realPath } from '../util/real-path.js';
import { GitConfigFiles } from './git-config-files.js';
import type { GitSetting } from './git-config.js';
import type { Repository } from './ignore-repository.js';
import { pathSteps } from './ignore-steps.js';

/** Whose configuration of git counts, and that of their machine. */
export class GitUser {
  readonly home: string;
  readonly environment: Environment;
  readonly files = new GitConfigFiles();

  /** `home`: absolute. */
  constructor(home: string, environment: Environment) {
    this.home = home;
    this.environment = environment;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What git's configuration says of ignore rules. */
export interface IgnoreSettings {
  /** The file of the own excludes, absolute; undefined for none. */
  readonly excludesFile: string | undefined;
  readonly ignoreCase: boolean;
}

/** Files that include one another are read no deeper, as in git. */
const MAX_DEPTH = 10;
/** A stranger's repository may name whatever it likes: so much is read for one answer, and each file counts as no less than `LEAST_BYTES`. */
const MOST_BYTES = 1024 * 1024;
const LEAST_BYTES = 8 * 1024;
const SYSTEM = '/etc/gitconfig';
const OWN_CONFIG = 'extensions.worktreeconfig';

interface Reading {
  readonly home: string | undefined;
  readonly repository: Repository | undefined;
  readonly files: GitConfigFiles;
  /** The last of each setting without a subsection. */
  readonly values: Map<string, string>;
  bytesLeft: number;
}

/**
 * What git would go by in that repository (git-config(1), FILES): the machine's configuration, the person's, the repository's, that of
 * its work tree, and that of the environment, each with what it includes. Not followed: `hasconfig` conditions, for which all files would have
 * to be read twice, `~name/`, and `GIT_CONFIG_PARAMETERS`, by which git talks to itself.
 */
export function ignoreSettings(user: GitUser | undefined, repository: Repository | undefined): IgnoreSettings {
  const { home, environment = {}, files = new GitConfigFiles() } = user ?? {};
  const values = new Map<string, string>();
  const reading: Reading = { home, repository, files, values, bytesLeft: MOST_BYTES };
  const { XDG_CONFIG_HOME: xdg = '', GIT_CONFIG_GLOBAL: only, GIT_CONFIG_SYSTEM: system = SYSTEM } = environment;
  const ownFolder = home === undefined ? undefined : join(xdg === '' ? join(home, '.config') : xdg, 'git');
  if (home !== undefined && ownFolder !== undefined) {
    if (!isOn(environment['GIT_CONFIG_NOSYSTEM'])) follow(system, reading);
    const own = only === undefined ? [join(ownFolder, 'config'), join(home, '.gitconfig')] : [only];
    for (const file of own) follow(file, reading);
  }
  if (repository !== undefined) {
    // Only the repository itself can turn on that it has one more file.
    values.delete(OWN_CONFIG);
    follow(join(repository.commonFolder, 'config'), reading);
    if (isOn(values.get(OWN_CONFIG))) follow(join(repository.gitFolder, 'config.worktree'), reading);
  }
  take(settingsOf(environment), reading);
  const file = values.get('core.excludesfile') ?? (ownFolder && join(ownFolder, 'ignore'));
  return {
    // Git takes a relative path from the top of the work tree.
    excludesFile: file === undefined || file === '' ? undefined : absolute(file, repository?.workTree, home),
    ignoreCase: isOn(values.get('core.ignorecase')),
  };
}

function follow(file: string, reading: Reading, depth = 0): void {
  const found = reading.files.read(file, reading.bytesLeft);
  if (found === undefined) return;
  reading.bytesLeft -= Math.max(found.bytes, LEAST_BYTES);
  take(found.settings, reading, { file, depth });
}

function take(settings: readonly GitSetting[], reading: Reading, from?: { file: string; depth: number }): void {
  for (const { section, subsection, key, value = 'true' } of settings) {
    const isInclude = key === 'path' && section === (subsection === undefined ? 'include' : 'includeif');
    if (!isInclude) {
      if (subsection === undefined) reading.values.set(`${section}.${key}`, value);
    } else if (subsection === undefined || holds(subsection, reading, from?.file)) {
      const { file = '', depth = 0 } = from ?? {};
      const path = absolute(value, from && dirname(file), reading.home);
      if (path !== undefined && depth < MAX_DEPTH) follow(path, reading, depth + 1);
    }
  }
}

/** The condition of an `includeIf` in a file (git-config(1), Conditional includes). */
function holds(condition: string, { home, repository }: Reading, file: string | undefined): boolean {
  const [, kind, pattern = ''] = /^(gitdir|gitdir\/i|onbranch):(.*)$/s.exec(condition) ?? [];
  if (kind === undefined || repository === undefined) return false;
  const { gitFolder } = repository;
  if (kind === 'onbranch') return matches(pattern, branchIn(gitFolder));
  let glob = pattern;
  if (glob.startsWith('./') && file !== undefined)
    glob = dirname(slashedPath(file)).replaceAll(/[\\*?[]/g, '\\$&') + glob.slice(1);
  else if (glob.startsWith('~/') && home !== undefined) glob = slashedPath(home) + glob.slice(1);
  else if (!isAbsolute(glob)) glob = `**/${glob}`;
  return [slashedPath(gitFolder), gitFolder].some((path) => matches(glob, path, kind === 'gitdir/i'));
}

/** Where it really is, as git writes it. */
function slashedPath(path: string): string {
  return realPath(path).replaceAll(sep, '/');
}

/** What ends with a slash is all that lies in there. */
function matches(pattern: string, path: string | undefined, ignoreCase = false): boolean {
  const segments = parseGlob(pattern.endsWith('/') ? `${pattern}**` : pattern, {
    ignoreCase: ignoreCase && 'ascii',
    malformed: 'nothing',
  });
  return path !== undefined && segments !== undefined && pathMatcher(pathSteps(segments))(path.split('/'));
}

function branchIn(gitFolder: string): string | undefined {
  try {
    const file = join(gitFolder, 'HEAD');
    const head = statSync(file).size <= LEAST_BYTES ? readFileSync(file, 'utf8') : '';
    return /^ref:\s*refs\/heads\/(\S+)/.exec(head)?.[1];
  } catch {
    return undefined;
  }
}

/** Undefined where a relative path starts nowhere. */
function absolute(path: string, folder: string | undefined, home: string | undefined): string | undefined {
  if (home !== undefined && /^~(?:\/|$)/.test(path)) return join(home, path.slice(1));
  return isAbsolute(path) ? path : folder && resolve(folder, path);
}

function settingsOf(environment: Environment): GitSetting[] {
  const settings: GitSetting[] = [];
  const count = Number(environment['GIT_CONFIG_COUNT'] ?? 0);
  for (let index = 0; index < count; index++) {
    const value = environment[`GIT_CONFIG_VALUE_${index}`];
    const name = /^([^.]+)\.(?:(.*)\.)?([^.]+)$/s.exec(environment[`GIT_CONFIG_KEY_${index}`] ?? '');
    // Git refuses all of it.
    if (name === null || value === undefined) break;
    const [, section = '', subsection, key = ''] = name;
    const names = { section: section.toLowerCase(), key: key.toLowerCase() };
    settings.push(subsection === undefined ? { ...names, value } : { ...names, subsection, value });
  }
  return settings;
}

function isOn(value = ''): boolean {
  return /^(?:true|yes|on|[+-]?0*[1-9]\d*[kmg]?)$/i.test(value);
}
