import {
  diffView,
  joinSafe,
  safeText,
  type ChangedPath,
  type ChangeDiff,
  type ChangeLog,
  type DiffedPath,
  type LoggedCall,
  type LoggedChanges,
  type Painter,
  type RevertReport,
  type RevertedFile,
  type Safe,
} from '@tenon/core';
import { safeLine } from './safe-lines.js';

/** Files of one call that the log lists. */
const FILES_SHOWN = 8;
const LETTERS = { created: 'A', modified: 'M', deleted: 'D' } as const;

/** The calls of the log, each with its files. */
export function logLines({ calls, more }: ChangeLog, paint: Painter): Safe {
  if (calls.length === 0) return safeText`Nothing was changed here. For another project, name its folder with --cwd.\n`;
  const width = String(Math.max(...calls.map(({ number }) => number ?? 0))).length;
  const lines = calls.flatMap((call) => callLines(call, width, paint));
  const rest = more === 0 ? [] : [safeText`… and ${more} more; "tenon log ${calls.length + more}" lists them all`];
  return joinLines([...lines, ...rest]);
}

function callLines(call: LoggedChanges, width: number, paint: Painter): Safe[] {
  const number = safeLine((call.number === undefined ? '·' : String(call.number)).padStart(width));
  const state = call.undone ? safeText` ${paint('yellow', safeText`(undone)`)}` : safeText``;
  const head = safeText`${number}  ${paint('dim', safeLine(localTime(call.time)))}  ${paint('cyan', safeLine(call.id))}  ${what(call, paint)}${state}`;
  const indent = safeLine(' '.repeat(width + 4));
  const files = call.files.slice(0, FILES_SHOWN).map((file) => safeText`${indent}${fileLine(file)}`);
  const hidden = call.files.length - files.length;
  const rest = hidden === 0 ? [] : [safeText`${indent}… and ${hidden} more files`];
  const uncovered = call.uncovered.map((sentence) => safeText`${indent}${paint('yellow', safeLine(sentence))}`);
  return [head, ...files, ...rest, ...uncovered];
}

function what(call: LoggedCall, paint: Painter): Safe {
  if (call.kind === 'undo' || call.kind === 'redo') {
    return safeText`${paint('bold', safeLine(call.kind))} of ${safeLine(call.calls.join(', '))}`;
  }
  const turn = call.turn === undefined ? safeText`` : safeText` ${paint('dim', safeText`turn ${call.turn}`)}`;
  const later =
    call.background === true ? safeText` ${paint('yellow', safeText`(while it ran in the background)`)}` : safeText``;
  return safeText`${nameOf(call, paint)}${turn}${later}`;
}

function nameOf({ toolName = 'change', title = '' }: LoggedCall, paint: Painter): Safe {
  return safeText`${paint('bold', safeLine(toolName))} ${safeLine(title)}`;
}

function fileLine({ change, name, added, removed, note }: ChangedPath): Safe {
  const counts = added === undefined || removed === undefined ? '' : ` +${added} -${removed}`;
  const remark = note === undefined ? '' : ` (${note})`;
  return safeLine(`${LETTERS[change]} ${name}${counts}${remark}`);
}

export interface DiffLook {
  readonly paint: Painter;
  readonly colour: boolean;
  readonly columns: number;
}

/** The diff of every file, with what a diff cannot say. */
export function diffLines(found: ChangeDiff, { paint, colour, columns }: DiffLook): Safe {
  const heads = found.calls.map((call) => safeText`${paint('cyan', safeLine(call.id))}  ${nameOf(call, paint)}`);
  const files = found.files.flatMap((file) => [
    ...(file.diff === undefined ? [] : [diffView(file.diff, { colour, columns })]),
    ...noteOf(file).map((note) => paint('yellow', safeLine(note))),
  ]);
  return joinLines([...heads, ...files]);
}

/** What a diff cannot say, a sentence each. */
export function diffNotes({ files }: ChangeDiff): string[] {
  return files.flatMap(noteOf);
}

function noteOf({ name, change, diff, note, changedSince }: DiffedPath): string[] {
  const hasNothing = diff === undefined && note === undefined;
  return [
    ...(note === undefined ? [] : [`${name} was ${change}: ${note}`]),
    ...(hasNothing ? [`${name} was ${change}; it is empty`] : []),
    ...(changedSince ? [`${name} has changed since`] : []),
  ];
}

const WORDS: Readonly<Record<RevertedFile['result'], string>> = {
  restored: 'restored',
  recreated: 'put back',
  deleted: 'deleted',
  merged: 'restored, with what was changed since kept',
  unchanged: 'was so already',
  left: 'left alone',
};

/** How undoing and redoing are said where the report is read: `tenon redo` in a shell, `/redo` in a session. */
export type ChangeCaller = 'tenon ' | '/';

/** What an undo or a redo did, or would do. */
export function revertLines(report: RevertReport, caller: ChangeCaller = 'tenon '): Safe {
  const { kind, dryRun, calls, files, entryId } = report;
  const verb = kind === 'undo' ? 'take back' : 'make again';
  const done = kind === 'undo' ? 'Took back' : 'Made again';
  const number = `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
  const isDone = entryId !== undefined;
  const head = dryRun ? `Would ${verb} ${number}:` : isDone ? `${done} ${number}:` : `Could not ${verb} ${number}:`;
  const again = `"${caller}redo" makes it again.`;
  // What was left alone counts as taken back too.
  const retry = `Once nothing is in the way of what was left alone, "${caller}redo" and then "${caller}undo" take it back too.`;
  const next = isDone && kind === 'undo' ? [safeLine(report.complete ? again : `${again} ${retry}`)] : [];
  return joinLines([
    safeLine(head),
    ...calls.map(({ id, toolName, title }) => safeLine(`  ${id}  ${toolName ?? 'change'} ${title ?? ''}`)),
    ...files.map((file) => safeLine(`  ${file.path}: ${outcomeOf(file)}`)),
    ...[...new Set(calls.flatMap(({ uncovered }) => uncovered))].map((sentence) => safeLine(`  ${sentence}`)),
    ...report.beside.map((one) => safeLine(`  ${besideLine(one, caller)}`)),
    ...next,
  ]);
}

/** Others may have worked on the same files while the job ran: it is not taken back unasked. */
function besideLine({ id, title, files }: RevertReport['beside'][number], caller: ChangeCaller): string {
  const count = files === 1 ? '1 file' : `${files} files`;
  return `While "${title}" ran in the background, ${count} changed, by it or by others; "${caller}undo ${id}" takes that back.`;
}

function outcomeOf({ result, reason, lines = [] }: RevertedFile): string {
  const ranges = lines.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`));
  const where = ranges.length === 0 ? '' : ` (${ranges.length === 1 ? 'line' : 'lines'} ${ranges.join(', ')})`;
  return `${WORDS[result]}${reason === undefined ? '' : `: ${reason}`}${where}`;
}

/** The time of day here, to the second. */
function localTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

function joinLines(lines: readonly Safe[]): Safe {
  return joinSafe(
    lines.map((line) => safeText`${line}\n`),
    safeText``,
  );
}
