import type { CallContext } from '../effects/call-context.js';
import { heldFile, type ReadableFile } from '../files/byte-source.js';
import type { EncodingsBeside } from '../files/detect-encoding.js';
import type { ShownTexts } from '../files/host-files.js';
import { stampOf, type FileVersion, type FileVersions } from '../files/file-versions.js';
import { readHead } from '../files/read-text-window.js';
import type { ReadHandle } from '../files/workspace-gate.js';
import { decodeText } from '../files/text-codec.js';
import { contentHash, hashOpenFile } from '../files/write-handle.js';
import { Failure } from '../util/failure.js';
import { toParts, type ToolResult } from './tool-result.js';

/** A file that is being read: held, and its first bytes at hand. */
export interface ReadSource {
  /** To read on in it. */
  readonly file: ReadableFile;
  /** As it was asked for. */
  readonly name: string;
  /** Canonical. */
  readonly path: string;
  readonly size: number;
  /** All of a file up to 1 MB, the start of a larger one. */
  readonly head: Buffer;
  readonly version: FileVersion;
  /** SHA-256 of all of it. */
  readonly hashAll: () => Promise<string>;
  readonly signal: AbortSignal;
  /** As in `detectEncoding`. */
  readonly beside?: EncodingsBeside;
}

/** @throws Failure when the file cannot be opened; `use` runs while it can be read */
export async function withSource<T>(
  handle: ReadHandle,
  name: string,
  signal: AbortSignal,
  use: (source: ReadSource) => Promise<T>,
): Promise<T> {
  const { stat, resolved } = handle;
  const { size } = stat;
  const stamp = stampOf(stat);
  const all = handle.readSmall();
  if (all !== undefined) {
    const hash = contentHash(all);
    const held = { file: heldFile(all, stat), head: all, version: { hash, stamp }, hashAll: async () => hash };
    return use({ ...held, name, path: resolved.path, size, signal });
  }
  const file = await handle.open();
  try {
    const head = await readHead(file, size);
    const version = { hash: head.length === size ? contentHash(head) : undefined, stamp };
    const hashAll = async (): Promise<string> => version.hash ?? (await hashOpenFile(file));
    return await use({ file, name, path: resolved.path, size, head, version, hashAll, signal });
  } finally {
    await file.close();
  }
}

/** Larger files are read as they are on the disk. */
const MAX_SHOWN_BYTES = 8 * 1024 * 1024;

/** The same file as an editor shows it, where that is another text. */
export async function asShown(source: ReadSource, shown: ShownTexts | undefined): Promise<ReadSource> {
  const { name, file, size, head, beside } = source;
  if (shown === undefined || size > MAX_SHOWN_BYTES) return source;
  try {
    const bytes = head.length === size ? head : await readWhole(file, size);
    const hash = contentHash(bytes);
    const unsaved = await shown.unsaved(name, { ...(await decodeText(bytes, name, beside)), hash });
    if (unsaved === undefined) return source;
    const all = Buffer.from(unsaved.text);
    const version = { hash: unsaved.hash };
    const held = heldFile(all, await file.stat());
    return { ...source, file: held, size: all.length, head: all, version, hashAll: async () => unsaved.hash };
  } catch (thrown) {
    // No text: then no editor has one of it.
    if (thrown instanceof Failure && thrown.code === 'binary_file') return source;
    throw thrown;
  }
}

async function readWhole(file: ReadableFile, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    filled += bytesRead;
    if (bytesRead === 0 || filled === size) return bytes.subarray(0, filled);
  }
}

/** What of a file an answer shows: all that there is to see, or some of its lines. */
export type Seen =
  | { readonly kind: 'whole'; readonly hash?: string | undefined }
  | {
      readonly kind: 'lines';
      /** 0-based, `end` is past the last. */
      readonly first: number;
      readonly end: number;
      readonly totalLines: number | undefined;
      /** All of the file, when the answer has it. */
      readonly text: string | undefined;
    };

/** An answer, and what has to be remembered of it. */
export interface Reading {
  readonly result: ToolResult;
  readonly seen: Seen;
  /** What was asked for: the same for the same. */
  readonly request: string;
  /** What of the file is shown, such as `Lines 1-20 of 40`; undefined for an answer that is given anew each time. */
  readonly part?: string;
}

export interface Reader {
  readonly versions: FileVersions;
  readonly context: CallContext | undefined;
}

/** A shorter answer than this is given again rather than referred to. */
const MIN_REFERRED_BYTES = 2048;

/**
 * The answer, remembered as what the agent knows of the file. When the same was asked for before, nothing changed and
 * the answer to that is still before the model's eyes, it says so in place of all the lines; asked once more, it gives them.
 */
export function remember({ versions, context }: Reader, source: ReadSource, reading: Reading): ToolResult {
  if (context?.agent === undefined) return reading.result;
  const { agent, callId } = context;
  const { path, version } = source;
  const { result, request, part } = reading;
  if (part !== undefined && textBytes(result) >= MIN_REFERRED_BYTES) {
    const earlier = versions.takeAnswered(agent, path, version, request);
    if (earlier !== undefined && context.stillShown(earlier)) return unchanged(source.name, part, result);
  }
  noteSeen({ versions, context }, source, { agent, callId, request, seen: reading.seen });
  return result;
}

interface Note {
  readonly agent: string;
  readonly callId: string;
  readonly request: string;
  readonly seen: Seen;
}

function noteSeen({ versions }: Reader, { path, version }: ReadSource, { agent, callId, request, seen }: Note): void {
  if (seen.kind === 'whole') {
    const known = { hash: seen.hash ?? version.hash, stamp: version.stamp };
    versions.noteRead({ agent, callId, path, version: known, request, first: 0, end: Infinity, totalLines: undefined });
    return;
  }
  const { first, end, totalLines, text } = seen;
  versions.noteRead({ agent, callId, path, version, request, first, end, totalLines, text });
}

/** Whoever was told what a file is knows enough of it to overwrite it. */
export async function rememberRefused({ versions, context }: Reader, source: ReadSource): Promise<void> {
  if (context?.agent === undefined) return;
  const { agent, callId } = context;
  const hash = source.size <= MAX_HASHED_BYTES ? await source.hashAll() : undefined;
  noteSeen({ versions, context }, source, { agent, callId, request: 'refused', seen: { kind: 'whole', hash } });
}

const MAX_HASHED_BYTES = 256 * 1024 * 1024;

function unchanged(name: string, part: string, { data }: ToolResult): ToolResult {
  const text = `Unchanged since it was read before: ${name}. ${part}, as given above, still hold. The same call once more gives them in full.`;
  return { llmContent: `[${text}]`, returnDisplay: 'Unchanged since it was read before', data };
}

function textBytes({ llmContent }: ToolResult): number {
  return toParts(llmContent).reduce((sum, part) => sum + ('text' in part ? Buffer.byteLength(part.text) : 0), 0);
}
