import { dirname } from 'node:path';
import { errorMessage, Failure } from '../util/failure.js';
import { commandChanges, journalChange, type CommandReport } from './command-entry.js';
import type { ContentPacks } from './content-packs.js';
import type { JournalCall, JournalChange, JournalEntry } from './journal-entry.js';
import type { Journal } from './journal.js';
import type { Finding, KnownFile } from './manifest.js';
import type { OwnFindings } from './own-findings.js';
import type { Look } from './workspace-look.js';

/** Contents that are flushed to the disk one by one; with more, the command would be waited for too long. */
const MAX_DURABLE = 32;
/** Changed files whose new content is kept too: a later edit of the person's is merged with it when the call is undone. */
const MAX_MERGED = 256;
/** Contents written at the same time. */
const AT_ONCE = 8;

export interface RecordServices {
  readonly journal: Pick<Journal, 'keep' | 'record' | 'newId' | 'content'>;
  /** Where the contents of the workspace are kept. */
  readonly packs: Pick<ContentPacks, 'read'>;
  /** For writing down what was found; what is not kept by then cannot be undone. */
  readonly keepMs: number;
  /** Names in sentences are relative to it. */
  readonly folder: string;
}

/** What was found, and whose it is. */
export interface FoundChanges {
  readonly report: CommandReport;
  readonly own: OwnFindings;
  /** Of the entry with the early ones: it sorts before what others changed meanwhile. */
  readonly id: string;
  readonly call: JournalCall | undefined;
  readonly found: readonly Pick<Look, 'madeFolders'>[];
  /** See `JournalEntry`. */
  readonly background?: true;
}

/** Writes what commands changed into the journal, with what an undo needs. Never rejects: the report says what failed. */
export async function recordFindings(services: RecordServices, changed: FoundChanges): Promise<CommandReport> {
  const { journal, folder } = services;
  const { report, own, id, call, found, background } = changed;
  try {
    const early = await keepContents(services, own.early);
    const late = await keepContents(services, own.late);
    const finished = { ...report, lost: [...new Set([...early.lost, ...late.lost])].sort() };
    const { uncovered } = commandChanges(finished, folder);
    const parts = [
      { id, changes: early.changes },
      { id: journal.newId(), changes: late.changes },
    ];
    for (const { id: entryId, changes } of parts) {
      if (changes.length === 0) continue;
      const entry: JournalEntry = {
        version: 1,
        id: entryId,
        time: new Date().toISOString(),
        kind: 'command',
        ...(background === undefined ? {} : { background }),
        ...(call === undefined ? {} : { call }),
        reverts: [],
        changes,
        madeFolders: foldersOf(changes, found),
        ...(uncovered === undefined ? {} : { uncovered }),
      };
      await journal.record(entry);
    }
    return finished;
  } catch (thrown) {
    // A failure of the journal speaks of changes that wait for it; here they are made already.
    const cause = thrown instanceof Failure ? thrown.code : errorMessage(thrown);
    return { ...report, problem: `the journal could not be written (${cause})` };
  }
}

/** Hands the journal what an undo needs: what files were, and what some changed ones are, to merge later changes. */
async function keepContents(
  services: RecordServices,
  findings: readonly Finding[],
): Promise<{ changes: JournalChange[]; lost: string[] }> {
  const deadline = performance.now() + services.keepMs;
  const durable = findings.length <= MAX_DURABLE;
  const changes: JournalChange[] = [];
  const lost: string[] = [];
  await inGroups(findings, async (finding) => {
    const { path, before } = finding;
    const change = performance.now() > deadline ? undefined : journalChange(finding);
    if (change === undefined || (before !== undefined && !(await keep(services, before, durable)))) lost.push(path);
    else changes.push(change);
  });
  const merging = findings.filter(({ before, after }) => before !== undefined && after?.hash !== before.hash);
  await inGroups(merging.slice(0, MAX_MERGED), async ({ after }) => {
    if (after !== undefined && performance.now() < deadline) await keep(services, after, durable);
  });
  return { changes: changes.sort(byPath), lost: lost.sort() };
}

async function keep({ journal, packs }: RecordServices, file: KnownFile, durable: boolean): Promise<boolean> {
  const bytes = packs.read(file);
  // What another call left or found is in the store already.
  if (bytes === undefined) return (await journal.content(file.hash ?? '')) !== undefined;
  await journal.keep(bytes, durable);
  return true;
}

async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let index = 0; index < items.length; index += AT_ONCE) {
    await Promise.all(items.slice(index, index + AT_ONCE).map(work));
  }
}

/** The new folders that hold a change, outermost first. */
function foldersOf(changes: readonly JournalChange[], found: readonly Pick<Look, 'madeFolders'>[]): string[] {
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
