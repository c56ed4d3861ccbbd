import { isAbsolute, resolve } from 'node:path';
import { namablePart } from '../files/escaped-bytes.js';
import { judgeFolders } from '../files/files-in-place.js';
import type { FolderHandle } from '../files/workspace-gate.js';
import type { ToolRuntime } from '../runtime.js';
import { findFiles, findHints, newFindHints, type FindHints, type UnshownMatches } from '../search/find-files.js';
import { withSlashes, type GlobPlan, type PlannedFolder } from '../search/globs/glob-plan.js';
import { isExclusion } from '../search/globs/glob-match.js';
import { GlobSet } from '../search/globs/glob-set.js';
import { inAnyFolder, inSubFolders, loosenedSet, withoutSets } from '../search/globs/loosened.js';
import { missingPathFailure } from '../search/missing-path.js';
import { NewestFiles } from '../search/newest-files.js';
import { globAnswer } from '../search/report/glob-report.js';
import { count } from '../search/report/search-text.js';
import { newWalkCounts, type WalkCounts } from '../search/tree/walked-folder.js';
import { isWithin } from '../util/paths-below.js';
import { GlobHints } from './glob-hints.js';
import { withheldNames } from './hidden-names.js';
import type { JudgedPaths } from './judged-paths.js';
import type { LeftOut, LeftOutByRule } from './left-out.js';
import { ToolNames } from './tool-names.js';
import { ToolError, ToolErrorType, type ToolResult } from './tools.js';

/** When nothing matched: how long it is looked for what would have. */
const HINT_MS = 1000;

/** `data` of a result. */
export interface GlobData {
  readonly pattern: string | readonly string[];
  readonly folders: readonly string[];
  /** All matches; `files` holds at most `limit` of them, as many as the answer has room for, newest first, from the place `offset` on. */
  readonly total: number;
  readonly files: readonly string[];
  readonly offset: number;
  readonly limit: number;
  /** The offset of the next page, when there is one. */
  readonly next?: number;
  readonly ignored: { readonly git: number; readonly qwen: number };
  /** What rules kept from being looked at, by rule; absent when nothing was. */
  readonly leftOutByRules?: readonly LeftOutByRule[];
}

/** Where it is looked, and what holds there. */
interface GlobPlaces {
  readonly config: ToolRuntime;
  readonly plan: GlobPlan;
  readonly judged: JudgedPaths;
  readonly leftOut: LeftOut;
}

interface GlobAsked {
  readonly path: string | undefined;
  readonly pattern: GlobData['pattern'];
  readonly patterns: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

/** One search for names, to its answer. */
export class GlobRun {
  readonly #places: GlobPlaces;
  readonly #asked: GlobAsked;

  constructor(places: GlobPlaces, asked: GlobAsked) {
    this.#places = places;
    this.#asked = asked;
  }

  /** @throws Failure */
  async answer(signal: AbortSignal): Promise<ToolResult> {
    const { limit, offset, pattern, patterns } = this.#asked;
    const counts = newWalkCounts();
    const newest = new NewestFiles(offset + limit);
    let unseen = 0;
    let unnamableLinks = 0;
    for (const folder of this.#places.plan.folders) {
      const unshown = await this.#find(folder, { counts, newest, signal });
      unseen += unshown.unseen;
      unnamableLinks += unshown.unnamableLinks;
    }
    const page = newest.sorted().slice(offset);
    // A folder that became a link while the walk was elsewhere leads to where nobody asked.
    const isInPlace = judgeFolders();
    const files = page.map(({ path }) => path).filter((path) => isInPlace(path) || this.#gateAllows(namablePart(path)));
    const total = newest.total - (page.length - files.length);
    const hints = newFindHints();
    if (total + unseen === 0)
      for (const folder of this.#places.plan.folders) await this.#findHints(folder, hints, signal);
    const folders = this.#places.plan.folders.map(({ path }) => path);
    const ignored = { git: counts.gitIgnored, qwen: counts.qwenIgnored };
    const counted = this.#places.leftOut.counts();
    const leftOutByRules = counted.length > 0 && { leftOutByRules: counted };
    const hinted = total === 0 && new GlobHints(patterns, this.#places.plan.folders, this.#places.config);
    const named = hinted === false ? {} : hinted.named();
    const missing = hinted === false ? [] : await hinted.missing();
    const unusedPath = this.#unusedPath();
    const found = { patterns, folders, total, offset, limit, files, counts, unseen, unnamableLinks };
    const { text, shown } = globAnswer({ ...found, hints, missing, unusedPath, named });
    const end = offset + shown.length;
    const next = shown.length > 0 && end < total && { next: end };
    const data: GlobData = {
      pattern,
      folders,
      total,
      files: shown,
      offset,
      limit,
      ...next,
      ignored,
      ...leftOutByRules,
    };
    const note = this.#places.leftOut.line();
    const llmContent = note === '' ? text : `${text}\n${note}`;
    return { llmContent, returnDisplay: summaryOf(data), data };
  }

  async #find(
    folder: PlannedFolder,
    search: { readonly counts: WalkCounts; readonly newest: NewestFiles; readonly signal: AbortSignal },
  ): Promise<UnshownMatches> {
    const { counts, newest, signal } = search;
    let unshown: UnshownMatches = { unseen: 0, unnamableLinks: 0 };
    await this.#inFolder(folder, async (held) => {
      const globs = folder.globSet();
      const allowsLink = (path: string): boolean => this.#gateAllows(path);
      const { allowed, index, folder: place, roots } = await this.#place(held, folder);
      // Not spread: what is spread is an object of a new shape each time, for which V8 compiles the search anew.
      const request = { index, folder: place, roots, globs, allowsLink, allowed, counts, signal };
      unshown = await findFiles(request, newest);
    });
    return unshown;
  }

  async #findHints(folder: PlannedFolder, hints: FindHints, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + HINT_MS;
    await this.#inFolder(folder, async (held) => {
      const globs = folder.globSet();
      const asked = this.#places.plan.globs;
      const real = withSlashes(folder.real);
      const looseGlobs = new GlobSet(real, asked, { anyDepth: true, ignoreCase: true });
      const literalGlobs = loosenedSet(real, asked, withoutSets);
      const deeperGlobs = loosenedSet(real, asked, inSubFolders);
      const elsewhereGlobs = loosenedSet(real, asked, inAnyFolder);
      const place = await this.#place(held, folder);
      const looser = { looseGlobs, literalGlobs, deeperGlobs, elsewhereGlobs };
      await findHints({ ...place, globs, ...looser, deadline, signal }, hints);
    });
  }

  async #place({ resolved, workingDirectory }: FolderHandle, folder: PlannedFolder) {
    return {
      allowed: this.#places.leftOut.filterAt({ path: resolved.path, requested: folder.path }),
      index: await this.#places.config.getSearchIndex(),
      folder: { path: resolved.path, workingDirectory },
      roots: this.#places.config.getWorkspaceGate().roots,
    };
  }

  async #inFolder({ path, mayBeMissing }: PlannedFolder, act: (held: FolderHandle) => Promise<void>): Promise<void> {
    const gate = this.#places.config.getWorkspaceGate();
    const { kind } = gate.resolve(path);
    if (kind === 'missing') {
      if (mayBeMissing) return;
      throw await missingPathFailure(gate, path, {
        isWithheld: withheldNames(this.#places.config, ToolNames.GLOB),
        wanted: 'Folder',
      });
    }
    if (kind === 'file') {
      const advice = `Give the folder that holds it, or use ${ToolNames.READ_FILE} to read it.`;
      throw new ToolError(ToolErrorType.PATH_IS_NOT_A_DIRECTORY, `Path is a file, not a folder: ${path}. ${advice}`);
    }
    await gate.withFolder(path, act, this.#places.judged.treeExpectation(path));
  }

  #unusedPath(): string | undefined {
    const { path, patterns } = this.#asked;
    if (path === undefined || !patterns.every((pattern) => isExclusion(pattern) || isAbsolute(pattern)))
      return undefined;
    const base = resolve(this.#places.config.getWorkspaceGate().roots[0] ?? '', path);
    return this.#places.plan.folders.some((folder) => isWithin(folder.path, base)) ? undefined : path;
  }

  #gateAllows(path: string): boolean {
    return this.#places.config.getWorkspaceGate().check(path) === null;
  }
}

function summaryOf({ total, offset, files }: GlobData): string {
  if (total === 0) return 'No files found';
  const shown = offset === 0 ? `newest ${files.length} shown` : `${files.length} shown from number ${offset + 1} on`;
  return `Found ${count(total, 'file')}${total > files.length ? ` (${shown})` : ''}`;
}
