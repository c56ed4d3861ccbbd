import type { MediaBlock, Message, TextBlock, ToolCallBlock, ToolResultBlock } from '../models/model.js';
import { groupDigits } from '../util/group-digits.js';
import type { CompactionPlan } from './events.js';

const SUMMARY_OPENS = '<conversation-summary>';
const SUMMARY_CLOSES = '</conversation-summary>';
const LEFT_OUT = '[Left out to save room: ';
/** Of the arguments of a call whose result was left out, in characters. */
const SHOWN_ARGUMENTS = 300;
/** Of a result that cannot be had again this much stays, in characters. */
const KEPT_HEAD = 1200;
const KEPT_TAIL = 1200;
/** Of a text of the user that would be taken away with what is summarised. */
const KEPT_WORDS = 24_000;

/**
 * The messages that a plan makes of those before it. Pure: the same for the live conversation and for its log. Every call
 * keeps exactly one result, and the user's last message stays whatever is summarised.
 */
export function applyCompaction(messages: readonly Message[], plan: CompactionPlan): readonly Message[] {
  const shorter = withShorterResults(messages, plan);
  if (plan.summary === undefined) return shorter;
  const { text, before } = plan.summary;
  const tail = shorter.slice(before);
  const kept = lastWords(shorter, before);
  return [{ role: 'user', content: [{ type: 'text', text }, ...kept] }, ...tail];
}

/** What of the user's last message has to stand behind a summary of all messages before `before`: nothing where it is not among them. */
export function lastWords(messages: readonly Message[], before: number): readonly (TextBlock | MediaBlock)[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[last];
  if (message?.role !== 'user' || last >= before) return [];
  return message.content.filter((block) => !isSummary(block)).map(clipped);
}

export function isSummary(block: TextBlock | MediaBlock): boolean {
  return block.type === 'text' && block.text.startsWith(SUMMARY_OPENS);
}

/** A summary as the model reads it. */
export function framedSummary(parts: readonly string[]): string {
  return [
    SUMMARY_OPENS,
    'The conversation before this point was made shorter. This is what is left of it; what follows is the newest part of it, word for word.',
    ...parts.map((part) => `\n${part.replaceAll(SUMMARY_CLOSES, '').replaceAll(SUMMARY_OPENS, '')}`),
    SUMMARY_CLOSES,
  ].join('\n');
}

/** The text of a summary without its frame. */
export function unframed(text: string): string {
  return text.replace(SUMMARY_OPENS, '').replace(SUMMARY_CLOSES, '').trim();
}

function withShorterResults(messages: readonly Message[], plan: CompactionPlan): readonly Message[] {
  const dropped = new Set(plan.droppedResults);
  const shortened = new Set(plan.shortenedResults);
  if (dropped.size + shortened.size === 0) return messages;
  const calls = new Map<string, ToolCallBlock>();
  return messages.map((message): Message => {
    if (message.role === 'assistant')
      for (const block of message.content) if (block.type === 'tool-call') calls.set(block.id, block);
    if (message.role !== 'tool') return message;
    let isChanged = false;
    const content = message.content.map((result) => {
      const shorter = dropped.has(result.callId)
        ? droppedResult(result, calls.get(result.callId))
        : shortened.has(result.callId)
          ? shortenedResult(result)
          : result;
      isChanged ||= shorter !== result;
      return shorter;
    });
    return isChanged ? { role: 'tool', content } : message;
  });
}

/** What stands in place of a result that was dropped; itself where it was dropped before. */
export function droppedResult(result: ToolResultBlock, call: ToolCallBlock | undefined): ToolResultBlock {
  const [first] = result.content;
  if (result.content.length === 1 && first?.type === 'text' && first.text.startsWith(LEFT_OUT)) return result;
  const given = call === undefined ? '' : ` ${cut(call.argumentsText, SHOWN_ARGUMENTS)}`;
  const text = `${LEFT_OUT}the result of ${result.name}${given} (${sizeOf(result)}). Make the call again if you need it.]`;
  return { ...result, content: [{ type: 'text', text }] };
}

/** Beginning and end of its text, which say most of a command; media go. Itself where that is all there is. */
export function shortenedResult(result: ToolResultBlock): ToolResultBlock {
  const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const media = result.content.length - texts.length;
  const whole = texts.join('\n');
  const text = headAndTail(whole, KEPT_HEAD, KEPT_TAIL);
  if (text === whole && media === 0) return result;
  const note = media === 0 ? '' : `\n${LEFT_OUT}${media === 1 ? 'one attachment' : `${media} attachments`}.]`;
  return { ...result, content: [{ type: 'text', text: text + note }] };
}

function clipped(block: TextBlock | MediaBlock): TextBlock | MediaBlock {
  if (block.type !== 'text') return block;
  const text = headAndTail(block.text, KEPT_WORDS / 2, KEPT_WORDS / 2);
  return text === block.text ? block : { type: 'text', text };
}

/** The text with its middle left out, where that makes it shorter. In characters; no surrogate pair is cut. */
export function headAndTail(text: string, atHead: number, atTail: number): string {
  const [head, tail] = [Math.floor(atHead), Math.floor(atTail)];
  const left = text.length - head - tail;
  if (left <= 200) return text;
  const first = text.slice(0, isHigh(text, head - 1) ? head - 1 : head);
  const from = text.length - tail;
  const last = text.slice(isHigh(text, from - 1) ? from + 1 : from);
  return `${first}\n${LEFT_OUT}${groupDigits(left)} characters of the middle.]\n${last}`;
}

export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, isHigh(text, most - 1) ? most - 1 : most)}…`;
}

/** Whether a character is the first half of a pair. */
function isHigh(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}

function sizeOf({ content }: ToolResultBlock): string {
  const characters = content.reduce((total, block) => total + (block.type === 'text' ? block.text.length : 0), 0);
  const media = content.filter((block) => block.type === 'media').length;
  const shown = `${groupDigits(characters)} characters`;
  return media === 0 ? shown : `${shown}, ${media === 1 ? 'one attachment' : `${media} attachments`}`;
}
