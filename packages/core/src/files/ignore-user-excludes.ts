import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Files that include one another are read no deeper, as in git. */
const MAX_DEPTH = 10;

/** What of a person's environment says where git's configuration is. */
export interface GitEnvironment {
  readonly [name: string]: string | undefined;
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly GIT_CONFIG_GLOBAL?: string | undefined;
}

/**
 * The file of a person's own excludes: `core.excludesFile` of their git configuration and of what it includes (not under a condition),
 * else git's default. Undefined when it is turned off.
 */
export function userExcludesFile(home: string, environment: GitEnvironment = {}): string | undefined {
  const { XDG_CONFIG_HOME: xdg = '', GIT_CONFIG_GLOBAL: only } = environment;
  const folder = xdg === '' ? join(home, '.config') : xdg;
  const configs = only === undefined ? [join(folder, 'git', 'config'), join(home, '.gitconfig')] : [only];
  let file: string | undefined;
  for (const config of configs) file = excludesIn(config, home) ?? file;
  if (file === undefined) return join(folder, 'git', 'ignore');
  return file === '' ? undefined : pathFrom(home, file, home);
}

/** The last value of `core.excludesFile`; undefined when the file does not speak of it. */
function excludesIn(config: string, home: string, depth = 0): string | undefined {
  let text: string;
  try {
    text = readFileSync(config, 'utf8');
  } catch {
    return undefined;
  }
  let value: string | undefined;
  let section = '';
  // A backslash at the end of a line joins it with the next.
  for (const line of text.replace(/\\\r?\n/g, '').split('\n')) {
    const [, begun, behind = line] = /^\s*\[\s*([^\]]*?)\s*\](.*)$/s.exec(line) ?? [];
    if (begun !== undefined) section = begun.toLowerCase();
    const [, name = '', found = ''] = /^\s*([\w-]+)\s*=(.*)$/s.exec(behind) ?? [];
    const key = `${section}.${name.toLowerCase()}`;
    if (key === 'core.excludesfile') value = plainValue(found);
    else if (key === 'include.path' && depth < MAX_DEPTH)
      value = excludesIn(pathFrom(dirname(config), plainValue(found), home), home, depth + 1) ?? value;
  }
  return value;
}

function pathFrom(folder: string, path: string, home: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(folder, path);
}

/** Without comment, quotes and escapes (git-config(1), Syntax). */
function plainValue(text: string): string {
  let value = '';
  let kept = 0;
  let isQuoted = false;
  const source = text.trim();
  for (let index = 0; index < source.length; index++) {
    const character = source[index] ?? '';
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '#' || character === ';')) break;
    else if (character === '\\') value += source[++index] ?? '';
    else value += character;
    if (isQuoted || !/\s/.test(character)) kept = value.length;
  }
  return value.slice(0, kept);
}
