/**
 * The ways in which clients write a selection behind a file's address. Each finds the first line, and the last if there is one; columns are
 * ignored.
 */
const FRAGMENTS: readonly RegExp[] = [
  // `L10`, `L10-20`, `L10-L20`, `L10:20` (Zed), `L10C5-L20C3` (forges), `L10,5-20,3` (VS Code).
  /^L(\d+)(?:[C,]\d+)?(?:[-:]L?(\d+)(?:[C,]\d+)?)?$/i,
  // `10`, `10-20`, `10,5-20,3`.
  /^(\d+)(?:,\d+)?(?:-(\d+)(?:,\d+)?)?$/,
];
/** Names of the first and of the last line in a query: `?line=10`, `?lines=10-20`, `?start=10&end=20`. */
const QUERIES: readonly (readonly [first: string, last: string])[] = [
  ['line', 'endLine'],
  ['startLine', 'endLine'],
  ['start_line', 'end_line'],
  ['start', 'end'],
  ['lines', ''],
];

/** Returns the lines that an address selects, from 1, as `10` or `10-20`. Undefined if it selects none. Pure. */
export function selectedLines({ hash, searchParams }: URL): string | undefined {
  const fragment = hash.slice(1);
  const found = FRAGMENTS.map((form) => form.exec(fragment)).find((match) => match !== null);
  if (found !== undefined) return rangeOf(found[1], found[2]);
  // RFC 5147 counts the positions between lines: 0 is before the first line.
  const [, before, behind] = /^line=(\d+),(\d+)$/.exec(fragment) ?? [];
  if (before !== undefined) return rangeOf(String(Number(before) + 1), behind);
  for (const [first, last] of QUERIES) {
    const [, from, to] = /^(\d+)(?:-(\d+))?$/.exec(searchParams.get(first) ?? '') ?? [];
    if (from !== undefined) return rangeOf(from, to ?? /^\d+$/.exec(searchParams.get(last) ?? '')?.[0]);
  }
  return undefined;
}

function rangeOf(from: string | undefined, to: string | undefined): string | undefined {
  const [first, last] = [Number(from), Number(to ?? from)];
  if (!(first > 0 && last > 0)) return undefined;
  return first === last ? `${first}` : `${Math.min(first, last)}-${Math.max(first, last)}`;
}
