import type { Reading } from './read-source.js';
import {
  readSections,
  type SectionAnswer,
  type SectionLimits,
  type SectionRange,
  type SectionRequest,
} from './read-sections.js';
import { MAX_TEXT_BYTES, MAX_TEXT_TOKENS } from './read-text.js';
import { ToolError, ToolErrorType } from './tool-error.js';

/** `data` of a result for a PDF as text or a notebook: which of its sections are given. */
export interface ReadSectionsData {
  readonly path: string;
  /** What a section is called: `page`, `cell`. */
  readonly unit: string;
  /** Numbers from 1. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** Where to go on: a value for `pages`, and lines of that section to skip, and bytes in the line after them. */
  readonly next?: { readonly pages: string; readonly offset?: number; readonly column?: number };
}

export interface SectionReadingRequest {
  readonly range: SectionRange;
  readonly count: number;
  /** What a section is called. */
  readonly noun: string;
  /** Of the file, as it was asked for. */
  readonly name: string;
  readonly section: SectionRequest['section'];
  /** Notes under the answer; asked for when the sections are read. */
  readonly closing: () => readonly string[];
  /** Of the file. */
  readonly hash: string;
  /** False: nobody knows the file by its sections, for they leave things out. */
  readonly isAll?: boolean;
  readonly signal: AbortSignal;
  readonly limits: SectionLimits | undefined;
}

export async function readSectionReading(request: SectionReadingRequest): Promise<Reading> {
  const { range, count, noun, name, section, hash, signal } = request;
  const limits = request.limits ?? { maxBytes: MAX_TEXT_BYTES, maxTokens: MAX_TEXT_TOKENS };
  const answer = await readSections({ ...range, ...limits, section, signal });
  const closing = [...sectionNotes(answer, range, count, noun), ...request.closing()]
    .map((note) => `[${note}]`)
    .join('\n');
  const text = closing === '' ? answer.text : `${answer.text}\n\n${closing}`;
  const part = plural(noun, range.first, answer.last);
  const isWhole = startsAtFirst(range) && answer.last === count && answer.next === undefined;
  const data: ReadSectionsData = {
    path: name,
    unit: noun,
    first: range.first,
    last: answer.last,
    count,
    ...nextOf(answer, count),
  };
  return {
    result: {
      llmContent: answer.images.length === 0 ? text : [{ text }, ...answer.images],
      returnDisplay: `Read ${part.toLowerCase()} of ${count}`,
      data,
    },
    // Whoever overwrote a file of which a part was shown would lose the rest unseen.
    seen:
      isWhole && request.isAll !== false
        ? { kind: 'whole', hash }
        : { kind: 'lines', first: 0, end: 0, totalLines: undefined, text: undefined },
    request: `${noun}s ${range.first} ${range.last} ${range.offset} ${range.column}`,
    part: `${part} of ${count}`,
  };
}

function startsAtFirst({ first, offset, column }: SectionRange): boolean {
  return first === 1 && offset === 0 && column === 0;
}

function nextOf({ next, last }: SectionAnswer, count: number): Pick<ReadSectionsData, 'next'> {
  if (next === undefined) return last < count ? { next: { pages: `${last + 1}-` } } : {};
  const { section, offset, column } = next;
  const place = { ...(offset > 0 && { offset }), ...(column > 0 && { column }) };
  return { next: { pages: `${section}-`, ...place } };
}

/** `3`, `2-5` or `4-` out of `count`. @throws ToolError `invalid_tool_params` */
export function parsePages(pages: string, count: number, noun: string): { first: number; last: number } {
  const [, from = '', dash = '', to = ''] = /^(\d+)(?:(-)(\d*))?$/.exec(pages) ?? [];
  const first = Number(from);
  const last = dash === '' ? first : to === '' ? count : Math.min(Number(to), count);
  const isRange = from !== '' && first >= 1 && first <= last;
  if (isRange && first <= count) return { first, last };
  const problem =
    (isRange || first > count) && from.length < 16
      ? `There is no ${noun} ${first}`
      : `Not a range: pages: "${pages.slice(0, 40)}"`;
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
