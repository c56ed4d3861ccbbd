import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** A folder that may hold commands. */
export interface CommandFolder {
  /** Absolute. */
  readonly folder: string;
  /** For people: `.tenon/commands`. */
  readonly label: string;
  /** Files that are commands, by their ending. */
  readonly formats: readonly ('md' | 'toml')[];
  /** It came with a project: links out of that (absolute, canonical) are not followed. */
  readonly within?: string;
  /** Of the extension that brings it: what has a name of another is said as `extension:name`. */
  readonly extension?: string;
}

export interface CommandFile {
  /** `folder:name`. */
  readonly name: string;
  readonly file: string;
  readonly format: 'md' | 'toml';
  readonly label: string;
}

const MOST_FILES = 500;
const MOST_DEPTH = 5;
const LARGEST_BYTES = 256 * 1024;
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;

/** The folders of a project or of a person's home, in the order in which their names count. */
export function commandFolders(base: string, tenonFolder: string, within?: string): readonly CommandFolder[] {
  const more = within === undefined ? {} : { within };
  return [
    { folder: path.join(tenonFolder, 'commands'), label: '.tenon/commands', formats: ['md'], ...more },
    { folder: path.join(base, '.qwen', 'commands'), label: '.qwen/commands', formats: ['md', 'toml'], ...more },
    { folder: path.join(base, '.claude', 'commands'), label: '.claude/commands', formats: ['md'], ...more },
  ];
}

/** The files of one folder and those below it, by name. What cannot be read is told, a sentence each. */
export async function findCommandFiles(
  place: CommandFolder,
): Promise<{ readonly files: readonly CommandFile[]; readonly problems: readonly string[] }> {
  const files: CommandFile[] = [];
  const problems: string[] = [];
  const walk = async (folder: string, names: readonly string[]): Promise<void> => {
    for (const entry of await entriesOf(folder)) {
      const file = path.join(folder, entry.name);
      if (entry.name.startsWith('.') || files.length >= MOST_FILES) continue;
      const kind = await kindOf(entry, file, place.within);
      if (kind === 'folder' && names.length < MOST_DEPTH) await walk(file, [...names, entry.name]);
      const format = place.formats.find((each) => entry.name.endsWith(`.${each}`));
      if (kind !== 'file' || format === undefined) continue;
      const parts = [...names, entry.name.slice(0, -format.length - 1)];
      if (parts.every((part) => NAME.test(part)))
        files.push({ name: parts.join(':'), file, format, label: place.label });
      else problems.push(`${file} is no command: its name may hold letters, digits, "_", "-" and "." only.`);
    }
  };
  await walk(place.folder, []);
  if (files.length >= MOST_FILES)
    problems.push(`${place.folder} has more than ${MOST_FILES} commands; the rest is left out.`);
  return { files, problems };
}

/** @throws the system's error, or one that says that it is too large or lies elsewhere */
export async function readCommandText({ file }: Pick<CommandFile, 'file'>, within?: string): Promise<string> {
  if (within !== undefined && !(await isInside(file, within))) throw new Error('it leads out of the project');
  if ((await stat(file)).size > LARGEST_BYTES) throw new Error(`it is larger than ${LARGEST_BYTES / 1024} KiB`);
  return readFile(file, 'utf8');
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function kindOf(entry: Dirent, file: string, within: string | undefined): Promise<'file' | 'folder' | 'other'> {
  if (within !== undefined && !(await isInside(file, within))) return 'other';
  if (!entry.isSymbolicLink()) return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
  const info = await stat(file).catch(() => undefined);
  return info?.isFile() === true ? 'file' : info?.isDirectory() === true ? 'folder' : 'other';
}

async function isInside(file: string, root: string): Promise<boolean> {
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined) return false;
  const relative = path.relative(root, real);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}
