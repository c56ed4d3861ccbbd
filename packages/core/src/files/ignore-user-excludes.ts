import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The file of a person's own excludes: `core.excludesFile` of their git configuration, else git's default. Included
 * configuration files are not read. Undefined when it is turned off.
 */
export function userExcludesFile(home: string, xdgConfigHome?: string): string | undefined {
  const folder = xdgConfigHome === undefined || xdgConfigHome === '' ? join(home, '.config') : xdgConfigHome;
  let file: string | undefined;
  for (const config of [join(folder, 'git', 'config'), join(home, '.gitconfig')]) file = excludesIn(config) ?? file;
  if (file === undefined) return join(folder, 'git', 'ignore');
  if (file === '') return undefined;
  return resolve(home, file.replace(/^~\//, ''));
}

/** The last value of `core.excludesFile`; undefined when the file does not speak of it. */
function excludesIn(config: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(config, 'utf8');
  } catch {
    return undefined;
  }
  let value: string | undefined;
  let isCore = false;
  for (const line of text.split('\n')) {
    const [, section, rest = line] = /^\s*\[\s*([^\]]*?)\s*\](.*)$/s.exec(line) ?? [];
    if (section !== undefined) isCore = section.toLowerCase() === 'core';
    const [, found] = /^\s*excludesfile\s*=(.*)$/is.exec(rest) ?? [];
    if (isCore && found !== undefined) value = plainValue(found);
  }
  return value;
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
