import type { Message, ToolCallBlock, ToolResultBlock } from '../models/model.js';
import { Kind } from '../tools/tools.js';
import { droppedResult, isSummary, lastWords, shortenedResult } from './compaction.js';
import type { CompactionPlan } from './events.js';

/** What a plan is made of. All sizes in estimated tokens. */
export interface Crowded {
  readonly messages: readonly Message[];
  /** What the messages may take together. */
  readonly target: number;
  /** The newest messages up to this size stay as they are; the last answer with its results always does. */
  readonly protect: number;
  /** What a summary may take. */
  readonly summarySize: number;
  /** True: it is made, and made shorter, although they are not too many. */
  readonly isWished: boolean;
  /** True: what is protected may lose the middle of its results, for nothing else has helped. */
  readonly isLastResort: boolean;
  /** Of a call, as it was declared; undefined when it is not known. */
  readonly kindOf: (callId: string) => Kind | undefined;
  readonly sizeOf: (message: Message) => number;
  /** Of one result. */
  readonly sizeOfResult: (result: ToolResultBlock) => number;
}

/** A plan whose summary is yet to be written: it stands for all messages before the one with index `before`. */
export interface Outline {
  readonly dropped: readonly string[];
  readonly shortened: readonly string[];
  readonly before?: number;
}

/** Results below this size stay: the line in their place would take nearly as much. */
const WORTH_DROPPING = 150;
const WORTH_SHORTENING = 1500;
/** A summary of less than this many times its own size gains too little. */
const WORTH_SUMMARISING = 1.5;

const REPEATABLE: ReadonlySet<Kind | undefined> = new Set<Kind>([Kind.Read, Kind.Search]);

/**
 * What to leave out so that the messages fit: first old results that can be had again, oldest first; then the middle of
 * old, large ones that cannot; then all but the newest, by a summary. Undefined when there is nothing to do, or nothing that
 * can be done. Pure; its time grows with the number of messages.
 */
export function planCompaction(crowded: Crowded): Outline | undefined {
  const { messages, target, isWished, isLastResort } = crowded;
  const sizes = messages.map(crowded.sizeOf);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= target && !isWished) return undefined;
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const protectedFrom = Math.min(
    suffixWithin(sizes, crowded.protect),
    lastAnswer === -1 ? messages.length : lastAnswer,
  );
  const light = isWished ? undefined : lightened(crowded, total, protectedFrom);
  if (light !== undefined && light.size <= target) return light.outline;
  const before = cutOf(crowded, sizes, lastAnswer);
  const start = before ?? 0;
  const rest = light === undefined || before !== undefined ? NOTHING : light.outline;
  const size = before === undefined ? (light?.size ?? total) : sizeAfterCut(crowded, sizes, before);
  const last =
    isLastResort && size > target
      ? shortenedFrom({ crowded, start, excess: size - target, taken: rest.shortened })
      : [];
  const outline: Outline = {
    dropped: rest.dropped,
    shortened: [...rest.shortened, ...last],
    ...(before !== undefined && { before }),
  };
  return outline.dropped.length + outline.shortened.length === 0 && before === undefined ? undefined : outline;
}

/** The plan of an outline whose summary was written. */
export function planOf({ dropped, shortened, before }: Outline, text: string): CompactionPlan {
  return {
    droppedResults: dropped,
    ...(shortened.length > 0 && { shortenedResults: shortened }),
    ...(before !== undefined && { summary: { text, before } }),
  };
}

const NOTHING: Outline = { dropped: [], shortened: [] };

/** The first index from which on all messages together take at most `most`. */
function suffixWithin(sizes: readonly number[], most: number): number {
  let index = sizes.length;
  for (let sum = 0; index > 0; index--) {
    sum += sizes[index - 1] ?? 0;
    if (sum > most) break;
  }
  return index;
}

/** What old results give: those that can be had again, then the middle of those that cannot. */
function lightened(
  crowded: Crowded,
  total: number,
  until: number,
): { readonly outline: Outline; readonly size: number } {
  const dropped: string[] = [];
  const shortened: string[] = [];
  let size = total;
  const old = [...resultsOf(crowded.messages.slice(0, until))];
  const saving = (result: ToolResultBlock, shorter: ToolResultBlock): number =>
    crowded.sizeOfResult(result) - crowded.sizeOfResult(shorter);
  for (const { result, call } of old) {
    if (size <= crowded.target) break;
    if (result.isError || !REPEATABLE.has(crowded.kindOf(result.callId))) continue;
    if (crowded.sizeOfResult(result) < WORTH_DROPPING) continue;
    const saved = saving(result, droppedResult(result, call));
    if (saved <= 0) continue;
    dropped.push(result.callId);
    size -= saved;
  }
  const gone = new Set(dropped);
  for (const { result } of old) {
    if (size <= crowded.target) break;
    if (gone.has(result.callId) || crowded.sizeOfResult(result) < WORTH_SHORTENING) continue;
    // What a person decided and said.
    if (crowded.kindOf(result.callId) === Kind.Think) continue;
    const saved = saving(result, shortenedResult(result));
    if (saved <= 0) continue;
    shortened.push(result.callId);
    size -= saved;
  }
  return { outline: { dropped, shortened }, size };
}

/**
 * Where the verbatim part begins: at an answer, so that no call loses its result and no user's message is cut in two; as
 * early as fits. Undefined when a summary of what is before would gain nothing.
 */
function cutOf(crowded: Crowded, sizes: readonly number[], lastAnswer: number): number | undefined {
  if (lastAnswer <= 0) return undefined;
  const { messages, target, protect } = crowded;
  let best = lastAnswer;
  let tail = 0;
  for (let index = messages.length - 1; index > 0; index--) {
    tail += sizes[index] ?? 0;
    if (tail > protect) break;
    if (messages[index]?.role !== 'assistant' || index > lastAnswer) continue;
    if (sizeAfterCut(crowded, sizes, index) > target) break;
    best = index;
  }
  const gained = sizes.slice(0, best).reduce((sum, size) => sum + size, 0) - stayingSize(crowded, best);
  return gained > crowded.summarySize * WORTH_SUMMARISING ? best : undefined;
}

/** Of what is before a cut: the user's last words, and an earlier summary, which a new one holds too. */
function stayingSize(crowded: Crowded, before: number): number {
  const summaries = crowded.messages
    .slice(0, before)
    .flatMap((message) => (message.role === 'user' ? message.content.filter(isSummary) : []));
  const size = summaries.length === 0 ? 0 : crowded.sizeOf({ role: 'user', content: summaries });
  return size + wordsSize(crowded, before);
}

function sizeAfterCut(crowded: Crowded, sizes: readonly number[], before: number): number {
  const tail = sizes.slice(before).reduce((sum, size) => sum + size, 0);
  return tail + crowded.summarySize + wordsSize(crowded, before);
}

/** What of the user's words stands behind the summary. */
function wordsSize({ messages, sizeOf }: Crowded, before: number): number {
  const content = lastWords(messages, before);
  return content.length === 0 ? 0 : sizeOf({ role: 'user', content });
}

interface Squeeze {
  readonly crowded: Crowded;
  readonly start: number;
  readonly excess: number;
  readonly taken: readonly string[];
}

/** The largest first: as few as possible lose something. */
function shortenedFrom({ crowded, start, excess, taken }: Squeeze): string[] {
  const results = [...resultsOf(crowded.messages.slice(start))]
    .map(({ result }) => result)
    .filter(({ callId }) => !taken.includes(callId))
    .map((result) => ({ result, saved: crowded.sizeOfResult(result) - crowded.sizeOfResult(shortenedResult(result)) }))
    .filter(({ saved }) => saved > 0)
    .toSorted((left, right) => right.saved - left.saved);
  const chosen: string[] = [];
  let left = excess;
  for (const { result, saved } of results) {
    if (left <= 0) break;
    chosen.push(result.callId);
    left -= saved;
  }
  return chosen;
}

function* resultsOf(
  messages: readonly Message[],
): Generator<{ readonly result: ToolResultBlock; readonly call: ToolCallBlock | undefined }> {
  const calls = new Map<string, ToolCallBlock>();
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const block of message.content) if (block.type === 'tool-call') calls.set(block.id, block);
    if (message.role !== 'tool') continue;
    for (const result of message.content) yield { result, call: calls.get(result.callId) };
  }
}
