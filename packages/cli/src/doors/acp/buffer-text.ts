/** One text, as the disk and the client's editor have it. */
export interface TwoTexts {
  /** What both had at first. */
  readonly before: string;
  /** Undefined: it is there no more. */
  readonly disk: string | undefined;
  /** Undefined: the client does not say. */
  readonly buffer: string | undefined;
}

/**
 * What the person has before them. A buffer that differs from the disk in more than line endings is unsaved, and counts;
 * one that still shows what was there before has only not noticed yet that the file was saved by something else. Pure.
 */
export function shownText({ before, disk, buffer }: TwoTexts): string | undefined {
  if (buffer === undefined) return disk;
  if (disk === undefined) return withEndingsOf(before, buffer);
  const shown = flat(buffer);
  return shown === flat(disk) || shown === flat(before) ? disk : withEndingsOf(disk, buffer);
}

/**
 * Many editors tell texts without carriage returns and byte order mark: here they are put back. Lines before and after
 * the place that was changed keep their endings; new ones get the one that most lines have. Pure.
 */
export function withEndingsOf(original: string, told: string): string {
  const mark = original.startsWith(MARK) && !told.startsWith(MARK) ? MARK : '';
  if (!original.includes('\r') || told.includes('\r\n')) return mark + told;
  const old = linesOf(unmarked(original));
  const now = linesOf(flat(told));
  const most = Math.min(old.length, now.length);
  let before = 0;
  while (before < most && isSame(old[before], now[before])) before += 1;
  let after = 0;
  while (after < most - before && isSame(old.at(-1 - after), now.at(-1 - after))) after += 1;
  const usual = usualEnding(original);
  const changed = now.slice(before, now.length - after).map((line) => line.replace('\n', usual));
  return mark + [...old.slice(0, before), ...changed, ...old.slice(old.length - after)].join('');
}

const MARK = '\ufeff';

function unmarked(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}

function flat(text: string): string {
  return unmarked(text).replaceAll(/\r\n?/g, '\n');
}

/** Each with its ending. */
function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

function isSame(line: string | undefined, other: string | undefined): boolean {
  return line !== undefined && other !== undefined && flat(line) === other;
}

function usualEnding(text: string): string {
  const counts = new Map<string, number>();
  for (const [ending] of text.matchAll(/\r\n|\r|\n/g)) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  const [usual] = [...counts].toSorted(([, one], [, other]) => other - one);
  return usual?.[0] ?? '\n';
}
