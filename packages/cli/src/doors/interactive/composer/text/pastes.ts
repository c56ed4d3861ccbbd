import { makeSafe, type Safe } from '@tenon/core';

/** Lone low surrogates: no text that came from a terminal, a file or a server has them. */
const FIRST = 0xdc00;
const MOST = 0x400;
/** What is larger is shown as a mark. */
const LARGEST_SHOWN = { lines: 10, characters: 1_000 };

interface Paste {
  readonly text: string;
  readonly label: Safe;
}

/**
 * Large texts that were pasted. In the typed text each stands as one unit, a mark, so that the cursor, deletion and undo take
 * it as one character; `expand` puts the texts in their places.
 */
export class Pastes {
  readonly #pastes = new Map<string, Paste>();

  /** The text as the buffer may hold it: nothing in it is taken for a mark. */
  static sound(text: string): string {
    return text.replaceAll(/\r\n?/g, '\n').replaceAll(/\p{Surrogate}/gu, '\ufffd');
  }

  static isLarge(text: string): boolean {
    if (text.length > LARGEST_SHOWN.characters) return true;
    return text.split('\n', LARGEST_SHOWN.lines + 1).length > LARGEST_SHOWN.lines;
  }

  /** A mark for a sound text; undefined once there are a thousand of them. */
  add(text: string): string | undefined {
    for (let number = 1; number <= MOST; number += 1) {
      const mark = String.fromCharCode(FIRST + number - 1);
      if (this.#pastes.has(mark)) continue;
      this.#pastes.set(mark, { text, label: labelOf(number, text) });
      return mark;
    }
    return undefined;
  }

  /** As it is shown; undefined for what is no mark. */
  label(mark: string): Safe | undefined {
    return this.#pastes.get(mark)?.label;
  }

  text(mark: string): string | undefined {
    return this.#pastes.get(mark)?.text;
  }

  expand(text: string): string {
    if (this.#pastes.size === 0) return text;
    return text.replaceAll(/\p{Surrogate}/gu, (mark) => this.#pastes.get(mark)?.text ?? mark);
  }

  /** Forgets all whose marks are in none of these texts. */
  keepOnly(texts: readonly string[]): void {
    for (const mark of this.#pastes.keys()) {
      if (!texts.some((text) => expressionOf(mark).test(text))) this.#pastes.delete(mark);
    }
  }
}

/** Finds the unit where it stands alone, not as the second half of a character. */
function expressionOf(mark: string): RegExp {
  return new RegExp(`\\u{${mark.charCodeAt(0).toString(16)}}`, 'u');
}

function labelOf(number: number, text: string): Safe {
  let lines = 1;
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) lines += 1;
  const count = lines === 1 ? '1 line' : `${lines.toLocaleString('en-US')} lines`;
  return makeSafe(`[Pasted #${number}: ${count}, ${sizeOf(Buffer.byteLength(text))}]`);
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
