import { applyInStages, changedSpans, movedSpans, type LostHunk } from './apply-hunks.js';
import type { LineSpan } from './edit-plan.js';
import { findHalfCharacter } from './damaged-text.js';
import { shownText } from '../util/shown-text.js';
import { findOmission } from './find-omission.js';
import type { HunkTier } from './hunk-lines.js';
import type { FilePatch, Patch, PatchLine } from './patch.js';

/** A file as it is, before the patch. */
export interface FileNow {
  /** Undefined for one that is no text: it can be deleted, not changed. */
  readonly text: string | undefined;
  /** False: the caller saw another version of it. */
  readonly trustHints: boolean;
}

export interface PatchRequest {
  readonly patch: Patch;
  /** The same for all spellings of a path. */
  readonly keyOf: (path: string) => string;
  /** By key, every path that the patch names; null: there is no file. */
  readonly files: ReadonlyMap<string, FileNow | null>;
}

/** What the whole patch does at one path. */
export interface PlannedFile {
  readonly path: string;
  readonly key: string;
  /** `left`: it goes because the file is moved away. */
  readonly change: 'added' | 'updated' | 'moved' | 'deleted' | 'left';
  /** Null: the file goes. */
  readonly proposed: string | null;
  /** Where a moved file was, as the patch names it. */
  readonly movedFrom?: string;
  /** What was there is deleted by the patch and another put in its place. */
  readonly overwrites: boolean;
  /** Where the new lines stand; empty for a new file. */
  readonly changed: readonly LineSpan[];
  /** How hunks were matched, where not all of them exactly. */
  readonly tiers: readonly HunkTier[];
}

/** Why a part of a patch cannot be done. `at`: line of the patch. */
export type PatchProblem = { readonly path: string; readonly at: number } & (
  | { readonly reason: 'exists' | 'missing' | 'no-text' | 'no-change' }
  | { readonly reason: 'gone'; readonly movedTo: string | undefined }
  | { readonly reason: 'omission'; readonly detail: string }
  | { readonly reason: 'hunk'; readonly lost: LostHunk; readonly text: string }
);

export type PatchPlan =
  | { readonly ok: true; readonly files: readonly PlannedFile[] }
  | { readonly ok: false; readonly problems: readonly PatchProblem[] };

/** A path while the patch is gone through. */
interface Entry {
  readonly path: string;
  readonly key: string;
  readonly original: string | null | undefined;
  readonly trustHints: boolean;
  /** Undefined for what is no text. */
  text: string | null | undefined;
  gone?: { readonly movedTo: string | undefined };
  origin?: Entry;
  deleted: boolean;
  overwrites: boolean;
  /** Something of it cannot be done: what comes later is not judged. */
  broken: boolean;
  spans: readonly LineSpan[];
  tiers: Set<HunkTier>;
}

/** What a patch does to all of its files, or everything that is wrong with it. Files are gone through in order. */
export function planPatch({ patch, keyOf, files }: PatchRequest): PatchPlan {
  const entries = new Map<string, Entry>();
  const entryOf = (path: string): Entry => {
    const key = keyOf(path);
    const known = entries.get(key);
    if (known !== undefined) return known;
    const now = files.get(key) ?? null;
    const original = now === null ? null : now.text;
    const fresh = { overwrites: false, deleted: false, broken: false, spans: [], tiers: new Set<HunkTier>() };
    const entry: Entry = { path, key, original, text: original, trustHints: now?.trustHints ?? true, ...fresh };
    entries.set(key, entry);
    return entry;
  };
  const problems = patch.flatMap((file) => {
    const entry = entryOf(file.path);
    if (entry.broken) return [];
    const found = perform(file, entry, entryOf);
    if (found.length > 0) entry.broken = true;
    return found;
  });
  if (problems.length > 0) return { ok: false, problems };
  const planned = [...entries.values()].flatMap(plannedFile);
  const [first] = patch;
  if (planned.length > 0 || first === undefined) return { ok: true, files: planned };
  return { ok: false, problems: [{ path: first.path, at: first.at, reason: 'no-change' }] };
}

function perform(file: FilePatch, entry: Entry, entryOf: (path: string) => Entry): PatchProblem[] {
  const { path, at } = file;
  if (file.kind === 'add') {
    if (entry.text !== null) return [{ path, at, reason: 'exists' }];
    const omission =
      findHalfCharacter(file.content) ?? findOmission(file.content, entry.original ?? '', entry.original ?? '');
    if (omission !== undefined) return [{ path, at, reason: 'omission', detail: omission.detail }];
    put(entry, file.content);
    return [];
  }
  if (entry.text === null) {
    return [entry.gone === undefined ? { path, at, reason: 'missing' } : { path, at, reason: 'gone', ...entry.gone }];
  }
  if (file.kind === 'delete') {
    take(entry, undefined);
    entry.deleted = true;
    return [];
  }
  if (entry.text === undefined) return [{ path, at, reason: 'no-text' }];
  const problems = update(file, entry, entry.text);
  if (file.movedTo === undefined) return problems;
  const target = entryOf(file.movedTo);
  if (target === entry) return problems;
  if (target.text !== null) return [...problems, { path: file.movedTo, at, reason: 'exists' }];
  if (problems.length > 0) return problems;
  put(target, entry.text);
  target.origin = entry.origin ?? entry;
  target.spans = entry.spans;
  target.tiers = entry.tiers;
  take(entry, file.movedTo);
  return [];
}

function put(entry: Entry, text: string): void {
  entry.overwrites = entry.deleted && entry.original !== null;
  entry.text = text;
}

function take(entry: Entry, movedTo: string | undefined): void {
  entry.text = null;
  entry.gone = { movedTo };
  delete entry.origin;
  entry.spans = [];
  entry.tiers = new Set();
}

function update(
  { path, at, hunks }: Extract<FilePatch, { kind: 'update' }>,
  entry: Entry,
  text: string,
): PatchProblem[] {
  const problems: PatchProblem[] = [];
  const shown = shownText(text);
  for (const { lines, at: line } of hunks) {
    const [before, after] = [sideOf(lines, 'added'), sideOf(lines, 'removed')];
    const omission = findHalfCharacter(after) ?? findOmission(after, before, shown);
    if (omission !== undefined) problems.push({ path, at: line, reason: 'omission', detail: omission.detail });
  }
  const result = applyInStages({ text, hunks, trustHints: entry.trustHints });
  if (!result.ok) {
    return [
      ...problems,
      ...result.lost.map((lost) => ({ path, at: lost.hunk.at, reason: 'hunk' as const, lost, text: shown })),
    ];
  }
  const after = result.stages.at(-1)?.text ?? text;
  if (hunks.length > 0 && after === text) return [...problems, { path, at, reason: 'no-change' }];
  for (const stage of result.stages) {
    const spans = [...movedSpans(entry.spans, stage.edits), ...changedSpans(stage)];
    entry.spans = spans.toSorted((a, b) => a.first - b.first);
    for (const tier of stage.tiers) if (tier !== 'exact') entry.tiers.add(tier);
  }
  entry.text = after;
  return problems;
}

/** The lines of one side: without those that only the other has. */
function sideOf(lines: readonly PatchLine[], without: PatchLine['kind']): string {
  return lines
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('\n');
}

function plannedFile({ path, key, original, text, origin, gone, overwrites, spans, tiers }: Entry): PlannedFile[] {
  if (text === original || text === undefined) return [];
  const common = { path, key, overwrites, changed: spans, tiers: [...tiers] };
  if (text === null) return [{ ...common, proposed: null, change: gone?.movedTo === undefined ? 'deleted' : 'left' }];
  const moved = origin === undefined ? {} : { movedFrom: origin.path };
  const change = origin === undefined ? (original === null ? 'added' : 'updated') : 'moved';
  return [{ ...common, proposed: text, change, ...moved }];
}
