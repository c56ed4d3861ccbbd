import { besideOf } from '../files/beside-encoding.js';
import type { ShownTexts } from '../files/host-files.js';
import { displayPath } from '../files/display-path.js';
import { isNotebookName, readBytes, sniffMedia, type Media } from '../files/media.js';
import { readTextWindow, type TextWindow } from '../files/read-text-window.js';
import type { ReadHandle, WorkspaceGate } from '../files/workspace-gate.js';
import { contentHash } from '../files/write-handle.js';
import { estimateTokens } from '../output/estimate-tokens.js';
import { fitWindow } from '../output/fit-window.js';
import { skipFailed, type Candidate, type Skip } from './read-many-sources.js';
import { inlineData, MAX_MEDIA_BYTES, readImage, type SourceImage } from './read-media.js';
import { readNotebook } from './read-notebook.js';
import { asShown, remember, withSource, type Reader, type ReadSource, type Seen } from './read-source.js';
import { seenOf } from './read-text.js';
import { ToolNames } from './tool-names.js';
import { toParts, type Part } from './tool-result.js';

/** What all files of an answer share, which stays below what the scheduler lets through of one result. */
const MAX_BYTES = 44 * 1024;
const MAX_TOKENS = 11_000;
const MAX_LINES_OF_ONE = 2000;
/** Less of a file than this is of no use: no more files are taken than can have it. */
const MIN_SHARE_BYTES = 1024;
const MIN_SHARE_TOKENS = 250;
/** For the notice under a file that was cut. */
const NOTICE_BYTES = 200;
const NOTICE_TOKENS = 100;
/** For the notes under a notebook. */
const CELL_NOTICE_BYTES = 300;
/** A smaller piece of a file is left out. */
const MIN_CUT_BYTES = 200;
const OVER_BUDGET = 'over the budget of one answer';

/** What is left for the files to come. */
export interface Room {
  bytes: number;
  tokens: number;
  media: number;
}

export function newRoom(): Room {
  return { bytes: MAX_BYTES, tokens: MAX_TOKENS, media: MAX_MEDIA_BYTES };
}

export interface JoinRequest {
  /** In the order in which they were asked for. */
  readonly candidates: readonly Candidate[];
  readonly gate: WorkspaceGate;
  readonly shown: ShownTexts | undefined;
  readonly reader: Reader;
  /** Names in the answer are relative to it. */
  readonly root: string;
  readonly room: Room;
  readonly skip: Skip;
  readonly signal: AbortSignal;
}

export interface JoinedFile {
  readonly path: string;
  readonly parts: readonly Part[];
}

/**
 * The files within one budget, in the order in which they were asked for. The smallest are read first, so that what
 * they leave over goes to the larger ones; files for which nothing of use is left are counted.
 */
export async function joinFiles(request: JoinRequest): Promise<JoinedFile[]> {
  const { room, skip, signal } = request;
  const joined = new Map<Candidate, JoinedFile>();
  let waiting = request.candidates;
  while (waiting.length > 0) {
    const batch = waiting.slice(0, batchSize(waiting, room));
    if (batch.length === 0) break;
    waiting = waiting.slice(batch.length);
    const bySize = batch.toSorted((a, b) => a.size - b.size);
    for (const [index, candidate] of bySize.entries()) {
      signal.throwIfAborted();
      const share = shareOf(room, bySize.length - index);
      const parts = await readOne(candidate, share, request);
      if (parts === undefined) continue;
      joined.set(candidate, { path: candidate.path, parts });
      for (const part of parts) {
        if (!('text' in part)) continue;
        room.bytes -= Buffer.byteLength(part.text);
        room.tokens -= estimateTokens(part.text);
      }
    }
  }
  for (const { path } of waiting) skip(OVER_BUDGET, path);
  return request.candidates.flatMap((candidate) => joined.get(candidate) ?? []);
}

/** How many of the files, taken in order, can each have a useful share. */
function batchSize(candidates: readonly Candidate[], { bytes, tokens }: Room): number {
  let [bytesLeft, tokensLeft] = [bytes, tokens];
  const end = candidates.findIndex(({ size, path }) => {
    const title = Buffer.byteLength(path) + 16;
    bytesLeft -= Math.min(size, MIN_SHARE_BYTES) + title;
    tokensLeft -= Math.min(size, MIN_SHARE_TOKENS) + title / 2;
    return bytesLeft < 0 || tokensLeft < 0;
  });
  return end === -1 ? candidates.length : end;
}

interface Share {
  readonly bytes: number;
  readonly tokens: number;
}

function shareOf({ bytes, tokens }: Room, waiting: number): Share {
  return { bytes: Math.floor(bytes / waiting), tokens: Math.floor(tokens / waiting) };
}

async function readOne(candidate: Candidate, share: Share, request: JoinRequest): Promise<Part[] | undefined> {
  const { gate, skip, signal } = request;
  const { path, canonical: expected } = candidate;
  const read = (handle: ReadHandle): Promise<Part[] | undefined> =>
    withSource(handle, path, signal, async (source) =>
      readHeld(await asShown({ ...source, beside: besideOf(gate, path) }, request.shown), candidate, share, request),
    );
  try {
    return await gate.withFile(path, read, { expected });
  } catch (thrown) {
    skipFailed(thrown, path, skip);
    return undefined;
  }
}

async function readHeld(
  source: ReadSource,
  candidate: Candidate,
  share: Share,
  request: JoinRequest,
): Promise<Part[] | undefined> {
  const { reader, root } = request;
  const done = (parts: Part[], seen: Seen): Part[] => {
    remember(reader, source, { result: { llmContent: parts }, seen, request: 'joined' });
    return parts;
  };
  const title = `--- ${displayPath(source.name, root)} ---\n`;
  const media = sniffMedia(source.head);
  if (media !== undefined && media.kind !== 'svg') {
    const found = await readMediaOf(source, media, candidate, request);
    if (found === undefined) return undefined;
    const { part, note, hash } = found;
    return done([{ text: `${title}${note === undefined ? '' : `[${note}]\n`}` }, part], { kind: 'whole', hash });
  }
  const left = { bytes: share.bytes - Buffer.byteLength(title), tokens: share.tokens - estimateTokens(title) };
  const notebook = isNotebookName(source.name) ? await readCells(source, left) : undefined;
  if (notebook !== undefined) return done([{ text: title + notebook.text }], notebook.seen);
  const window = await readShare(source, left);
  if (window === undefined) {
    request.skip(OVER_BUDGET, source.name);
    return undefined;
  }
  const body = window.lines.map((line) => `${line}\n`).join('');
  return done([{ text: title + body + restNotice(window) }], seenOf(window, 0));
}

/** As many lines as fit, with room for the notice where not all do; undefined when hardly any would. */
async function readShare(source: ReadSource, { bytes, tokens }: Share): Promise<TextWindow | undefined> {
  if (bytes <= 0 || tokens <= 0) return undefined;
  // The reader counts more for a line than its bytes and its end: what really fits is found afterwards.
  const maxBytes = bytes * 9;
  const found = await readTextWindow({ ...source, offset: 0, column: 0, limit: MAX_LINES_OF_ONE, maxBytes });
  const window = fitWindow(found, { offset: 0, maxBytes: bytes, maxTokens: tokens, numbered: false });
  if (!isCut(window)) return window;
  const less = { maxBytes: bytes - NOTICE_BYTES, maxTokens: tokens - NOTICE_TOKENS };
  if (less.maxBytes < MIN_CUT_BYTES || less.maxTokens < MIN_CUT_BYTES / 4) return undefined;
  return fitWindow(found, { offset: 0, numbered: false, ...less });
}

async function readCells(
  source: ReadSource,
  { bytes, tokens }: Share,
): Promise<{ text: string; seen: Seen } | undefined> {
  const limits = { maxBytes: bytes - CELL_NOTICE_BYTES, maxTokens: tokens - CELL_NOTICE_BYTES / 2 };
  if (limits.maxBytes < MIN_CUT_BYTES || limits.maxTokens < MIN_CUT_BYTES / 4) return undefined;
  const reading = await readNotebook(source, { place: { offset: 0, column: 0 } }, [], limits);
  if (reading === undefined) return undefined;
  const texts = toParts(reading.result.llmContent).map((part) => ('text' in part ? part.text : ''));
  return { text: `${texts.join('')}\n`, seen: reading.seen };
}

function isCut({ cutColumn, nextOffset }: TextWindow): boolean {
  return cutColumn !== undefined || nextOffset !== undefined;
}

/** Under a file that was cut; at most as long as the room that is kept for it. */
function restNotice(window: TextWindow): string {
  if (!isCut(window)) return '';
  const { lines, cutColumn, nextOffset, totalIsExact, totalLines } = window;
  const total = `${totalIsExact ? '' : 'at least '}${totalLines} lines`;
  const [shown, rest] =
    cutColumn === undefined
      ? [`${lines.length} of ${total}`, `offset: ${nextOffset}`]
      : [`${cutColumn} bytes of the first of ${total}`, `offset: 0, column: ${cutColumn}`];
  return `[Cut here: ${shown}. For the rest use ${ToolNames.READ_FILE} with ${rest}.]\n`;
}

interface FoundMedia {
  readonly part: Part;
  readonly note: string | undefined;
  readonly hash: string;
}

/** Media are given when they were named, not when they merely lie in a folder. */
async function readMediaOf(
  source: ReadSource,
  media: Media,
  { named }: Candidate,
  { room, skip }: JoinRequest,
): Promise<FoundMedia | undefined> {
  const { name, size } = source;
  if (!named) {
    skip('images and PDFs (name them one by one)', name, 'image or PDF (give its own path)');
    return undefined;
  }
  if (media.kind === 'pdf' && size > room.media) {
    skip(`media too large (${ToolNames.READ_FILE} gives the text of a PDF)`, name);
    return undefined;
  }
  const found = media.kind === 'pdf' ? await readWhole(source, media) : await readImage(source, media);
  if (found.bytes > room.media) {
    skip('media too large', name);
    return undefined;
  }
  room.media -= found.bytes;
  return found;
}

async function readWhole({ file, size }: ReadSource, { mimeType }: Media): Promise<SourceImage> {
  const bytes = await readBytes(file, size);
  return { part: inlineData(bytes, mimeType), bytes: bytes.length, hash: contentHash(bytes), note: undefined };
}
