import { unifiedDiff } from '../../files/unified-diff.js';
import { absoluteBelow } from '../../util/paths-below.js';
import type { BegunFile } from './begun-files.js';
import { isRunnable, type FileNow, type WorktreeChange } from './find-changes.js';
import { readFileOf, textOf } from './plan-return.js';

interface Sources {
  /** The top of the worktree. */
  readonly folder: string;
  readonly baseOf: (file: BegunFile & { kind: 'file' }) => Promise<Buffer | undefined>;
}

/** One side of a change. `text`: undefined for what no patch in text can hold. */
type Side = { readonly mode: string; readonly text: string | undefined } | undefined;

const NONE = '/dev/null';

/**
 * Changes as a patch that `git apply` takes. Where it holds something that is no text it says so, as git does, and is refused
 * as a whole: what stands in place of a content never becomes one.
 */
export async function patchText(changes: readonly WorktreeChange[], { folder, baseOf }: Sources): Promise<string> {
  const parts: string[] = [];
  for (const { path, before, after } of changes) {
    const old = await sideOf(before, path, async (file) => baseOf(file));
    const now = await sideOf(after, path, async () => readFileOf(absoluteBelow(folder, path)));
    parts.push(await partOf(path, old, now));
  }
  return parts.join('');
}

async function sideOf<T extends BegunFile | FileNow>(
  file: T,
  path: string,
  read: (file: T & { kind: 'file' }) => Promise<Buffer | undefined>,
): Promise<Side> {
  if (file === undefined) return undefined;
  if (file.kind === 'link') return { mode: '120000', text: file.target };
  if (!isFile(file)) return { mode: '100644', text: undefined };
  const bytes = await read(file);
  const mode = isRunnable(file.mode) ? '100755' : '100644';
  return { mode, text: bytes === undefined ? undefined : await textOf(bytes, path) };
}

function isFile<T extends BegunFile | FileNow>(file: T): file is T & { kind: 'file' } {
  return file?.kind === 'file';
}

async function partOf(path: string, old: Side, now: Side): Promise<string> {
  // A file in place of a link is two changes to git, and a link in place of a file.
  if (old !== undefined && now !== undefined && isLink(old) !== isLink(now))
    return `${await partOf(path, old, undefined)}${await partOf(path, undefined, now)}`;
  const [oldName, newName] = [gitName(`a/${path}`), gitName(`b/${path}`)];
  const isBinary = [old, now].some((side) => side !== undefined && side.text === undefined);
  const lines = [`diff --git ${oldName} ${newName}`, ...modesOf(old, now, isBinary)];
  const head = lines.map((line) => `${line}\n`).join('');
  const [before, after] = [old === undefined ? '' : old.text, now === undefined ? '' : now.text];
  if (before === undefined || after === undefined) {
    const names = [old === undefined ? NONE : oldName, now === undefined ? NONE : newName];
    return `${head}Binary files ${names.join(' and ')} differ\n`;
  }
  if (before === after) return head;
  const names = {
    oldName: old === undefined ? NONE : `a/${path}`,
    newName: now === undefined ? NONE : `b/${path}`,
  };
  return `${head}${await unifiedDiff({ before, after, ...names, oldHeader: undefined, newHeader: undefined })}`;
}

function isLink({ mode }: { readonly mode: string }): boolean {
  return mode === '120000';
}

/** `isStated`: also where both are the same; without any line of these git takes the head for other words. */
function modesOf(old: Side, now: Side, isStated: boolean): string[] {
  if (old === undefined) return now === undefined ? [] : [`new file mode ${now.mode}`];
  if (now === undefined) return [`deleted file mode ${old.mode}`];
  return old.mode === now.mode && !isStated ? [] : [`old mode ${old.mode}`, `new mode ${now.mode}`];
}

/** As git writes it: in quotes, byte by byte, where it holds anything but plain characters. */
function gitName(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c)) return name;
  const quoted = [...bytes].map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${quoted.join('')}"`;
}
