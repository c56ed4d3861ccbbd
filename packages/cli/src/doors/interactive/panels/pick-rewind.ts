import { joinSafe, makeSafe, safeText, type RewindPoint, type Safe } from '@tenon/core';
import type { Stage } from '../screen/stage.js';
import { pickFromList, type ListItem } from './pick-from-list.js';

/** As `Agent.rewind` takes it. */
export interface RewindChoice {
  readonly id: string;
  readonly what: { readonly conversation: boolean; readonly files: boolean };
}

const LISTED_FILES = 3;

/**
 * Lets the person choose a message of theirs, and what goes back to before it. `points`: newest first. Undefined when they
 * leave it; leaving the second question leads back to the first.
 */
export async function pickRewind(
  stage: Stage,
  points: readonly RewindPoint[],
  signal?: AbortSignal,
): Promise<RewindChoice | undefined> {
  let marked: RewindPoint | undefined;
  for (;;) {
    const point: RewindPoint | undefined = await pickFromList(
      stage,
      {
        title: safeText`Go back to before which message?`,
        items: points.map(pointItem),
        filterable: true,
        preselected: marked,
      },
      signal,
    );
    if (point === undefined) return undefined;
    marked = point;
    const items = whatItems(point);
    const what = await pickFromList(stage, { title: whatTitle(point, items.length), items }, signal);
    if (what === 'cancel' || signal?.aborted === true) return undefined;
    if (what !== undefined) return { id: point.id, what };
  }
}

function pointItem(point: RewindPoint): ListItem<RewindPoint> {
  const { changedFiles, hasConversation, text, time } = point;
  const [first = ''] = text.trim().split('\n');
  const files = changedFiles.length === 0 ? 'no files changed since' : `${filesOf(changedFiles.length)} changed since`;
  const only = hasConversation ? '' : ', before what was summarized';
  return { label: first === '' ? '(no words)' : first, detail: `${clockTime(time)}, ${files}${only}`, value: point };
}

/** Local, to the minute. */
function clockTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function filesOf(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

function whatTitle({ changedFiles, text }: RewindPoint, choices: number): Safe {
  const [first = ''] = text.trim().split('\n');
  if (choices === 1) return safeText`Nothing can go back to before “${makeSafe(first, { maxLength: 40 })}”`;
  const names = changedFiles.slice(0, LISTED_FILES).map((name) => makeSafe(name, { maxLength: 60 }));
  const missing = changedFiles.length - names.length;
  const more = missing > 0 ? safeText` and ${missing} more` : safeText``;
  const files = names.length === 0 ? safeText`` : safeText` (changed since: ${joinSafe(names, safeText`, `)}${more})`;
  return safeText`What goes back?${files}`;
}

type What = RewindChoice['what'] | 'cancel';

/** Files only where some were changed, the conversation only where it is still there. */
function whatItems({ changedFiles, hasConversation }: RewindPoint): readonly ListItem<What>[] {
  const count = filesOf(changedFiles.length);
  const both: ListItem<What> = {
    label: 'Conversation and files',
    detail: `the changes of ${count} are taken back`,
    value: { conversation: true, files: true },
  };
  const conversation: ListItem<What> = {
    label: 'Conversation only',
    detail: 'files stay as they are',
    value: { conversation: true, files: false },
  };
  const files: ListItem<What> = {
    label: 'Files only',
    detail: `the changes of ${count} are taken back, the conversation stays`,
    value: { conversation: false, files: true },
  };
  const hasFiles = changedFiles.length > 0;
  return [
    ...(hasConversation && hasFiles ? [both] : []),
    ...(hasConversation ? [conversation] : []),
    ...(hasFiles ? [files] : []),
    { label: 'Nothing', detail: 'cancel', value: 'cancel' },
  ];
}
