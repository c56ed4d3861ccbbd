import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, Failure, systemErrorCode } from '../util/failure.js';
import { changeOwnerFile, readOwnerFile } from '../util/owner-file.js';
import { editJson, type JsoncEditor } from './edit-json-text.js';

/** One value in a file of settings. */
export interface SettingChange {
  /** Absolute. Made where it is missing. */
  readonly file: string;
  /** The names on the way to the value, such as `['mcpServers', 'x']`. */
  readonly at: readonly [string, ...string[]];
  /** Undefined: it is removed. */
  readonly value: unknown;
  /** The folder of the project that the file belongs to; undefined for the person's own file. */
  readonly projectRoot?: string;
  /** That of the process: commands of an agent, which `TENON` marks, change no settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Changes one value and leaves every other character as it is: comments, order, indentation, line ends. The file is
 * replaced whole or not at all; the person's own one writer at a time.
 * @throws Failure `needs_person`, `settings_not_written`, which say what to do
 */
export async function writeSetting(change: SettingChange): Promise<void> {
  const { file, projectRoot, environment } = change;
  if ((environment['TENON'] ?? '') !== '')
    throw new Failure('needs_person', 'Only a person changes settings: run this in a terminal of your own.');
  const parser = await import('jsonc-parser');
  const changed = (text: string | undefined): string => changeText(text ?? '', change, parser);
  try {
    await (projectRoot === undefined ? changeOwn(file, changed) : changeInProject(file, projectRoot, changed));
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'settings_not_written') throw thrown;
    throw notWritten(`${file} could not be written: ${errorMessage(thrown)}.`, thrown);
  }
}

function changeText(text: string, { file, at, value }: SettingChange, parser: JsoncEditor): string {
  const edited = editJson(text, at, value, parser);
  if (typeof edited === 'string') return edited;
  throw notWritten(`${file} ${edited.problem}. Correct it first; nothing was changed.`);
}

async function changeOwn(file: string, changed: (text: string | undefined) => string): Promise<void> {
  // Many keep their settings elsewhere and have a link here: what it leads to is changed, the link stays.
  const real = await realpath(file).catch(() => file);
  const read = readOwnerFile(real);
  // Else it would be set aside as damaged.
  if (read !== undefined && 'problem' in read) throw notWritten(`${real} was left as it is: ${read.problem}.`);
  await changeOwnerFile(real, { isSound: () => true, change: changed });
}

async function changeInProject(
  file: string,
  projectRoot: string,
  changed: (text: string | undefined) => string,
): Promise<void> {
  const folder = path.dirname(file);
  await refuseLinks(projectRoot, file);
  await mkdir(folder, { recursive: true });
  const before = await readFile(file, 'utf8').catch((thrown: unknown) => {
    if (systemErrorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  });
  const mode = before === undefined ? 0o644 : (await lstat(file)).mode & 0o777;
  const temporary = path.join(folder, `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(changed(before));
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A cloned folder must not lead the writing to another place. */
async function refuseLinks(root: string, file: string): Promise<void> {
  let at = root;
  for (const name of path.relative(root, file).split(path.sep)) {
    at = path.join(at, name);
    const info = await lstat(at).catch(() => undefined);
    if (info?.isSymbolicLink() === true) throw notWritten(`${at} is a link, so ${file} was left as it is.`);
  }
}

function notWritten(message: string, cause?: unknown): Failure {
  return new Failure('settings_not_written', message, cause === undefined ? {} : { cause });
}
