import { constants, open } from 'node:fs/promises';
import { sniffMedia } from '../../files/media.js';
import { decodeText } from '../../files/text-codec.js';
import type { WorkspaceGate } from '../../files/workspace-gate.js';
import { contentHash, MISSING } from '../../files/write-handle.js';
import { mergeText, type LineRange } from '../../journal/merge-text.js';
import { readTarget } from '../../journal/target-state.js';
import { errorMessage } from '../../util/failure.js';
import { absoluteBelow } from '../../util/paths-below.js';
import type { BegunFile } from './begun-files.js';
import { isRunnable, type FoundChanges, type WorktreeChange } from './find-changes.js';

/** What taking a worktree's changes over would do to one file of the workspace. */
export interface ReturnedFile {
  /** Absolute. */
  readonly path: string;
  /** As it is now: SHA-256 (hex), or `missing`. */
  readonly expected: string;
  readonly original: Buffer | null;
  /** Null: it goes. */
  readonly proposed: Buffer | null;
  /** Permission bits, where they are not to stay. */
  readonly mode?: number;
  /** It changed in the workspace as well; both changes are in it. */
  readonly isMerged: boolean;
}

export interface ReturnPlan {
  readonly files: readonly ReturnedFile[];
  /** Why not all of it can be taken over, a sentence each: then none of it is. */
  readonly problems: readonly string[];
}

export interface ReturnSource {
  readonly found: FoundChanges;
  /** Tops of the worktree and of what it was made from: absolute, canonical. */
  readonly tree: string;
  readonly from: string;
  /** Of the workspace that it goes to. */
  readonly gate: WorkspaceGate;
  /** What a file began with; undefined where that is not kept. */
  readonly baseOf: (file: BegunFile & { kind: 'file' }) => Promise<Buffer | undefined>;
}

const LARGEST_FILE = 128 * 1024 * 1024;
const LARGEST_PLAN = 512 * 1024 * 1024;

/** What is to be done now; nothing is. */
export async function planReturn(source: ReturnSource): Promise<ReturnPlan> {
  const { found } = source;
  const files: ReturnedFile[] = [];
  const problems = found.strange.map(
    (path) => `${path} cannot be taken over: it is in a repository of its own, or its name is no UTF-8.`,
  );
  let bytes = 0;
  for (const change of found.changes) {
    const planned = await planFile(source, change);
    if (typeof planned === 'string') problems.push(`${change.path} ${planned}`);
    else if (planned !== undefined) files.push(planned);
    if (typeof planned === 'object') bytes += (planned.original?.length ?? 0) + (planned.proposed?.length ?? 0);
    if (bytes > LARGEST_PLAN)
      return { files: [], problems: ['All that changed is too much to be taken over at once.'] };
  }
  return { files, problems };
}

interface Now {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly mode: number;
}

/** Undefined where the workspace has it already; a text where it cannot be done, to stand behind the path. */
async function planFile(source: ReturnSource, change: WorktreeChange): Promise<ReturnedFile | string | undefined> {
  const { before, after, path: name } = change;
  if (before?.kind === 'link' || after?.kind === 'link') return 'is a link, which has to be made by hand.';
  if (after?.kind === 'other') return 'is no file any more.';
  if (after !== undefined && after.size > LARGEST_FILE) return 'is too large to be taken over.';
  const path = absoluteBelow(source.from, name);
  const now = await readNow(source.gate, path);
  if (typeof now === 'string') return now;
  const step = nextStep(before, after, now);
  if (step === 'nothing' || typeof step === 'object') return typeof step === 'object' ? step.conflict : undefined;
  const expected = now?.hash ?? MISSING;
  const original = now?.bytes ?? null;
  if (after === undefined) return { path, expected, original, proposed: null, isMerged: false };
  const theirs = step === 'mode' ? (now?.bytes ?? Buffer.alloc(0)) : await readFileOf(absoluteBelow(source.tree, name));
  if (step !== 'mode' && contentHash(theirs) !== after.hash) return 'is being changed in the worktree still.';
  const proposed = step === 'merge' ? await merged(source, before, { ours: original, theirs }) : theirs;
  if (typeof proposed === 'string') return proposed;
  return { path, expected, original, proposed, isMerged: step === 'merge', ...modeOf(before, after, now) };
}

type Step = 'nothing' | 'take' | 'merge' | 'mode' | { readonly conflict: string };

/** Three-way, by what the file began as, what the agent made of it, and what it is in the workspace now. Pure. */
export function nextStep(
  before: Pick<BegunFile & { kind: 'file' }, 'hash' | 'mode'> | undefined,
  after: Pick<Now, 'hash' | 'mode'> | undefined,
  now: Pick<Now, 'hash' | 'mode'> | null,
): Step {
  if (after === undefined) {
    if (now === null) return 'nothing';
    return now.hash === before?.hash
      ? 'take'
      : { conflict: 'was changed in the workspace meanwhile; the agent deleted it.' };
  }
  if (before === undefined) {
    if (now === null) return 'take';
    if (now.hash !== after.hash) return { conflict: 'was made in the workspace meanwhile too, with other content.' };
    return isRunnable(now.mode) === isRunnable(after.mode) ? 'nothing' : 'mode';
  }
  if (now === null) return { conflict: 'was deleted in the workspace meanwhile; the agent changed it.' };
  const changesMode =
    isRunnable(before.mode) !== isRunnable(after.mode) && isRunnable(now.mode) !== isRunnable(after.mode);
  if (after.hash === before.hash || now.hash === after.hash) return changesMode ? 'mode' : 'nothing';
  return now.hash === before.hash ? 'take' : 'merge';
}

/** Only whether it can be run is the agent's; a new file has the mode that it has there. */
function modeOf(
  before: BegunFile | undefined,
  after: { readonly mode: number },
  now: Now | null,
): Pick<ReturnedFile, 'mode'> {
  if (now === null) return { mode: after.mode };
  const was = before?.kind === 'file' ? before.mode : now.mode;
  if (isRunnable(was) === isRunnable(after.mode) && before !== undefined) return {};
  if (isRunnable(now.mode) === isRunnable(after.mode)) return {};
  return { mode: isRunnable(after.mode) ? now.mode | (after.mode & 0o111) : now.mode & ~0o111 };
}

async function readNow(gate: WorkspaceGate, path: string): Promise<Now | null | string> {
  try {
    return await gate.withTarget(path, async (handle) => {
      if (handle.resolved.path !== path) return `leads to ${handle.resolved.path} in the workspace by now.`;
      const target = await readTarget(handle);
      return target === null ? null : { bytes: target.bytes, hash: target.seen.hash, mode: target.mode };
    });
  } catch (thrown) {
    return `cannot be changed in the workspace: ${errorMessage(thrown)}`;
  }
}

export async function readFileOf(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function merged(
  { baseOf }: ReturnSource,
  before: BegunFile | undefined,
  { ours, theirs }: { readonly ours: Buffer | null; readonly theirs: Buffer },
): Promise<Buffer | string> {
  const base = before?.kind === 'file' ? await baseOf(before) : undefined;
  if (base === undefined || ours === null)
    return 'was changed in the workspace meanwhile too, and what both began with is not kept.';
  const result = await mergeText({ base, ours, theirs });
  if (result.kind === 'merged') return result.bytes;
  const both = 'was changed in the workspace meanwhile too';
  if (result.kind === 'impossible') return `${both}, and cannot be merged: ${result.reason}.`;
  return `${both}, in the same place (${result.lines.map(lineRange).slice(0, 5).join(', ')} there).`;
}

function lineRange({ first, last }: LineRange): string {
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}

const MOST_SHOWN = 4 * 1024 * 1024;

/** A content for people: its text, or what it is instead. */
export async function shownContent(bytes: Buffer | null, name: string): Promise<string | null> {
  if (bytes === null) return null;
  return (await textOf(bytes, name)) ?? `[Not shown: ${bytes.length} bytes, SHA-256 ${contentHash(bytes)}]\n`;
}

/** Undefined for what is no text, or too much of it. */
export async function textOf(bytes: Buffer, name: string): Promise<string | undefined> {
  if (bytes.length > MOST_SHOWN || sniffMedia(bytes) !== undefined || isBinary(bytes)) return undefined;
  try {
    const { text, faithful } = await decodeText(bytes, name);
    return faithful ? text : undefined;
  } catch {
    // No text after all.
    return undefined;
  }
}

function isBinary(bytes: Buffer): boolean {
  const isWide =
    bytes.length >= 2 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff));
  return !isWide && bytes.includes(0);
}
