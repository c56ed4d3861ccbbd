import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, opendir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, Failure } from '../../util/failure.js';
import { isWithin } from '../../util/paths-below.js';
import { canonicalPath, realPath } from '../../util/real-path.js';
import type { ExtensionHome, FoundExtension } from './extension-types.js';
import { EXTENSION_NAME } from './read-manifest.js';
import { readExtension } from './find-extensions.js';

/** Without packages that it brings along, no extension comes near. */
const MOST_FILES = 20_000;
const MOST_BYTES = 200 * 1024 * 1024;
const MOST_LEVELS = 40;

interface ExtensionChange {
  readonly tenonHome: string;
  /** That of the process: commands of an agent, which `TENON` marks, install nothing. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface InstalledExtension {
  readonly name: string;
  /** Where it is now, absolute. */
  readonly folder: string;
  /** Links in it were not copied. */
  readonly leftOut: number;
}

/** Reads an extension wherever it lies, as if it were the person's own. @throws Failure `no_extension` that says what is wrong */
export async function readExtensionFolder(folder: string, workspace: string): Promise<FoundExtension> {
  const real = canonicalPath(folder);
  if (real === undefined) throw new Failure('no_extension', `There is no folder ${folder}.`);
  const home: ExtensionHome = { folder: join(real, '..'), origin: 'user', runsCode: true };
  const read = await readExtension(real, { home, workspace });
  if (read === undefined) throw new Failure('no_extension', `${folder} is no extension.`);
  if ('problem' in read) throw new Failure('no_extension', read.problem);
  return read;
}

/**
 * Copies an extension into Tenon's own folder, whole or not at all. Links and what git keeps are left out.
 * @throws Failure `needs_person`, `no_extension`, `extension_not_installed`
 */
export async function installExtension(
  folder: string,
  { tenonHome, environment }: ExtensionChange,
): Promise<InstalledExtension> {
  onlyForPeople(environment);
  const { name, real } = await readExtensionFolder(folder, tenonHome);
  const place = join(tenonHome, 'extensions');
  const target = join(place, name);
  if (isWithin(realPath(place), real)) throw failed(`${folder} holds the folder that it would be copied into.`);
  const there = (await isThere(target)) ? target : await folderOf(name, place);
  if (there !== undefined) throw failed(`There is ${there} already: \`tenon extensions uninstall ${name}\` first.`);
  // Hidden, so that nobody takes half of it for an extension.
  const staging = join(place, `.new-${randomBytes(8).toString('hex')}`);
  const copying: Copying = { files: 0, bytes: 0, leftOut: 0 };
  try {
    await mkdir(place, { recursive: true, mode: 0o700 });
    await copyFolder(real, staging, { copying, level: 0 });
    await rename(staging, target);
  } catch (thrown) {
    await rm(staging, { recursive: true, force: true });
    throw thrown instanceof Failure ? thrown : failed(`It could not be copied: ${errorMessage(thrown)}.`, thrown);
  }
  return { name, folder: target, leftOut: copying.leftOut };
}

/** Takes one out of Tenon's own folder; of a link, the link alone. @throws Failure `needs_person`, `no_extension`, `extension_not_installed` */
export async function uninstallExtension(name: string, { tenonHome, environment }: ExtensionChange): Promise<string> {
  onlyForPeople(environment);
  const place = join(tenonHome, 'extensions');
  // One that is broken has its folder's name alone.
  const named = EXTENSION_NAME.test(name) ? join(place, name) : undefined;
  const folder = (await folderOf(name, place)) ?? (named !== undefined && (await isThere(named)) ? named : undefined);
  if (folder === undefined)
    throw new Failure('no_extension', `There is no extension ${JSON.stringify(name)} in ${tenonHome}.`);
  try {
    await rm(folder, { recursive: true });
  } catch (thrown) {
    throw failed(`${folder} could not be removed: ${errorMessage(thrown)}.`, thrown);
  }
  return folder;
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** Where in Tenon's own folder the extension of that name is, which a link there may call something else. */
async function folderOf(name: string, place: string): Promise<string | undefined> {
  const home: ExtensionHome = { folder: place, origin: 'user', runsCode: true };
  const entries: string[] = await readdir(place).catch(() => []);
  for (const entry of entries.toSorted()) {
    if (entry.startsWith('.')) continue;
    const folder = join(place, entry);
    const read = await readExtension(folder, { home, workspace: place });
    if (read !== undefined && 'name' in read && read.name.toLowerCase() === name.toLowerCase()) return folder;
  }
  return undefined;
}

function onlyForPeople(environment: ExtensionChange['environment']): void {
  if ((environment['TENON'] ?? '') !== '')
    throw new Failure('needs_person', 'Only a person changes extensions: run this in a terminal of your own.');
}

interface Copying {
  files: number;
  bytes: number;
  leftOut: number;
}

async function copyFolder(
  from: string,
  to: string,
  { copying, level }: { readonly copying: Copying; readonly level: number },
): Promise<void> {
  if (level > MOST_LEVELS) throw failed(`It is more than ${MOST_LEVELS} folders deep.`);
  await mkdir(to, { mode: 0o700 });
  for await (const entry of await opendir(from)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) await copyFolder(source, target, { copying, level: level + 1 });
    else if (entry.isFile()) await copyOne(source, target, copying);
    else copying.leftOut += 1;
  }
}

async function copyOne(source: string, target: string, copying: Copying): Promise<void> {
  const { size, mode } = await lstat(source);
  copying.files += 1;
  copying.bytes += size;
  if (copying.files > MOST_FILES) throw failed(`It has more than ${MOST_FILES} files.`);
  if (copying.bytes > MOST_BYTES) throw failed(`It is larger than ${MOST_BYTES / 1024 / 1024} MB.`);
  await copyFile(source, target, constants.COPYFILE_EXCL);
  // Nobody else writes what runs here.
  await chmod(target, (mode & 0o700) | 0o600);
}

function failed(message: string, cause?: unknown): Failure {
  return new Failure('extension_not_installed', message, { cause });
}
