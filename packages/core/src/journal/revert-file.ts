import { contentHash } from '../files/write-handle.js';
import type { FileState } from './journal-entry.js';
import { mergeText, type LineRange } from './merge-text.js';
import { decideStep, sameContent, type RevertStep } from './plan-revert.js';

/** What is to become of one file. */
export type FileRevert =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'delete' }
  | {
      readonly kind: 'write';
      readonly content: Buffer;
      readonly mode: number | undefined;
      /** True: changes that somebody made since are kept in it. */
      readonly merged: boolean;
    }
  | { readonly kind: 'leave'; readonly reason: string; readonly lines?: readonly LineRange[] };

export interface FileToRevert {
  readonly current: FileState;
  /** The last change first. */
  readonly steps: readonly RevertStep[];
  /** The bytes of the file as it is now. */
  readonly readCurrent: () => Promise<Buffer>;
  /** What was kept under a hash, if it still is. */
  readonly content: (hash: string) => Promise<Buffer | undefined>;
}

/** Files that somebody else changed since are merged up to this size. */
const MOST_MERGED_BYTES = 8 * 1024 * 1024;

/** A file between two steps. */
interface Version {
  readonly state: FileState;
  readonly read: () => Promise<Buffer | undefined>;
  readonly merged: boolean;
  /** True while it is the file as it is now. */
  readonly untouched: boolean;
}

/** Takes the steps back in memory. Either all of them can be taken back or the file is left alone. */
export async function revertFile({ current, steps, readCurrent, content }: FileToRevert): Promise<FileRevert> {
  let version: Version = { state: current, read: readCurrent, merged: false, untouched: true };
  for (const step of steps) {
    const next = await takeBack(version, step, content);
    if ('kind' in next) return next;
    version = next;
  }
  return outcome(current, version);
}

async function takeBack(
  version: Version,
  step: RevertStep,
  content: FileToRevert['content'],
): Promise<Version | FileRevert> {
  const decision = decideStep(version.state, step);
  const { before } = step;
  switch (decision.kind) {
    case 'nothing':
      return version;
    case 'leave':
      return decision;
    case 'delete':
      return { ...version, state: { kind: 'missing' }, untouched: false };
    case 'merge':
      return merge(version, { step, content, mode: decision.mode });
    case 'restore':
    default:
      return restored(version, before, { content, mode: decision.mode });
  }
}

function restored(version: Version, before: FileState, { content, mode }: Omit<Merge, 'step'>): Version {
  if (before.kind === 'missing') return version;
  // The bytes that are there need no copy that was kept.
  const read = sameContent(version.state, before) ? version.read : () => content(before.hash);
  return { ...version, state: { ...before, mode: mode ?? before.mode }, read, untouched: false };
}

interface Merge {
  readonly step: RevertStep;
  readonly content: FileToRevert['content'];
  readonly mode: number | undefined;
}

async function merge(version: Version, { step, content, mode }: Merge): Promise<Version | FileRevert> {
  const { before, after } = step;
  if (version.state.kind === 'missing' || before.kind === 'missing' || after.kind === 'missing') return version;
  if ([version.state, before, after].some(({ bytes }) => bytes > MOST_MERGED_BYTES)) {
    return { kind: 'leave', reason: 'it was changed since, and is too large to be merged' };
  }
  const [base, ours, theirs] = [await content(after.hash), await version.read(), await content(before.hash)];
  if (base === undefined || ours === undefined || theirs === undefined) {
    return { kind: 'leave', reason: 'it was changed since, and its earlier content is not kept' };
  }
  const result = await mergeText({ base, ours, theirs });
  if (result.kind === 'impossible') {
    return { kind: 'leave', reason: `it was changed since, and cannot be merged: ${result.reason}` };
  }
  if (result.kind === 'conflict') {
    const known = version.untouched ? { lines: result.lines } : {};
    return { kind: 'leave', reason: 'the same lines were changed since', ...known };
  }
  const { bytes } = result;
  const state: FileState = {
    kind: 'file',
    hash: contentHash(bytes),
    bytes: bytes.length,
    mode: mode ?? version.state.mode,
  };
  return { state, read: () => Promise.resolve(bytes), merged: true, untouched: false };
}

async function outcome(current: FileState, { state, read, merged }: Version): Promise<FileRevert> {
  if (state.kind === 'missing') return { kind: current.kind === 'missing' ? 'nothing' : 'delete' };
  const mode = current.kind === 'file' && current.mode === state.mode ? undefined : state.mode;
  if (sameContent(current, state) && mode === undefined) return { kind: 'nothing' };
  const content = await read();
  if (content === undefined || contentHash(content) !== state.hash) {
    return { kind: 'leave', reason: 'its earlier content is not kept' };
  }
  return { kind: 'write', content, mode, merged };
}
