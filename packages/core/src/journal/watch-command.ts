import { basename, dirname, join } from 'node:path';
import type { GitUser } from '../files/ignore-settings.js';
import type { CallContext } from '../effects/call-context.js';
import type { CommandChanges, GoesOn } from '../files/file-changes.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { MISSING } from '../files/write-handle.js';
import { errorMessage } from '../util/failure.js';
import { commandChanges, NOTHING_FOUND, type CommandReport } from './command-entry.js';
import { journalCall, type JournalCall, type JournalEntry } from './journal-entry.js';
import type { Journal } from './journal.js';
import { JobRecords, jobsFolder } from './job-records.js';
import { lookAt } from './current-file.js';
import { mergeFindings, type Finding } from './manifest.js';
import { ownFindings, type OwnFindings } from './own-findings.js';
import { recordFindings, type RecordServices } from './record-findings.js';
import { RunningJobs, type RunningJob } from './running-jobs.js';
import { WATCH_LIMITS, WorkspaceState, type Look, type WatchLimits } from './workspace-look.js';

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
  /** Whose configuration of git counts beside that of repositories. */
  readonly gitUser?: GitUser | undefined;
}

/** A command that runs now, and what was found meanwhile. */
interface Running {
  /** Entries that others made meanwhile sort after it. */
  readonly id: string;
  /** Its own entries sort after it too. */
  readonly since: string;
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
  readonly #state: WorkspaceState;
  readonly #services: RecordServices;
  readonly #running: Running[] = [];
  readonly #jobs: RunningJobs;
  readonly #records: JobRecords;
  /** Files that a call changed since the last look → the hash of what it left. */
  readonly #left = new Map<string, string>();
  /** What others wrote down since the last look sorts after it. */
  #since: string | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ gate, journal, folder, skip = [], limits = {}, gitUser }: CommandWatchOptions) {
    this.#gate = gate;
    this.#journal = journal;
    const all = { ...WATCH_LIMITS, ...limits };
    const notWork = notTheWork({ gate, folder, skip });
    this.#state = new WorkspaceState({ gate, folder, skip: notWork, limits: all, gitUser });
    const shownIn = gate.roots[0] ?? gate.tempDir;
    this.#services = { journal, packs: this.#state.packs, keepMs: all.keepMs, folder: shownIn };
    this.#records = new JobRecords(jobsFolder(folder));
    this.#jobs = new RunningJobs({ ...this.#services, journal, records: this.#records });
  }

  /**
   * Runs it and tells what changed meanwhile, whoever changed it. What it threw is thrown again, its changes having
   * been written down. Watching itself never fails: what could not be done is said in `uncovered`. What goes on after
   * it has answered is watched until its end: a look whenever something else begins to change files, and one then.
   */
  async watch<T>(
    run: () => Promise<T>,
    context?: CallContext,
    goesOn?: (result: T) => GoesOn | undefined,
  ): Promise<Watched<T>> {
    const isShared = this.#running.length > 0 || !this.#jobs.isEmpty;
    const since = this.#journal.newId();
    const running: Running = { since, id: this.#journal.newId(), found: [], shared: isShared };
    const blind = await this.#inTurn(() => this.#begin(running, context));
    let ended: Omit<Watched<T>, 'result'> | undefined;
    const end = async (job?: GoesOn): Promise<Omit<Watched<T>, 'result'>> =>
      (ended ??= await this.#inTurn(() => this.#end(running, blind, { context, job })));
    try {
      const result = await run();
      return { result, ...(await end(goesOn?.(result))) };
    } finally {
      await end();
    }
  }

  /** @returns why nothing can be told of the command */
  async #begin(running: Running, context: CallContext | undefined): Promise<string | undefined> {
    try {
      const look = await this.#look('before', this.#running.length === 0);
      // Each change belongs to one command; which of several that run it was cannot be known.
      this.#running.at(-1)?.found.push(look);
      for (const other of this.#running) other.shared = true;
      await this.#settle();
      const call = context === undefined ? undefined : journalCall(context);
      // Should this process be killed while it runs, the next start finds what it changed.
      await this.#records.write({ name: running.id, call, since: running.since, unsure: this.#state.unsure() });
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
    { context, job }: { readonly context: CallContext | undefined; readonly job: GoesOn | undefined },
  ): Promise<Omit<Watched<unknown>, 'result'>> {
    this.#running.splice(this.#running.indexOf(running), 1);
    let problem = blind;
    if (blind === undefined) {
      try {
        running.found.push(await this.#look('after', false));
      } catch (thrown) {
        problem = errorMessage(thrown);
      }
    }
    const { folder } = this.#services;
    const all = reportOf(running, problem);
    const own = await this.#withoutOthers(all.findings, running.id);
    const report = { ...all, findings: mergeFindings([...own.early, ...own.late]) };
    const { id, found } = running;
    const call = context === undefined ? undefined : journalCall(context);
    const isNothing = report.findings.length === 0;
    const finished = isNothing ? report : await recordFindings(this.#services, { report, own, id, call, found });
    if (job !== undefined) this.#goOn(job, call, { findings: all.findings, problem });
    await this.#settle();
    await this.#records.remove(id);
    return { changes: commandChanges(finished, folder), written: report.findings.flatMap(writtenFile) };
  }

  /** What it changes from now on is found by the looks that follow, the last one at its end. */
  #goOn(
    job: GoesOn,
    call: JournalCall | undefined,
    { findings, problem }: { readonly findings: readonly Finding[]; readonly problem: string | undefined },
  ): void {
    if (problem !== undefined) {
      const uncovered = commandChanges({ ...NOTHING_FOUND, problem }, this.#services.folder);
      job.follow(job.ended.then(() => uncovered));
      return;
    }
    const touched = findings.map(({ path }) => path);
    const running = this.#jobs.add(call, touched);
    job.follow(job.ended.then(() => this.#inTurn(() => this.#endJob(running))));
  }

  async #endJob(job: RunningJob): Promise<CommandChanges> {
    const problem = await this.#lookForJobs('after');
    if (problem !== undefined) job.report = { ...job.report, problem };
    return this.#jobs.remove(job);
  }

  /** @returns why it could not be looked */
  async #lookForJobs(when: 'before' | 'after'): Promise<string | undefined> {
    try {
      const look = await this.#look(when, this.#running.length === 0);
      this.#running.at(-1)?.found.push(look);
      await this.#settle();
      return undefined;
    } catch (thrown) {
      return errorMessage(thrown);
    }
  }

  /** What jobs changed until now is written down. Costs nothing while none runs. Never rejects. */
  async catchUp(): Promise<void> {
    if (!this.#jobs.isEmpty) await this.#inTurn(() => this.#lookForJobs('before'));
  }

  /** A call is about to change these files: what jobs did to them until now is theirs. Canonical paths. Never rejects. */
  async beforeChange(paths: readonly string[]): Promise<void> {
    if (this.#jobs.isEmpty) return;
    await this.#inTurn(async () => {
      for (const path of paths) {
        if (await this.#isAsLeft(path)) continue;
        await this.#lookForJobs('before');
        return;
      }
    });
  }

  /** A call has changed these files. */
  afterChange(files: readonly WrittenFile[]): void {
    if (!this.#jobs.isEmpty) for (const { path, hash } of files) this.#left.set(path, hash);
  }

  /** By its content where a call has just changed it: a job may write within the same tick of the clock. */
  async #isAsLeft(path: string): Promise<boolean> {
    const left = this.#left.get(path);
    if (left === undefined) return this.#state.isAsKnown(path);
    const now = await lookAt(this.#gate, path);
    return 'state' in now && (now.state.kind === 'missing' ? MISSING : now.state.hash) === left;
  }

  /** What is left of it when jobs have got their share. */
  async #look(when: 'before' | 'after', isAlone: boolean): Promise<Look> {
    const since = this.#since ?? '';
    const mark = this.#journal.newId();
    const look = await this.#state.look(when);
    this.#since = mark;
    this.#left.clear();
    return this.#jobs.isEmpty ? look : this.#jobs.take(look, { since, isAlone });
  }

  /** All that the last look found is written down: what comes after is for the next start, should this process be killed. */
  async #settle(): Promise<void> {
    await this.#state.save();
    await this.#jobs.writeRecords(this.#since ?? '', () => this.#state.unsure());
  }

  /** What other calls changed meanwhile, in this process or another, is theirs. */
  async #withoutOthers(findings: readonly Finding[], id: string): Promise<OwnFindings> {
    if (findings.length === 0) return { early: [], late: [] };
    const others = await this.#journal.entriesAfter(id).catch(() => []);
    return ownFindings(findings, others);
  }

  /** Looks of commands that overlap come one after the other. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
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

/** Folders that are not looked at. */
export function notTheWork({
  gate,
  folder,
  skip = [],
}: Pick<CommandWatchOptions, 'gate' | 'folder' | 'skip'>): string[] {
  return [gate.tempDir, ...skip, ...ownFolders(folder)];
}

/** What Tenon keeps for itself, wherever it lies: what it writes there is no doing of a command. */
function ownFolders(folder: string): string[] {
  const projects = dirname(dirname(dirname(folder)));
  if (basename(projects) !== 'projects') return [];
  const home = dirname(projects);
  return [home, projects, join(home, 'locks'), join(home, 'logs')];
}
