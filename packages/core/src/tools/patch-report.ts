import { shownText } from '../util/shown-text.js';
import { explainLost, HUNK_TIER_NOTES } from '../editing/explain-patch.js';
import type { PatchProblem, PlannedFile } from '../editing/plan-patch.js';
import { listRanges, showRegions } from '../output/changed-regions.js';
import { ToolErrorType } from './tool-error.js';

/** Of a patch that was carried out; `notes`: sentences about single files, by key. */
export interface DonePatch {
  readonly files: readonly PlannedFile[];
  readonly shown: (path: string) => string;
  readonly notes: ReadonlyMap<string, string>;
}

/** Regions are shown of the first files; of the others it is said where they changed. */
const MAX_FILES_SHOWN = 5;
const MAX_FILES_LISTED = 100;
const MAX_SPANS = 10;
const MAX_PROBLEMS = 10;
/** Of one explanation: lines of a file can be long. */
const MAX_PROBLEM_CHARS = 3000;

const LETTERS: Readonly<Record<PlannedFile['change'], string>> = {
  added: 'A',
  updated: 'M',
  moved: 'R',
  deleted: 'D',
  left: '',
};

/** What the model is told of a patch that was carried out: each file, where it changed, and how it reads there now. */
export function reportPatch({ files, shown, notes }: DonePatch): string {
  const listed = files.filter(({ change }) => change !== 'left');
  const amount = listed.length === 1 ? '1 file' : `${listed.length} files`;
  const blocks = listed.slice(0, MAX_FILES_LISTED).map((file, index) => {
    const from = file.movedFrom === undefined ? '' : `${shown(file.movedFrom)} → `;
    const facts = [placesOf(file), ...file.tiers.map((tier) => HUNK_TIER_NOTES[tier])].filter((fact) => fact !== '');
    const about = facts.length === 0 ? '' : ` (${facts.join('; ')})`;
    const head = `${LETTERS[file.change]} ${from}${shown(file.path)}${about}${notes.get(file.key) ?? ''}`;
    const isShown = index < MAX_FILES_SHOWN && file.proposed !== null && file.changed.length > 0;
    return isShown
      ? `${head}\n${showRegions({ text: shownText(file.proposed), ranges: file.changed.slice(0, MAX_SPANS) })}`
      : head;
  });
  const more = listed.length > MAX_FILES_LISTED ? [`… and ${listed.length - MAX_FILES_LISTED} more`] : [];
  return [`The patch was applied to ${amount}:`, ...blocks, ...more].join('\n');
}

function placesOf({ change, proposed, changed }: PlannedFile): string {
  if (change === 'added' && proposed !== null) return lineCount(proposed);
  if (changed.length === 0) return '';
  return listRanges(changed);
}

function lineCount(text: string): string {
  const lines = text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
  return lines === 1 ? '1 line' : `${lines} lines`;
}

export interface FailedPatch {
  readonly problems: readonly PatchProblem[];
  readonly shown: (path: string) => string;
  /** Why there is no file, with the nearest names, by path. */
  readonly missing: ReadonlyMap<string, string>;
  /** What else is known of a file, by path: one sentence. */
  readonly notes: ReadonlyMap<string, string>;
}

/** All that is wrong with a patch, and what to send instead; the code is that of the first problem. */
export function explainProblems(failed: FailedPatch): { readonly code: ToolErrorType; readonly message: string } {
  const { problems } = failed;
  const listed = problems.slice(0, MAX_PROBLEMS).map((problem) => {
    const text = explainProblem(problem, failed);
    const bounded =
      text.length > MAX_PROBLEM_CHARS ? `${text.slice(0, text.lastIndexOf('\n', MAX_PROBLEM_CHARS))}\n…` : text;
    return `- ${bounded}`;
  });
  const more = problems.length > MAX_PROBLEMS ? [`… and ${problems.length - MAX_PROBLEMS} more problems.`] : [];
  const [first] = problems;
  const message = ['The patch was not applied; nothing was changed in any file.', ...listed, ...more].join('\n');
  return { code: first === undefined ? ToolErrorType.EXECUTION_FAILED : codeOf(first), message };
}

function explainProblem(problem: PatchProblem, { shown, missing, notes }: FailedPatch): string {
  const path = shown(problem.path);
  const here = `${path} (line ${problem.at} of the patch)`;
  const note = notes.get(problem.path) ?? '';
  switch (problem.reason) {
    case 'exists':
      return `${here}: there is such a file already. Change it with *** Update File:, or choose another name.`;
    case 'missing':
      return `${here}: ${missing.get(problem.path) ?? 'there is no such file.'} A new file is made with *** Add File:.`;
    case 'gone':
      return problem.movedTo === undefined
        ? `${here}: an earlier part of this patch deletes this file.`
        : `${here}: an earlier part of this patch moves this file. Change it as ${shown(problem.movedTo)}, or before it moves.`;
    case 'no-text':
      return `${here}: this is no text file and cannot be patched.`;
    case 'no-change':
      return `${here}: the patch would leave the file as it is.`;
    case 'omission':
      return `${here}: ${problem.detail}`;
    case 'hunk':
      return `${path}: ${explainLost(problem.lost, problem.text)}${note}`;
    default:
      return problem satisfies never;
  }
}

function codeOf(problem: PatchProblem): ToolErrorType {
  switch (problem.reason) {
    case 'exists':
      return ToolErrorType.ATTEMPT_TO_CREATE_EXISTING_FILE;
    case 'missing':
    case 'gone':
      return ToolErrorType.FILE_NOT_FOUND;
    case 'no-text':
      return ToolErrorType.BINARY_FILE;
    case 'no-change':
      return ToolErrorType.EDIT_NO_CHANGE;
    case 'omission':
      return ToolErrorType.INVALID_TOOL_PARAMS;
    case 'hunk': {
      const several = problem.lost.located.found === 'several' || problem.lost.located.found === 'several-anchors';
      return several ? ToolErrorType.EDIT_EXPECTED_OCCURRENCE_MISMATCH : ToolErrorType.EDIT_NO_OCCURRENCE_FOUND;
    }
    default:
      return problem satisfies never;
  }
}
