import { displayPath } from '../files/display-path.js';
import type { CommandChanges } from '../files/file-changes.js';
import type { FileState, JournalChange } from './journal-entry.js';
import type { Finding, KnownFile } from './manifest.js';

/** Names that a sentence gives before it counts. */
const MAX_NAMES = 5;

/** What was found, and what of it the journal can hold. */
export interface CommandReport {
  readonly findings: readonly Finding[];
  /** Canonical paths of those findings that cannot be undone. */
  readonly lost: readonly string[];
  readonly links: readonly string[];
  readonly unnamable: readonly string[];
  readonly gitMoved: boolean;
  /** Why the workspace was not seen whole. */
  readonly stopped: 'time' | 'count' | 'root' | undefined;
  /** Files of which it cannot be said whether they changed. */
  readonly unclear: number;
  /** Why nothing could be written down. */
  readonly problem?: string | undefined;
  /** Another command ran meanwhile. */
  readonly shared: boolean;
}

/** Of a command of which nothing was found. */
export const NOTHING_FOUND: CommandReport = {
  findings: [],
  lost: [],
  links: [],
  unnamable: [],
  gitMoved: false,
  stopped: undefined,
  unclear: 0,
  shared: false,
};

/** The journal's change for a finding; undefined when it is not known what the file was or is. */
export function journalChange({ path, before, after }: Finding): JournalChange | undefined {
  const [was, is] = [stateOf(before), stateOf(after)];
  return was === undefined || is === undefined ? undefined : { path, before: was, after: is };
}

function stateOf(file: KnownFile | undefined): FileState | undefined {
  if (file === undefined) return { kind: 'missing' };
  if (file.hash === undefined) return undefined;
  return { kind: 'file', hash: file.hash, bytes: file.bytes ?? file.size, mode: file.mode };
}

export function commandChanges(report: CommandReport, folder: string): CommandChanges {
  const paths = (wanted: (finding: Finding) => boolean): string[] =>
    report.findings
      .filter(wanted)
      .map(({ path }) => path)
      .sort();
  const uncovered = uncoveredSentence(report, folder);
  return {
    created: paths(({ before }) => before === undefined),
    modified: paths(({ before, after }) => before !== undefined && after !== undefined),
    deleted: paths(({ after }) => after === undefined),
    ...(uncovered === undefined ? {} : { uncovered }),
  };
}

/** One sentence on what an undo would leave as it is, or what may have been overlooked. */
export function uncoveredSentence(report: CommandReport, folder: string): string | undefined {
  const { lost, links, unnamable, gitMoved, stopped, unclear, problem, shared } = report;
  const doubts: string[] = [];
  if (problem !== undefined) doubts.push(`undo does not cover this command, because ${problem}`);
  else if (lost.length > 0)
    doubts.push(
      `undo does not cover ${named(lost, folder)} (its content was not kept: too large, unreadable or out of time)`,
    );
  if (links.length > 0) doubts.push(`undo does not cover symbolic links (${named(links, folder)})`);
  if (unnamable.length > 0) doubts.push(`undo does not cover names that are not UTF-8 (${named(unnamable, folder)})`);
  if (gitMoved) doubts.push("undo leaves git's own state (commits, branches, stash) as it is");
  if (stopped !== undefined) doubts.push(`changes may have been missed, because ${STOP_WORDS[stopped]}`);
  else if (unclear > 0)
    doubts.push(`changes to ${counted(unclear)} that were or are hidden from view may have been missed`);
  if (doubts.length > 0 && shared) doubts.push('another command ran at the same time');
  const [first, ...rest] = doubts;
  if (first === undefined) return undefined;
  return `${[first.charAt(0).toUpperCase() + first.slice(1), ...rest].join('; ')}.`;
}

const STOP_WORDS = {
  time: 'looking at the whole workspace takes too long',
  count: 'the workspace holds too many files to look at',
  root: 'a folder of the workspace could not be looked at',
} as const;

function named(paths: readonly string[], folder: string): string {
  const names = paths.slice(0, MAX_NAMES).map((path) => displayPath(path, folder));
  return paths.length > MAX_NAMES ? `${names.join(', ')} and ${paths.length - MAX_NAMES} more` : names.join(', ');
}

function counted(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}
