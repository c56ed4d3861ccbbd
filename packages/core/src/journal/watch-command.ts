import { basename, dirname, join } from 'node:path';
import type { CallContext } from '../effects/call-context.js';
import type { CommandChanges } from '../files/file-changes.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { MISSING } from '../files/write-handle.js';
import { errorMessage, Failure } from '../util/failure.js';
import { commandChanges, journalChange, type CommandReport } from './command-entry.js';
import { journalCall, type JournalChange, type JournalEntry } from './journal-entry.js';
import type { Journal } from './journal.js';
import { mergeFindings, type Finding, type KnownFile } from './manifest.js';
import { ownFindings, type OwnFindings } from './own-findings.js';
import { WATCH_LIMITS, WorkspaceState, type Look, type WatchLimits } from './workspace-look.js';

/** Contents that are flushed to the disk one by one; with more, the command would be waited for too long. */
const MAX_DURABLE = 32;
/** Changed files whose new content is kept too: a later edit of the person's is merged with it when the call is undone. */
const MAX_MERGED = 256;
/** Contents written at the same time. */
const AT_ONCE = 8;

export interface WatchJournal extends Pick<Journal, 'keep' | 'record' | 'newId' | 'content'> {
  /** The entries whose ids sort after this one, in the order of the log. */
  entriesAfter(id: string): Promise<readonly JournalEntry[]>;
}

/** A file as the command left it; `hash` is `missing` for one that is gone. */
export interface WrittenFile {
  readonly path: string;
  readonly hash: string;
}

export interface Watched<T> {
  readonly result: T;
  readonly changes: CommandChanges;
  /** As far as it is known what is in them. */
  readonly written: readonly WrittenFile[];
}

export interface CommandWatchOptions {
  readonly gate: WorkspaceGate;
  readonly journal: WatchJournal;
  /** Absolute and canonical: where the manifest and the contents of the workspace are kept, made when first needed. */
  readonly folder: string;
  /** Canonical folders that are no part of the work, wherever they lie; the temp folder is one in any case. */
  readonly skip?: readonly string[];
  readonly limits?: Partial<WatchLimits>;
  /** The file of the person's own excludes for git, absolute. */
  readonly userExcludes?: string | undefined;
}

/** A command that runs now, and what was found meanwhile. */
interface Running {
  /** Entries that others made meanwhile sort after it. */
  readonly id: string;
  readonly found: Look[];
  shared: boolean;
}

/**
 * Finds out what commands change in the workspace: a look before, a look after, and an entry in the journal with what
 * is another. Keep one for a project: what it knows of the files makes the next look cheap.
 */
export class CommandWatch {
  readonly #gate: WorkspaceGate;
  readonly #journal: CommandWatchOptions['journal'];
  readonly #limits: WatchLimits;
  readonly #state: WorkspaceState;
  readonly #running: Running[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ gate, journal, folder, skip = [], limits = {}, userExcludes }: CommandWatchOptions) {
    this.#gate = gate;
    this.#journal = journal;
    this.#limits = { ...WATCH_LIMITS, ...limits };
    const notWork = [gate.tempDir, ...skip, ...ownFolders(folder)];
    this.#state = new WorkspaceState({ gate, folder, skip: notWork, limits: this.#limits, userExcludes });
  }

  /**
   * Runs it and tells what changed meanwhile, whoever changed it. What it threw is thrown again, its changes having
   * been written down. Watching itself never fails: what could not be done is said in `uncovered`.
   */
  async watch<T>(run: () => Promise<T>, context?: CallContext): Promise<Watched<T>> {
    const running: Running = { id: this.#journal.newId(), found: [], shared: this.#running.length > 0 };
    const blind = await this.#inTurn(() => this.#begin(running));
    let ended: Omit<Watched<T>, 'result'> | undefined;
    const end = async (): Promise<Omit<Watched<T>, 'result'>> =>
      (ended ??= await this.#inTurn(() => this.#end(running, blind, context)));
    try {
      const result = await run();
      return { result, ...(await end()) };
    } finally {
      await end();
    }
  }

  /** @returns why nothing can be told of the command */
  async #begin(running: Running): Promise<string | undefined> {
    try {
      const look = await this.#state.look('before');
      // Each change belongs to one command; which of several that run it was cannot be known.
      this.#running.at(-1)?.found.push(look);
      for (const other of this.#running) other.shared = true;
      return undefined;
    } catch (thrown) {
      return errorMessage(thrown);
    } finally {
      this.#running.push(running);
    }
  }

  async #end(
    running: Running,
    blind: string | undefined,
    context: CallContext | undefined,
  ): Promise<Omit<Watched<unknown>, 'result'>> {
    this.#running.splice(this.#running.indexOf(running), 1);
    let problem = blind;
    if (blind === undefined) {
      try {
        running.found.push(await this.#state.look('after'));
      } catch (thrown) {
        problem = errorMessage(thrown);
      }
    }
    const folder = this.#gate.roots[0] ?? this.#gate.tempDir;
    const all = reportOf(running, problem);
    const own = await this.#withoutOthers(all.findings, running.id);
    const report = { ...all, findings: mergeFindings([...own.early, ...own.late]) };
    const finished = report.findings.length === 0 ? report : await this.#writeDown(report, own, { running, context });
    return { changes: commandChanges(finished, folder), written: report.findings.flatMap(writtenFile) };
  }

  /** What other calls changed meanwhile, in this process or another, is theirs. */
  async #withoutOthers(findings: readonly Finding[], id: string): Promise<OwnFindings> {
    if (findings.length === 0) return { early: [], late: [] };
    const others = await this.#journal.entriesAfter(id).catch(() => []);
    return ownFindings(findings, others);
  }

  async #writeDown(
    report: CommandReport,
    own: OwnFindings,
    call: { running: Running; context: CallContext | undefined },
  ): Promise<CommandReport> {
    const folder = this.#gate.roots[0] ?? this.#gate.tempDir;
    try {
      const early = await this.#keepContents(own.early);
      const late = await this.#keepContents(own.late);
      const finished = { ...report, lost: [...new Set([...early.lost, ...late.lost])].sort() };
      const { uncovered } = commandChanges(finished, folder);
      const parts = [
        { id: call.running.id, changes: early.changes },
        { id: this.#journal.newId(), changes: late.changes },
      ];
      for (const { id, changes } of parts) {
        if (changes.length === 0) continue;
        await this.#journal.record({
          version: 1,
          id,
          time: new Date().toISOString(),
          kind: 'command',
          ...(call.context === undefined ? {} : { call: journalCall(call.context) }),
          reverts: [],
          changes,
          madeFolders: foldersOf(changes, call.running.found),
          ...(uncovered === undefined ? {} : { uncovered }),
        });
      }
      return finished;
    } catch (thrown) {
      // A failure of the journal speaks of changes that wait for it; here they are made already.
      const cause = thrown instanceof Failure ? thrown.code : errorMessage(thrown);
      return { ...report, problem: `the journal could not be written (${cause})` };
    }
  }

  /** Hands the journal what an undo needs: what files were, and what some changed ones are, to merge later changes. */
  async #keepContents(findings: readonly Finding[]): Promise<{ changes: JournalChange[]; lost: string[] }> {
    const deadline = performance.now() + this.#limits.keepMs;
    const durable = findings.length <= MAX_DURABLE;
    const changes: JournalChange[] = [];
    const lost: string[] = [];
    await inGroups(findings, async (finding) => {
      const { path, before } = finding;
      const change = performance.now() > deadline ? undefined : journalChange(finding);
      if (change === undefined || (before !== undefined && !(await this.#keep(before, durable)))) lost.push(path);
      else changes.push(change);
    });
    const merging = findings.filter(({ before, after }) => before !== undefined && after?.hash !== before.hash);
    await inGroups(merging.slice(0, MAX_MERGED), async ({ after }) => {
      if (after !== undefined && performance.now() < deadline) await this.#keep(after, durable);
    });
    return { changes: changes.sort(byPath), lost: lost.sort() };
  }

  async #keep(file: KnownFile, durable: boolean): Promise<boolean> {
    const bytes = this.#state.packs.read(file);
    // What another call left or found is in the store already.
    if (bytes === undefined) return (await this.#journal.content(file.hash ?? '')) !== undefined;
    await this.#journal.keep(bytes, durable);
    return true;
  }

  /** Looks of commands that overlap come one after the other. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let index = 0; index < items.length; index += AT_ONCE) {
    await Promise.all(items.slice(index, index + AT_ONCE).map(work));
  }
}

function reportOf({ found, shared }: Running, problem: string | undefined): CommandReport {
  const last = found.at(-1);
  return {
    findings: mergeFindings(found.flatMap(({ findings }) => findings)),
    lost: [],
    links: [...new Set(found.flatMap(({ links }) => links))].sort(),
    unnamable: [...new Set(found.flatMap(({ unnamable }) => unnamable))].sort(),
    gitMoved: found.some(({ gitMoved }) => gitMoved),
    stopped: last?.stopped,
    unclear: last?.unclear ?? 0,
    problem,
    shared,
  };
}

function writtenFile({ path, after }: Finding): WrittenFile[] {
  if (after === undefined) return [{ path, hash: MISSING }];
  return after.hash === undefined ? [] : [{ path, hash: after.hash }];
}

/** What Tenon keeps for itself, wherever it lies: what it writes there is no doing of a command. */
function ownFolders(folder: string): string[] {
  const projects = dirname(dirname(dirname(folder)));
  if (basename(projects) !== 'projects') return [];
  const home = dirname(projects);
  return [home, projects, join(home, 'locks'), join(home, 'logs')];
}

/** The new folders that hold a change, outermost first. */
function foldersOf(changes: readonly JournalChange[], found: readonly Look[]): string[] {
  const made = new Set(found.flatMap(({ madeFolders }) => madeFolders));
  const used = new Set<string>();
  for (const { path } of changes) {
    for (let folder = dirname(path); made.has(folder) && !used.has(folder); folder = dirname(folder)) used.add(folder);
  }
  return [...used].sort();
}

function byPath(a: JournalChange, b: JournalChange): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
