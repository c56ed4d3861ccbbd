import { shownText } from '../util/shown-text.js';
import { listRanges, showRegions, type LineRange } from './changed-regions.js';
import { inFence, reportMiss, type MissedTarget } from './miss-report.js';

const MAX_LISTED = 10;
/** So many candidates are counted; there may be more. */
const COUNTED_AT_MOST = 1000;

/** How a target was found when not by exact match. */
const TIER_NOTES: Readonly<Record<string, string>> = {
  'line-endings': 'matched with the line endings of the file',
  'trailing-space': 'matched without white space at line ends',
  indentation: 'matched with another indentation; new_string was indented to fit',
  'look-alikes': 'matched with characters that look the same; those of the file were kept',
  escapes: 'matched without one level of escapes; they were taken out of new_string too',
  'line-numbers': 'matched without the line numbers of a listing',
  elided: 'matched around the lines it leaves out; they were kept',
};

export interface DoneEdit {
  readonly path: string;
  readonly isNewFile: boolean;
  readonly newContent: string;
  /** Where the new text stands; empty when the whole file is new. */
  readonly changed: readonly LineRange[];
  /** One for each edit asked for. */
  readonly steps: readonly { readonly tier: string; readonly count: number }[];
  /** The file was another than the one that the caller had seen; by whom, when that is known. */
  readonly elsewhere?: { readonly by: string | undefined } | undefined;
}

/** What the model is told of edits that were made: the places, and how they read now (S96). */
export function reportEdit({ path, isNewFile, newContent, changed, steps, elsewhere }: DoneEdit): string {
  if (changed.length === 0) return `Successfully modified file: ${isNewFile ? 'created' : 'filled'} ${path}.`;
  const shown = changed.slice(0, MAX_LISTED);
  const count = steps.reduce((sum, step) => sum + step.count, 0);
  const edits = steps.length === 1 ? '' : `${steps.length} edits, `;
  const amount = `${edits}${count} ${count === 1 ? 'replacement' : 'replacements'}`;
  const region = showRegions({ text: shownText(newContent), ranges: shown });
  const notes = steps.flatMap((step, index) => tierNote(step.tier, steps.length === 1 ? '' : `Edit ${index + 1}: `));
  const note = [...notes.slice(0, MAX_LISTED), ...(elsewhere === undefined ? [] : [changedElsewhere(elsewhere)])]
    .map((one) => ` ${one}`)
    .join('');
  return `Successfully modified file: ${path} (${amount}, ${listRanges(changed)}).${note} It now reads:\n${region}`;
}

function tierNote(tier: string, which: string): string[] {
  const note = TIER_NOTES[tier];
  return note === undefined ? [] : [`${which}old_string ${note}.`];
}

/** What is said when an edit landed in a file that is another than the one its caller had seen. */
export function changedElsewhere({ by }: { readonly by: string | undefined }): string {
  const whose = by === undefined ? '' : ` by another call (${by})`;
  return `The file had changed elsewhere${whose} since you read it; read it again before you rely on other parts of it.`;
}

/** Says why a new text was refused, in which line, and what to send instead if that is known. */
export interface RefusedText {
  readonly detail: string;
  /** The line of the new text, 1-based. */
  readonly line: number;
  readonly send?: string;
}

/** Why an edit was not made. */
export type FailedEdit =
  | { readonly reason: 'no-change' | 'file-exists' | 'missing-file' }
  | {
      readonly reason: 'several' | 'count';
      readonly tier: string;
      readonly count: number;
      readonly lines: readonly number[];
    }
  | ({ readonly reason: 'omission' | 'line-numbers' | 'call-text' | 'indentation' } & RefusedText)
  | { readonly reason: 'not-found'; readonly miss: MissedTarget };

export interface EditFailureReport {
  readonly path: string;
  readonly failure: FailedEdit;
  /** How many places were asked for. */
  readonly expected: number | undefined;
  /** Which of how many edits, from 1. */
  readonly edit: number;
  readonly edits: number;
  readonly readTool: string;
  readonly writeTool: string;
}

/** What the model is told of an edit that cannot be made: the cause and the next step (S92–S94). */
export function reportFailedEdit(report: EditFailureReport): string {
  const message = messageOf(report);
  const { edit, edits } = report;
  return edits === 1 ? message : `Edit ${edit} of ${edits} failed, so none of them was made. ${message}`;
}

function messageOf({ path, failure, expected, readTool, writeTool }: EditFailureReport): string {
  switch (failure.reason) {
    case 'file-exists':
      return `File already exists: ${path}. Use ${writeTool} to overwrite it, or provide old_string to change a part of it.`;
    case 'missing-file':
      return `File not found: ${path}. An empty old_string creates a new file.`;
    case 'no-change':
      return `No change: the edit would leave ${path} as it is. old_string and new_string must differ.`;
    case 'several':
      return `old_string matches ${places(failure)} in ${path}${tierOf(failure)}, at ${linesOf(failure)}. Nothing was changed. Add more lines of context to make it unique, or set replace_all to true.`;
    case 'count':
      return `old_string matches ${places(failure)} in ${path}${tierOf(failure)}, at ${linesOf(failure)}, but expected_replacements is ${expected ?? 1}. Nothing was changed. Correct the number, or add more lines of context to old_string.`;
    case 'omission':
    case 'line-numbers':
    case 'call-text':
    case 'indentation':
      return `Refused; nothing was changed in ${path}. ${explainRefused(failure, 'new_string')}`;
    case 'not-found':
      break;
  }
  return reportMiss({ path, ...failure.miss, readTool });
}

const MAX_SENT = 1000;

/** `name`: the parameter that held the text. */
export function explainRefused({ detail, line, send }: RefusedText, name: string): string {
  const instead = send === undefined || send.length > MAX_SENT ? '' : `\nThe ${name} to send:\n${inFence(send)}`;
  return `Line ${line} of ${name}: ${detail}${instead}`;
}

interface Places {
  readonly tier: string;
  readonly count: number;
  readonly lines: readonly number[];
}

function places({ count }: Places): string {
  if (count === 1) return '1 place';
  return `${count >= COUNTED_AT_MOST ? `at least ${count}` : count} places`;
}

function linesOf({ count, lines }: Places): string {
  return `line${count === 1 ? '' : 's'} ${lines.join(', ')}${count > lines.length ? ', …' : ''}`;
}

function tierOf({ tier }: Places): string {
  const note = TIER_NOTES[tier]?.split(';')[0];
  return note === undefined ? '' : ` (${note})`;
}
