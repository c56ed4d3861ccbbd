import type { CommandChanges } from '../files/file-changes.js';
import { commandChanges, NOTHING_FOUND, type CommandReport } from './command-entry.js';
import type { JournalCall, JournalEntry } from './journal-entry.js';
import type { JobRecords } from './job-records.js';
import { mergeFindings, type Finding } from './manifest.js';
import { ownFindings } from './own-findings.js';
import { recordFindings, type RecordServices } from './record-findings.js';
import type { Look } from './workspace-look.js';

/** A command that goes on after its call has returned, and what was found of it since. */
export interface RunningJob {
  /** Of its record, and of no entry. */
  readonly name: string;
  readonly call: JournalCall | undefined;
  /** What it changed before: who changes the same again while another command runs, is taken to be it. */
  readonly touched: Set<string>;
  /** Sorts before whatever others write down until the next look. */
  earlyId: string;
  report: CommandReport;
}

export interface RunningJobsOptions extends RecordServices {
  readonly journal: RecordServices['journal'] & {
    entriesAfter(id: string): Promise<readonly JournalEntry[]>;
  };
  readonly records: JobRecords;
}

/** A look, and what was written down since the look before it. */
export interface LookAround {
  /** Entries of others that were made since sort after it. */
  readonly since: string;
  /** False: another command ran meanwhile, so that only what a job changed before is taken for its work. */
  readonly isAlone: boolean;
}

/**
 * The commands that run in the background. Each look gives them their share of what changed, and it is written down at
 * once: a crash loses only what came after the last look, and that the next start finds by the records.
 */
export class RunningJobs {
  readonly #services: RunningJobsOptions;
  readonly #jobs: RunningJob[] = [];

  constructor(services: RunningJobsOptions) {
    this.#services = services;
  }

  get isEmpty(): boolean {
    return this.#jobs.length === 0;
  }

  /** `touched`: what it changed until now. */
  add(call: JournalCall | undefined, touched: readonly string[]): RunningJob {
    const { journal } = this.#services;
    const earlyId = journal.newId();
    const job: RunningJob = { name: earlyId, call, touched: new Set(touched), earlyId, report: NOTHING_FOUND };
    this.#jobs.push(job);
    return job;
  }

  /** It has ended, and the last look was taken: what it changed since its call returned. */
  async remove(job: RunningJob): Promise<CommandChanges> {
    this.#jobs.splice(this.#jobs.indexOf(job), 1);
    await this.#services.records.remove(job.name);
    return commandChanges(job.report, this.#services.folder);
  }

  /** Writes down what of a look is the jobs' work; gives what is left of it. */
  async take(look: Look, around: LookAround): Promise<Look> {
    const { shares, rest } = this.#share(look, around.isAlone);
    const others = shares.size === 0 ? [] : await this.#services.journal.entriesAfter(around.since).catch(() => []);
    for (const job of this.#jobs) {
      const findings = shares.get(job) ?? [];
      if (findings.length > 0) await this.#write(job, { look, findings, others, isAlone: around.isAlone });
      job.earlyId = this.#services.journal.newId();
    }
    return { ...look, findings: rest };
  }

  #share(look: Look, isAlone: boolean): { shares: Map<RunningJob, Finding[]>; rest: Finding[] } {
    const shares = new Map<RunningJob, Finding[]>();
    const rest: Finding[] = [];
    for (const finding of look.findings) {
      const known = this.#jobs.findLast(({ touched }) => touched.has(finding.path));
      const owner = known ?? (isAlone ? this.#jobs.at(-1) : undefined);
      if (owner === undefined) rest.push(finding);
      else shares.set(owner, [...(shares.get(owner) ?? []), finding]);
    }
    return { shares, rest };
  }

  async #write(
    job: RunningJob,
    {
      look,
      findings,
      others,
      isAlone,
    }: {
      readonly look: Look;
      readonly findings: readonly Finding[];
      readonly others: readonly JournalEntry[];
      readonly isAlone: boolean;
    },
  ): Promise<void> {
    const own = ownFindings(findings, others);
    const mine = mergeFindings([...own.early, ...own.late]);
    if (mine.length === 0) return;
    for (const { path } of mine) job.touched.add(path);
    const report = reportOf(look, { findings: mine, isAlone, shared: this.#jobs.length > 1 });
    const { call, earlyId: id } = job;
    const written = await recordFindings(this.#services, { report, own, id, call, found: [look], background: true });
    job.report = together(job.report, written);
  }

  /**
   * For the next start, should this process be killed: when all that was found is written down and the manifest saved.
   * `since`: what others write down from now on sorts after it.
   */
  async writeRecords(since: string, unsure: () => readonly string[] | undefined): Promise<void> {
    if (this.isEmpty) return;
    const lines = unsure();
    for (const { name, call } of this.#jobs) await this.#services.records.write({ name, call, since, unsure: lines });
  }
}

function reportOf(
  { links, unnamable, gitMoved, stopped, unclear }: Look,
  { findings, isAlone, shared }: { readonly findings: Finding[]; readonly isAlone: boolean; readonly shared: boolean },
): CommandReport {
  const own = { findings, lost: [], stopped, unclear, shared: shared || !isAlone };
  // What has no content to compare is told with the command that ran in the foreground.
  if (!isAlone) return { ...own, links: [], unnamable: [], gitMoved: false };
  return { ...own, links: [...links], unnamable: [...unnamable], gitMoved };
}

function together(one: CommandReport, other: CommandReport): CommandReport {
  const all = (first: readonly string[], second: readonly string[]): string[] => [...new Set([...first, ...second])];
  return {
    findings: mergeFindings([...one.findings, ...other.findings]),
    lost: all(one.lost, other.lost),
    links: all(one.links, other.links),
    unnamable: all(one.unnamable, other.unnamable),
    gitMoved: one.gitMoved || other.gitMoved,
    stopped: other.stopped ?? one.stopped,
    unclear: Math.max(one.unclear, other.unclear),
    problem: other.problem ?? one.problem,
    shared: one.shared || other.shared,
  };
}
