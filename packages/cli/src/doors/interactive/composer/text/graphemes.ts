/**
 * Between two of these there is always a border of characters (UAX 29): Latin, Greek and Cyrillic letters, kana, Chinese
 * characters and Korean syllables, none of which combines with the next.
 */
function isSimple(code: number): boolean {
  if (code < 0x300) return (code >= 0x20 && code < 0x7f) || (code > 0xa0 && code !== 0xad);
  if (code < 0x4e00) {
    const isLetter = (code >= 0x370 && code <= 0x482) || (code >= 0x48a && code <= 0x52f);
    return isLetter || (code >= 0x3041 && code <= 0x3096) || (code >= 0x30a1 && code <= 0x30fa);
  }
  return code <= 0x9fff || (code >= 0xac00 && code <= 0xd7a3);
}

/** Units of text that are looked at around a place. Characters that are longer are cut, which nobody types. */
const NEAR = 512;

/** Where characters as people count them begin and end; also in a line of megabytes, where only what is near is looked at. */
export class Graphemes {
  readonly #segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

  /** The end of the character that begins at `at`, which is a border; the text's end at its end. */
  next(text: string, at: number): number {
    if (at + 1 >= text.length) return text.length;
    if (isSimple(text.charCodeAt(at)) && isSimple(text.charCodeAt(at + 1))) return at + 1;
    for (let length = 32; ; length *= 4) {
      const near = text.slice(at, at + length);
      const size = this.#segmenter.segment(near).containing(0)?.segment.length ?? 1;
      if (size < near.length || at + length >= text.length || length > NEAR) return at + size;
    }
  }

  /** The beginning of the character that has the unit before `at`. */
  previous(text: string, at: number): number {
    if (at <= 1) return 0;
    const isPlain = at > text.length || isSimple(text.charCodeAt(at - 1));
    if (isPlain && isSimple(text.charCodeAt(at - 2))) return at - 1;
    const start = borderBefore(text, at);
    const segment = this.#segmenter.segment(text.slice(start, at + NEAR)).containing(at - 1 - start);
    return start + (segment?.index ?? 0);
  }

  /** The nearest border at or behind a place. */
  borderAt(text: string, at: number): number {
    if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
    return this.next(text, this.previous(text, at));
  }
}

/** Some border at or before a place, near it where there is one that can be seen without looking further. */
function borderBefore(text: string, at: number): number {
  const last = Math.max(0, at - NEAR);
  for (let place = at - 1; place > last; place -= 1) {
    if (isSimple(text.charCodeAt(place)) && isSimple(text.charCodeAt(place - 1))) return place;
  }
  return last;
}
