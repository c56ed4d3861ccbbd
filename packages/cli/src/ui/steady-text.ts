/**
 * Cuts a stream of text only where what stands before the cut looks the same whatever comes next: between whole
 * characters as people see them. An emoji of several code points whose parts come in two chunks stays one, and so
 * does a line break of two characters.
 */
export interface SteadyText {
  /** What can be shown by now. */
  push(chunk: string): string;
  /** What was held back, when nothing more comes. */
  flush(): string;
}

/** Characters at the end of a chunk that are looked at: far more than any one emoji has. */
const LONGEST_TAIL = 200;
/** What the next chunk may still change: any character beyond ASCII, the ASCII that begins key-cap emoji, half a CRLF. */
const OPEN_END = /(?:[\d#*]?[^\0-\x7f]+|[\d#*]|\r)$/;

export function createSteadyText(): SteadyText {
  // Its tables take longer to load than all the rest of a short answer, most of which never need it.
  let known: Intl.Segmenter | undefined;
  const segmenter = (): Intl.Segmenter => (known ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' }));
  let held = '';
  return {
    push(chunk) {
      const text = held + chunk;
      const end = text.length - openLength(text, segmenter);
      held = text.slice(end);
      return text.slice(0, end);
    },
    flush() {
      const text = held;
      held = '';
      return text;
    },
  };
}

function openLength(text: string, segmenter: () => Intl.Segmenter): number {
  // Half of a surrogate pair is a character of its own to the segmenter; what it belongs to stands before it.
  const half = /[\ud800-\udbff]$/.test(text) ? 1 : 0;
  const tail = OPEN_END.exec(text.slice(0, text.length - half).slice(-LONGEST_TAIL))?.[0] ?? '';
  if (tail === '') return half;
  return half + (Array.from(segmenter().segment(tail)).at(-1)?.segment.length ?? 0);
}
