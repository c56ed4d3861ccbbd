import { estimateTokens } from '../output/estimate-tokens.js';
import { fitWindow } from '../output/fit-window.js';
import { Failure } from '../util/failure.js';
import type { InlineDataPart } from './tool-result.js';

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

/** No further section is begun after this long. */
const MAX_MILLISECONDS = 20_000;

/**
 * Whole sections under their titles while they fit and while there is time; only a first section that is too large
 * alone is cut, and then after a whole line where it has one that fits. One that cannot be read ends the answer before
 * it, so that what was read is not lost: whoever goes on there is told why.
 */
export async function readSections(request: SectionRequest): Promise<SectionAnswer> {
  const { first, last, signal } = request;
  let { maxBytes, maxTokens } = request;
  const end = performance.now() + MAX_MILLISECONDS;
  const texts: string[] = [];
  const images: InlineDataPart[] = [];
  const answer = (given: number, next?: SectionPlace): SectionAnswer => ({
    text: texts.join('\n'),
    images,
    last: given,
    next,
  });
  for (let number = first; number <= last; number += 1) {
    signal.throwIfAborted();
    const isFirst = number === first;
    const section = await sectionOr(request, number, isFirst);
    if (section === undefined) return answer(number - 1, { section: number, offset: 0, column: 0 });
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
    if (number < last && (maxBytes <= 0 || maxTokens <= 0 || performance.now() > end)) {
      return answer(number, { section: number + 1, offset: 0, column: 0 });
    }
  }
  return answer(last);
}

/** Undefined for one that cannot be read, and is not the first. */
async function sectionOr(request: SectionRequest, number: number, isFirst: boolean): Promise<Section | undefined> {
  try {
    return await request.section(number);
  } catch (thrown) {
    if (isFirst || !(thrown instanceof Failure) || request.signal.aborted) throw thrown;
    return undefined;
  }
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
