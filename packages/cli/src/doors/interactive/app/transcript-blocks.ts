import { makeSafe, safeText, splitLines, type LoggedEvent, type Safe } from '@tenon/core';
import type { TranscriptBlock } from '../panels/view-transcript.js';
import { allItems } from '../state/all-items.js';
import { EMPTY_STATE, type Item } from '../state/session-state.js';
import type { Look } from '../views/block.js';
import type { Transcript } from '../views/transcript.js';

/** The whole session, for the view over the whole screen: each message, answer and call can be opened. */
export function transcriptBlocks(
  history: readonly LoggedEvent[],
  transcript: Pick<Transcript, 'blocksOf'>,
  look: Omit<Look, 'columns' | 'isOpen'>,
): readonly TranscriptBlock[] {
  return allItems(history).map((item) => ({
    key: item.key,
    title: titleOf(item),
    open: (columns) =>
      transcript
        .blocksOf({ ...EMPTY_STATE, items: [item] })
        .flatMap((block) => block.render({ ...look, columns, isOpen: true })),
  }));
}

const LONGEST_TITLE = 200;

function titleOf(item: Item): Safe {
  switch (item.kind) {
    case 'user':
      return safeText`› ${oneLine(item.text)}`;
    case 'answer':
      return oneLine(item.markdown.finished[0]?.source ?? item.markdown.open?.source ?? item.markdown.partial);
    case 'thinking':
      return safeText`(thought) ${oneLine(item.text)}`;
    case 'call':
      return safeText`● ${oneLine(item.start.displayName)} ${oneLine(item.start.title)}`;
    case 'notice':
      return oneLine(item.text);
    case 'shown':
      return splitLines(item.text).find((line) => line.trim() !== '') ?? safeText``;
    case 'images':
      return safeText`${item.images.length} images`;
    default:
      return item satisfies never;
  }
}

function oneLine(text: string): Safe {
  return makeSafe(text.trim().split('\n', 1)[0] ?? '', { maxLength: LONGEST_TITLE });
}
