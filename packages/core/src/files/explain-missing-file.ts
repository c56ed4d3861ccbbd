import { basename, dirname, join } from 'node:path';
import { Failure } from '../util/failure.js';
import { nearestNames } from '../util/nearest-names.js';
import type { WorkspaceGate } from './workspace-gate.js';

export interface MissingFile {
  readonly gate: WorkspaceGate;
  /** Names of ignored files are not given away. */
  readonly isIgnored: (path: string) => boolean;
  /** The path that does not exist. */
  readonly path: string;
  /** What was looked for. Default: a file. */
  readonly wanted?: 'File' | 'Folder' | 'File or folder';
  /** Looks in the whole workspace for files of a name; without it only the file's own folder is looked at. */
  readonly findElsewhere?: (name: string) => Promise<readonly string[]>;
}

/** More files of the same name than this say nothing. */
const MAX_ELSEWHERE = 3;

/** The message for a file, or a folder, that is not there, with the names in its folder that come nearest (S74). */
export async function explainMissingFile(request: MissingFile): Promise<string> {
  const { gate, isIgnored, path, wanted = 'File' } = request;
  const folder = dirname(path);
  const entries = await listFolder(gate, folder);
  if (entries === 'refused') return `${wanted} not found: ${path}.`;
  if (entries === 'missing') {
    return `${wanted} not found: ${path}. The folder ${folder} does not exist either.${await elsewhere(request)}`;
  }
  const name = basename(path);
  const dangling = entries.some((entry) => entry.name === name && entry.isLink)
    ? danglingTarget(gate, path)
    : undefined;
  if (dangling !== undefined) {
    return `${wanted} not found: ${path} is a link to ${dangling}, and nothing is there.`;
  }
  const names = entries.map((entry) => entry.name).filter((entry) => entry !== name && !isIgnored(join(folder, entry)));
  const alike = names.filter((entry) => plainName(entry) === plainName(name));
  if (alike.length > 0) {
    const spelled = alike.slice(0, MAX_ELSEWHERE).map(spellOut).join(', ');
    return `${wanted} not found: ${path}. The name in ${folder} is spelled ${spelled}.`;
  }
  const found = await elsewhere(request);
  const nearest = nearestNames(plainName(name), names, { parts: true });
  if (nearest.length > 0)
    return `${wanted} not found: ${path}. The nearest names in ${folder}: ${nearest.map(asSeen).join(', ')}.${found}`;
  return `${wanted} not found: ${path}. No name in ${folder} is like it.${found}`;
}

interface Entry {
  readonly name: string;
  readonly isLink: boolean;
}

async function listFolder(gate: WorkspaceGate, folder: string): Promise<Entry[] | 'missing' | 'refused'> {
  try {
    return await gate.withFolder(folder, async (handle) =>
      (await handle.list()).map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink() })),
    );
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.code === 'file_not_found' ? 'missing' : 'refused';
  }
}

/** Where a link leads, when there is nothing. */
function danglingTarget(gate: WorkspaceGate, path: string): string | undefined {
  if (gate.check(path) !== null) return undefined;
  const resolved = gate.resolve(path);
  return resolved.kind === 'missing' ? resolved.path : undefined;
}

async function elsewhere({ path, isIgnored, findElsewhere }: MissingFile): Promise<string> {
  const name = basename(path).replace(/^@/, '');
  const found = ((await findElsewhere?.(name)) ?? []).filter((other) => other !== path && !isIgnored(other));
  if (found.length === 0 || found.length > MAX_ELSEWHERE) return '';
  return ` ${found.length === 1 ? 'A file of that name is' : 'Files of that name are'}: ${found.join(', ')}.`;
}

/**
 * A name without what models and people spell differently without seeing it: accents as one character or two, kinds
 * of quotes, dashes and spaces, spaces at its ends, and the @ that marks a path in a prompt.
 */
function plainName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/^@/, '')
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .trim();
}

/** What would not be seen in it is spelled out. */
function asSeen(name: string): string {
  return /^\s|\s$|(?! )[\p{C}\p{Z}]/u.test(name) ? spellOut(name) : name;
}

/** As JSON has it, every character that is not plain ASCII by its number: what looks the same is told apart. */
function spellOut(name: string): string {
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
