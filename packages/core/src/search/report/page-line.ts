import { groupDigits } from '../../util/group-digits.js';

/** A page of everything that was found. */
export interface Page {
  /** Of everything, and in words: `at least 1,234 files`. */
  readonly all: number;
  readonly total: string;
  readonly offset: number;
  /** What the page holds, and at most. */
  readonly size: number;
  readonly limit: number;
  /** What can be narrowed to find less: `pattern or path`. */
  readonly narrow: string;
  /** No page begins later. */
  readonly maxOffset?: number;
}

/** Which part of everything this page is, and how to get the next; empty when it is all. */
export function pageLine({ all, total, offset, size, limit, narrow, maxOffset = Infinity }: Page): string {
  if (all === 0 || (offset === 0 && size >= all)) return '';
  if (size === 0)
    return `[offset=${offset} is past the end: there ${all === 1 ? 'is' : 'are'} ${total}. The last page has offset=${Math.max(0, all - limit)}.]`;
  const end = offset + size;
  const page = `${size === 1 ? '' : `${groupDigits(offset + 1)}-`}${groupDigits(end)} of ${total}`;
  if (end >= all) return `[Page: ${page}; these are the last.]`;
  if (end > maxOffset) return `[Page: ${page}. No later page can be had: narrow ${narrow}.]`;
  return `[Page: ${page}. Next: offset=${end}; or narrow ${narrow}.]`;
}
