import { constants, type Stats } from 'node:fs';
import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ParseError } from 'jsonc-parser';
import { digestOf } from '../trust/folder-trust.js';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import { parseSettingsText, plainValue, type SettingEntry, type SettingsProblem } from './parse-settings-text.js';

// Far above any settings file that a person wrote.
const MAX_BYTES = 1_000_000;
/** In such a folder everybody renames only what is theirs. */
const STICKY = 0o1000;

interface FileReading {
  readonly entries: readonly SettingEntry[];
  readonly problems: readonly SettingsProblem[];
  /** Hex SHA-256 of the very bytes that were read. */
  readonly digest: string;
}

/** Of the administrator's file. `owner`: whose file and folder it must be; undefined where the system does not tell. */
interface ManagedReading {
  readonly owner: number | undefined;
}

/**
 * Undefined when there is no such file. A file that is there but cannot be read may have held a deny rule: fatal. In the
 * administrator's everything that is wrong is fatal: nobody who may use it can tell what was lost.
 */
export async function readSettingsFile(file: string, managed?: ManagedReading): Promise<FileReading | undefined> {
  try {
    const bytes = await readSmallFile(file, managed?.owner);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const parser = await import('jsonc-parser');
    const { entries, problems } = parseSettingsText(text, file, parser);
    return { entries, problems: managed === undefined ? problems : problems.map(asManaged), digest: digestOf(bytes) };
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    // A missing folder and a file in place of the folder both mean: no settings here.
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const isLost = (await isLink(file)) || (managed !== undefined && (await isLink(path.dirname(file))));
    if (isMissing && !isLost) return undefined;
    const problem: SettingsProblem = { severity: 'fatal', message: `${file}: ${readingProblem(thrown, code)}` };
    return { entries: [], digest: '', problems: [managed === undefined ? problem : asManaged(problem)] };
  }
}

/** A whole file of another agent as plain data: JSON with comments. Undefined when there is none. */
export async function readSettingsTree(
  file: string,
): Promise<{ readonly value: unknown; readonly digest: string } | { readonly problem: string } | undefined> {
  try {
    const bytes = await readSmallFile(file);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const { parseTree } = await import('jsonc-parser');
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    if (errors.length > 0) return { problem: `${file}: not valid JSON. Nothing of it is used.` };
    return { value: root === undefined ? undefined : plainValue(root), digest: digestOf(bytes) };
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { problem: `${file}: ${readingProblem(thrown, code)}` };
  }
}

function asManaged({ message }: SettingsProblem): SettingsProblem {
  const next =
    'The file holds the settings of this machine for everybody; nothing starts before its administrator mends it.';
  return { severity: 'fatal', message: `${message} ${next}` };
}

/** @throws the system's errors, and others whose message says what is wrong */
export async function readSmallFile(file: string, owner?: number): Promise<Buffer> {
  // O_NONBLOCK: a FIFO of that name must not hang the start.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('is not a regular file. Move it away.');
    if (owner !== undefined) await refuseOtherOwners(file, stats, owner);
    if (stats.size > MAX_BYTES) throw new Error(`is larger than ${MAX_BYTES} bytes. Make it smaller.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Whoever may write its folder, or one that a link leads through, can put another file in its place. */
async function refuseOtherOwners(file: string, stats: Stats, owner: number): Promise<void> {
  const folders = await foldersOf(file);
  const looked = [{ what: 'it', info: stats, isAbove: false }];
  for (const folder of folders) looked.push({ what: `its folder ${folder}`, info: await stat(folder), isAbove: false });
  for (const folder of foldersAbove(folders, path.dirname(file)))
    looked.push({ what: `the folder ${folder} above it`, info: await stat(folder), isAbove: true });
  const name = owner === 0 ? 'root' : `user ${owner}`;
  for (const { what, info, isAbove } of looked) {
    const isOwn = info.uid === owner || (isAbove && info.uid === 0);
    if (!isOwn) throw new Error(`is not believed: ${what} belongs to user ${info.uid}, not to ${name}.`);
    const isOpen = (info.mode & 0o022) !== 0 && !(isAbove && (info.mode & STICKY) !== 0);
    if (isOpen) throw new Error(`is not believed: others than ${name} may write ${what}.`);
  }
}

/** Where links lead, all folders on the way as well. The system's own place for the file is the system's to keep. */
function foldersAbove(folders: ReadonlySet<string>, own: string): ReadonlySet<string> {
  const above = new Set<string>();
  for (const folder of folders) {
    if (folder === own) continue;
    for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) above.add(path.dirname(at));
  }
  return above;
}

/** The folder in which the name stands, and those of all links that it leads through. */
async function foldersOf(file: string): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  let place = file;
  // It was opened, so the links come to an end; but somebody may be changing them.
  for (let links = 0; links < 40; links += 1) {
    folders.add(path.dirname(place));
    if (!(await isLink(place))) break;
    place = path.resolve(path.dirname(place), await readlink(place));
  }
  return folders.add(path.dirname(await realpath(file)));
}

/** A link that leads nowhere was put there for settings that are gone now: not the same as none. */
async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Why a file could not be read, and what to do about it. */
export function readingProblem(thrown: unknown, code: string | undefined): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'is a link that leads nowhere. Mend it, or remove it.';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is not UTF-8 text. Save it as UTF-8.';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read. Give yourself read permission, or move it away.';
  if (code === 'ELOOP') return 'is a link that leads in a circle. Move it away.';
  return code === undefined ? errorMessage(thrown) : `cannot be read (${code}).`;
}
