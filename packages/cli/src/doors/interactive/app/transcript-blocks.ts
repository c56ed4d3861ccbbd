import { agentLabel, makeSafe, safeText, splitLines, type AgentLog, type LoggedEvent, type Safe } from '@tenon/core';
import type { TranscriptBlock } from '../panels/view-transcript.js';
import { allItems } from '../state/all-items.js';
import { EMPTY_STATE, type Item } from '../state/session-state.js';
import type { Look } from '../views/block.js';
import type { Transcript } from '../views/transcript.js';

/**
 * The whole session, for the view over the whole screen: each message, answer and call can be opened. `agents`: the logs of
 * its subagents, of which a call that handed work on shows what they did.
 */
export function transcriptBlocks(
  history: readonly LoggedEvent[],
  transcript: Pick<Transcript, 'blocksOf'>,
  look: Omit<Look, 'columns' | 'isOpen'>,
  agents: readonly Pick<AgentLog, 'agentId' | 'events'>[] = [],
): readonly TranscriptBlock[] {
  const draw = (items: readonly Item[], columns: number, isOpen: boolean): readonly Safe[] =>
    transcript.blocksOf({ ...EMPTY_STATE, items }).flatMap((block) => block.render({ ...look, columns, isOpen }));
  const workFor = (item: Item, columns: number): readonly Safe[] => {
    const { agentId } = (item.kind === 'call' ? item.agent : undefined) ?? {};
    const log = agents.find((agent) => agent.agentId === agentId);
    return log === undefined ? [] : draw(allItems(log.events), columns, false);
  };
  return allItems(history).map((item) => ({
    key: item.key,
    title: titleOf(item),
    open: (columns) => {
      const own = draw([item], columns, true);
      const work = workFor(item, Math.max(1, columns - INDENT.length));
      return work.length === 0 ? own : [...own, ...work.map((line) => safeText`${INDENT}${line}`)];
    },
  }));
}

const INDENT = safeText`  `;

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
      return item.agent === undefined
        ? safeText`● ${oneLine(item.start.displayName)} ${oneLine(item.start.title)}`
        : safeText`● ${oneLine(agentLabel(item.agent.name, item.agent.agentId))} ${oneLine(item.agent.description)}`;
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
