/** A line of a patch as it was sent. */
export interface SourceLine {
  readonly text: string;
  /** 1-based. */
  readonly at: number;
}

const BEGIN = /^(?:\s*|.*apply_?patch\s*["'])\*{3}\s*begin patch\s*$/i;
/** Only what stands above the first of these is wrapping. */
const PART = /^\s*(?:\*{3}\s*(?:add|create|new|delete|remove|update|modify|edit|change)\b|@@)/i;
const END = /^\*{3}\s*end patch\b/i;
const FENCE = /^\s*(`{3,}|~{3,})/;
const HERE_DOCUMENT = /<<-?\s*(['"]?)([A-Za-z_]\w*)\1/;

/**
 * The lines that can belong to a patch: without what models wrap it in (prose before it, a code fence, a here-document,
 * indentation of the whole) and without carriage returns at line ends.
 */
export function patchLines(text: string): SourceLine[] {
  const all = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line, index) => ({ text: line.endsWith('\r') ? line.slice(0, -1) : line, at: index + 1 }));
  const part = all.findIndex((line) => PART.test(line.text));
  const begin = all.slice(0, part === -1 ? all.length : part).findIndex((line) => BEGIN.test(line.text));
  const start = begin === -1 ? firstOfPatch(all) : begin;
  const opener = all[start]?.text ?? '';
  const before = all.slice(0, start);
  const here = [...before.map((line) => line.text), opener].map((line) => HERE_DOCUMENT.exec(line)?.[2]);
  const fence = before.map((line) => FENCE.exec(line.text)?.[1]).findLast((found) => found !== undefined);
  const kept = all.slice(begin === -1 ? start : start + 1);
  const end = lastThatEnds(kept, [here.findLast((word) => word !== undefined), fence]);
  return dedented(kept.slice(0, end), /^[ \t]*/.exec(begin === -1 ? '' : opener)?.[0] ?? '');
}

/** Past blank lines, an opened fence and the line of a shell that hands the patch over. */
function firstOfPatch(lines: readonly SourceLine[]): number {
  const first = lines.findIndex(({ text }) => text.trim() !== '' && !FENCE.test(text) && !isHandover(text));
  return first === -1 ? lines.length : first;
}

function isHandover(text: string): boolean {
  return HERE_DOCUMENT.test(text) && /apply_?patch|\bcat\b|\bgit apply\b|\bpatch\b/.test(text);
}

/** Where the wrapping ends again: at the last line that closes it, when nothing of the patch follows. */
function lastThatEnds(lines: readonly SourceLine[], closers: readonly (string | undefined)[]): number {
  const closes = ({ text }: SourceLine): boolean => closers.includes(text.trim()) && text.trim() !== '';
  const at = lines.findLastIndex(closes);
  if (at === -1) return lines.length;
  const rest = lines.slice(at + 1);
  if (!rest.every((line) => line.text.trim() === '' || closes(line) || FENCE.test(line.text))) return lines.length;
  // A here-document inside a fence: both are closed.
  return lastThatEnds(lines.slice(0, at), closers);
}

/** Without the indentation that the first line has and all others have, too. */
function dedented(lines: readonly SourceLine[], indentation: string): SourceLine[] {
  if (indentation === '' || !lines.every(({ text }) => text.trim() === '' || text.startsWith(indentation))) {
    return [...lines];
  }
  return lines.map(({ text, at }) => ({
    text: text.startsWith(indentation) ? text.slice(indentation.length) : '',
    at,
  }));
}

export function isEndOfPatch(text: string): boolean {
  return END.test(text);
}

export function isBeginOfPatch(text: string): boolean {
  return /^\*{3}\s*begin patch\s*$/i.test(text);
}
