import { estimateTokens } from '../output/estimate-tokens.js';
import { fitWindow } from '../output/fit-window.js';
import { ToolError, ToolErrorType } from './tool-error.js';
import type { InlineDataPart } from './tool-result.js';
import type { Reading } from './read-source.js';
import { MAX_TEXT_BYTES, MAX_TEXT_TOKENS } from './read-text.js';

/** What was asked for of a file that has pages or cells. */
export interface SectionWish {
  /** As the model gave it. */
  readonly pages?: string | undefined;
  readonly place: { readonly offset: number; readonly column: number };
}

export interface SectionLimits {
  /** Of the text given. */
  readonly maxBytes: number;
  readonly maxTokens: number;
}

/** A page of a PDF or a cell of a notebook. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  readonly images?: readonly InlineDataPart[];
}

export interface SectionRange {
  /** Numbers of sections, from 1; `last` is included. */
  readonly first: number;
  readonly last: number;
  /** Lines to skip in the first section, and bytes in the first line after them: where an answer before was cut. */
  readonly offset: number;
  readonly column: number;
}

export interface SectionRequest extends SectionRange, SectionLimits {
  readonly section: (number: number) => Promise<Section>;
  readonly signal: AbortSignal;
}

export interface SectionPlace {
  readonly section: number;
  readonly offset: number;
  readonly column: number;
}

export interface SectionAnswer {
  readonly text: string;
  readonly images: readonly InlineDataPart[];
  /** The last section of which something is given. */
  readonly last: number;
  /** Where to go on; undefined when all that was asked for is given. */
  readonly next: SectionPlace | undefined;
}

/**
 * Whole sections under their titles while they fit; only a first section that is too large alone is cut, and then
 * after a whole line where it has one that fits.
 */
export async function readSections(request: SectionRequest): Promise<SectionAnswer> {
  const { first, last, signal } = request;
  let { maxBytes, maxTokens } = request;
  const texts: string[] = [];
  const images: InlineDataPart[] = [];
  const answer = (end: number, next?: SectionPlace): SectionAnswer => ({
    text: texts.join('\n'),
    images,
    last: end,
    next,
  });
  for (let number = first; number <= last; number += 1) {
    signal.throwIfAborted();
    const section = await request.section(number);
    const isFirst = number === first;
    const [offset, column] = isFirst ? [request.offset, request.column] : [0, 0];
    const title = `--- ${section.title} ---`;
    const limits = {
      maxBytes: maxBytes - Buffer.byteLength(title) - 1,
      maxTokens: maxTokens - estimateTokens(`${title}\n`),
    };
    const window = fitWindow(
      {
        lines: linesFrom(section.lines, offset, column),
        startColumn: column,
        cutColumn: undefined,
        nextOffset: undefined,
      },
      { offset, ...limits, numbered: false },
    );
    const isCut = window.cutColumn !== undefined || window.nextOffset !== undefined;
    const fits = !isCut && limits.maxBytes >= 0 && limits.maxTokens >= 0;
    if (!fits && !isFirst) return answer(number - 1, { section: number, offset: 0, column: 0 });
    const text = [title, ...window.lines].join('\n');
    texts.push(text);
    images.push(...(section.images ?? []));
    const place = { section: number, offset: window.nextOffset ?? offset, column: 0 };
    if (window.cutColumn !== undefined) return answer(number, { ...place, offset, column: window.cutColumn });
    if (isCut) return answer(number, place);
    maxBytes -= Buffer.byteLength(text) + 1;
    maxTokens -= estimateTokens(`${text}\n`);
    if (number < last && (maxBytes <= 0 || maxTokens <= 0)) {
      return answer(number, { section: number + 1, offset: 0, column: 0 });
    }
  }
  return answer(last);
}

function linesFrom(lines: readonly string[], offset: number, column: number): string[] {
  const [first, ...rest] = lines.slice(offset);
  if (first === undefined) return [];
  if (column === 0) return [first, ...rest];
  const bytes = Buffer.from(first);
  let start = column;
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return [bytes.subarray(start).toString(), ...rest];
}

export interface SectionReadingRequest {
  readonly range: SectionRange;
  readonly count: number;
  /** What a section is called. */
  readonly noun: string;
  readonly section: SectionRequest['section'];
  readonly notes: readonly string[];
  /** Of the file. */
  readonly hash: string;
  readonly signal: AbortSignal;
  readonly limits: SectionLimits | undefined;
}

export async function readSectionReading(request: SectionReadingRequest): Promise<Reading> {
  const { range, count, noun, section, notes, hash, signal } = request;
  const limits = request.limits ?? { maxBytes: MAX_TEXT_BYTES, maxTokens: MAX_TEXT_TOKENS };
  const answer = await readSections({ ...range, ...limits, section, signal });
  const closing = [...sectionNotes(answer, range, count, noun), ...notes].map((note) => `[${note}]`).join('\n');
  const text = closing === '' ? answer.text : `${answer.text}\n\n${closing}`;
  const part = plural(noun, range.first, answer.last);
  return {
    result: {
      llmContent: answer.images.length === 0 ? text : [{ text }, ...answer.images],
      returnDisplay: `Read ${part.toLowerCase()} of ${count}`,
    },
    seen: { kind: 'whole', hash },
    request: `${noun}s ${range.first} ${range.last} ${range.offset} ${range.column}`,
    part: `${part} of ${count}`,
  };
}

/** `3`, `2-5` or `4-` out of `count`. @throws ToolError `invalid_tool_params` */
export function parsePages(pages: string, count: number, noun: string): { first: number; last: number } {
  const [, from = '', dash = '', to = ''] = /^\s*(\d+)\s*(-?)\s*(\d*)\s*$/.exec(pages) ?? [];
  const first = Number(from);
  const last = dash === '' ? first : to === '' ? count : Math.min(Number(to), count);
  const isRange = from !== '' && first >= 1 && first <= last;
  if (isRange && first <= count) return { first, last };
  const problem = isRange || first > count ? `There is no ${noun} ${first}` : `Not a range: pages: "${pages}"`;
  throw new ToolError(
    ToolErrorType.INVALID_TOOL_PARAMS,
    `${problem}. There are ${count}: use "1-${count}", or a part of that.`,
  );
}

/** What was left out, and how to get it. */
export function sectionNotes(
  { next, last }: SectionAnswer,
  range: SectionRange,
  count: number,
  noun: string,
): string[] {
  if (next === undefined) {
    if (range.first === 1 && last === count) return [];
    const more = last < count ? ` To go on, use pages: "${last + 1}-".` : '';
    return [`${plural(noun, range.first, last)} of ${count} shown.${more}`];
  }
  if (next.offset === 0 && next.column === 0)
    return [`${plural(noun, range.first, last)} of ${count} shown. To go on, use pages: "${next.section}-".`];
  const column = next.column === 0 ? '' : `, column: ${next.column}`;
  return [
    `${noun[0]?.toUpperCase() ?? ''}${noun.slice(1)} ${next.section} of ${count} is too long to show whole. To go on in it, use pages: "${next.section}-", offset: ${next.offset}${column}.`,
  ];
}

function plural(noun: string, first: number, last: number): string {
  const name = `${noun[0]?.toUpperCase() ?? ''}${noun.slice(1)}`;
  return first === last ? `${name} ${first}` : `${name}s ${first}-${last}`;
}
