import { errorMessage } from '../util/failure.js';
import { estimateTokens, MOST_TOKENS, tokensToUnits, tokenUnits } from './estimate-tokens.js';

/** Of one UTF-16 unit. */
const MOST_UTF8_BYTES = 3;

/** The parts of a tool's result by their shape; the tools' own `Part` is one. */
export interface BudgetText {
  readonly text: string;
}
export interface BudgetMedia {
  readonly inlineData: { readonly data: string; readonly mimeType: string };
}
export type BudgetPart = BudgetText | BudgetMedia;

export interface BudgetLimits {
  /** UTF-8 bytes of all text together. */
  readonly maxBytes: number;
  /** Estimated tokens of all text together. */
  readonly maxTokens: number;
  /** Base64 characters of all media together. */
  readonly maxMediaBytes: number;
}

export interface BudgetRequest extends BudgetLimits {
  readonly content: string | BudgetPart | readonly (string | BudgetPart)[];
  /** Saves a text and returns the path of the file. */
  readonly spill: (text: string) => Promise<string>;
  /** The tools that can open that file, by the names the model knows. */
  readonly openWith: readonly string[];
}

/**
 * The content within its limits, whatever it is: text keeps its head and its tail, whole lines where possible and
 * never half a character; all of it goes to a file that the notice names. Media beyond the limit become a note.
 */
export async function fitToBudget(request: BudgetRequest): Promise<BudgetPart[]> {
  const { content, maxMediaBytes } = request;
  const parts = limitMedia(asParts(content), maxMediaBytes);
  const texts = parts.filter(isText).map((part) => part.text);
  if (fits(texts, request)) return parts;
  const media = parts.filter((part) => !isText(part));
  // Where media stood is lost when the middle of the text is; the model still gets them, after the text.
  const text = await shorten(texts.join('\n'), request);
  return text === '' ? media : [{ text }, ...media];
}

/** Fits both ends of an output, in whole lines, into a budget of tokens. The output's middle is missing already. */
export function fitEnds(
  head: string,
  tail: string,
  maxTokens: number,
): { readonly head: string; readonly tail: string } {
  const half = { bytes: Infinity, units: tokensToUnits(maxTokens) / 2 };
  return { head: wholeLinesOfHead(cutHead(head, half)), tail: wholeLinesOfTail(cutTail(tail, half)) };
}

/** True only for text that is so short that its bytes and tokens need not be counted. */
export function isSurelyWithin(parts: readonly BudgetPart[], { maxBytes, maxTokens }: BudgetLimits): boolean {
  const most = Math.min(maxBytes / MOST_UTF8_BYTES, maxTokens / MOST_TOKENS - parts.length);
  let length = 0;
  for (const part of parts) {
    if (!isText(part)) return false;
    length += part.text.length;
  }
  return length <= most;
}

function asParts(content: BudgetRequest['content']): BudgetPart[] {
  const list = isList(content) ? content : [content];
  return list.map((part) => (typeof part === 'string' ? { text: part } : part));
}

function isList(content: BudgetRequest['content']): content is readonly (string | BudgetPart)[] {
  return Array.isArray(content);
}

function isText(part: BudgetPart): part is BudgetText {
  return 'text' in part;
}

function limitMedia(parts: readonly BudgetPart[], maxMediaBytes: number): BudgetPart[] {
  let used = 0;
  return parts.map((part) => {
    if (isText(part)) return part;
    const { data, mimeType } = part.inlineData;
    if (used + data.length > maxMediaBytes) {
      const size = Math.floor((data.length * 3) / 4);
      return { text: `[${mimeType} of ${size} bytes left out: over the limit for media in one result.]` };
    }
    used += data.length;
    return part;
  });
}

function fits(texts: readonly string[], { maxBytes, maxTokens }: BudgetLimits): boolean {
  let bytes = 0;
  let tokens = 0;
  for (const text of texts) {
    bytes += Buffer.byteLength(text);
    if (bytes > maxBytes) return false;
    tokens += estimateTokens(text);
    if (tokens > maxTokens) return false;
  }
  return true;
}

async function shorten(text: string, request: BudgetRequest): Promise<string> {
  const place = await save(text, request);
  const worst = notice({ bytes: Buffer.byteLength(text), lines: text.length, place });
  const room = {
    bytes: request.maxBytes - Buffer.byteLength(worst),
    units: tokensToUnits(request.maxTokens - estimateTokens(worst)),
  };
  if (room.bytes <= 0 || room.units <= 0)
    return cutHead(worst, { bytes: request.maxBytes, units: tokensToUnits(request.maxTokens) });
  const half = { bytes: Math.floor(room.bytes / 2), units: Math.floor(room.units / 2) };
  const head = wholeLinesOfHead(cutHead(text, half));
  const tail = wholeLinesOfTail(cutTail(text.slice(head.length), half));
  const left = text.slice(head.length, text.length - tail.length);
  return `${head}${notice({ bytes: Buffer.byteLength(left), lines: countLines(left), place })}${tail}`;
}

async function save(text: string, { spill, openWith }: BudgetRequest): Promise<string> {
  try {
    const path = await spill(text);
    const tools = openWith.length === 0 ? '' : ` Open it with ${openWith.join(' or ')}.`;
    return `All of it is in ${path}.${tools}`;
  } catch (thrown) {
    return `It could not be saved to a file: ${errorMessage(thrown).slice(0, 200)}`;
  }
}

interface LeftOut {
  readonly bytes: number;
  readonly lines: number;
  readonly place: string;
}

/** Never longer for smaller numbers, so that room reserved for the largest is always enough. */
function notice({ bytes, lines, place }: LeftOut): string {
  return `\n[… ${bytes} bytes (${lines} lines) left out here. ${place} …]\n`;
}

interface Room {
  readonly bytes: number;
  /** See `tokenUnits`. */
  readonly units: number;
}

/** The longest start of the text that fits. */
function cutHead(text: string, room: Room): string {
  let { bytes, units } = room;
  let index = 0;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    const pair = isHigh(unit) && isLow(text.charCodeAt(index + 1));
    bytes -= pair ? 4 : utf8Length(unit);
    units -= tokenUnits(unit) * (pair ? 2 : 1);
    if (bytes < 0 || units < 0) break;
    index += pair ? 2 : 1;
  }
  return text.slice(0, index);
}

/** The longest end of the text that fits. */
function cutTail(text: string, room: Room): string {
  let { bytes, units } = room;
  let index = text.length;
  while (index > 0) {
    const unit = text.charCodeAt(index - 1);
    const pair = isLow(unit) && isHigh(text.charCodeAt(index - 2));
    bytes -= pair ? 4 : utf8Length(unit);
    units -= tokenUnits(unit) * (pair ? 2 : 1);
    if (bytes < 0 || units < 0) break;
    index -= pair ? 2 : 1;
  }
  return text.slice(index);
}

/** Up to the last line end, unless that would throw away more than half. */
function wholeLinesOfHead(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  return end > text.length / 2 ? text.slice(0, end) : text;
}

function wholeLinesOfTail(text: string): string {
  const start = text.indexOf('\n') + 1;
  return start < text.length / 2 ? text.slice(start) : text;
}

function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function utf8Length(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
