import { join } from 'node:path';
import type { GitUser } from '../files/ignore-settings.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { commandChanges, NOTHING_FOUND } from './command-entry.js';
import { FileJournal } from './file-journal.js';
import type { JobRecords, LeftRecord } from './job-records.js';
import { mergeFindings } from './manifest.js';
import { ownFindings } from './own-findings.js';
import { recordFindings } from './record-findings.js';
import { shortId } from './select-entries.js';
import { notTheWork } from './watch-command.js';
import { WATCH_LIMITS, WorkspaceState } from './workspace-look.js';

export interface MendJobsOptions {
  readonly gate: WorkspaceGate;
  /** Absolute: the journal's own. */
  readonly folder: string;
  /** As in `CommandWatchOptions`. */
  readonly gitUser?: GitUser | undefined;
  readonly records: JobRecords;
}

/**
 * Finds out what the commands and jobs of a killed process changed since its last look, and writes it down under the one
 * that began last. Call it when they have ended. A sentence for the person when something was found.
 */
export async function mendJobs({ gate, folder, gitUser, records }: MendJobsOptions): Promise<readonly string[]> {
  const left = await records.left();
  const newest = left.at(-1);
  if (newest === undefined) return [];
  try {
    return await writeDown(newest, { gate, folder, gitUser, records });
  } catch {
    return [`What ${titleOf(newest)} changed after Tenon was killed could not be found out.`];
  } finally {
    for (const { name } of left) await records.remove(name);
  }
}

async function writeDown(left: LeftRecord, { gate, folder, gitUser }: MendJobsOptions): Promise<string[]> {
  const journal = new FileJournal({ gate, folder });
  const watchFolder = join(folder, 'watch');
  const skip = notTheWork({ gate, folder: watchFolder, skip: [folder] });
  const state = new WorkspaceState({ gate, folder: watchFolder, skip, limits: WATCH_LIMITS, gitUser });
  const look = await state.lookAfterRestart(left.time, left.unsure);
  const own = ownFindings(look.findings, await journal.entriesAfter(left.since));
  const findings = mergeFindings([...own.early, ...own.late]);
  if (findings.length === 0) {
    await state.save();
    return [];
  }
  const [root = gate.tempDir] = gate.roots;
  const services = { journal, packs: state.packs, keepMs: WATCH_LIMITS.keepMs, folder: root };
  const id = journal.newId();
  const report = { ...NOTHING_FOUND, findings, stopped: look.stopped, unclear: look.unclear };
  // One entry: it sorts after all that others wrote down, as far as it is known by now.
  const late = [...own.early, ...own.late];
  const found = {
    report,
    own: { early: late, late: [] },
    id,
    call: left.call,
    found: [look],
    background: true as const,
  };
  const { problem, lost } = await recordFindings(services, found);
  await state.save();
  const count = findings.length === 1 ? '1 file' : `${findings.length} files`;
  const head = `${titleOf(left)} was running when Tenon was killed. Since then ${count} changed, by it or by others`;
  if (problem !== undefined || lost.length === findings.length) return [`${head}; undo does not cover that.`];
  const { uncovered } = commandChanges({ ...report, lost }, root);
  const more = uncovered === undefined ? '' : ` ${uncovered}`;
  return [`${head}: \`tenon diff ${shortId(id)}\` shows it, \`tenon undo ${shortId(id)}\` takes it back.${more}`];
}

function titleOf({ call }: LeftRecord): string {
  return call === undefined ? 'A command' : `"${call.title.slice(0, 80)}"`;
}
