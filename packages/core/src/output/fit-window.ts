import { tokensToUnits, tokenUnits } from './estimate-tokens.js';

/** The part of a window of lines that this module looks at; `files/` makes them. */
export interface NumberedWindow {
  readonly lines: readonly string[];
  readonly startColumn: number;
  readonly cutColumn: number | undefined;
  readonly nextOffset: number | undefined;
  /**
   * Bytes of the file's line that the first so many UTF-16 units of the first line stand for. Only where they are not
   * those of its UTF-8, because one damaged byte is shown as U+FFFD, which has three.
   */
  readonly bytesOfStart?: (units: number) => number;
}

export interface WindowLimits {
  /** 0-based number of the first line. */
  readonly offset: number;
  /** UTF-8 bytes and estimated tokens of the lines together, with their numbers and line ends. */
  readonly maxBytes: number;
  readonly maxTokens: number;
  /** False for lines that are given without numbers. */
  readonly numbered?: boolean;
}

/** The length of a line that counts as minified; its start is enough to recognize it. */
const MINIFIED = 10_000;
const SHOWN_OF_MINIFIED = 2_000;

/**
 * Ends the window before its first minified line. If that line comes first, only its start is kept. A read that continues within a line by
 * a column gets as much of it as fits.
 */
export function endAtMinified<W extends NumberedWindow>(window: W, offset: number): W {
  const { lines, startColumn } = window;
  const index = lines.findIndex((line, at) => isMinified(line) && (at > 0 || startColumn === 0));
  if (index === -1) return window;
  if (index > 0) return { ...window, lines: lines.slice(0, index), nextOffset: offset + index, cutColumn: undefined };
  const piece = (lines[0] ?? '').slice(0, SHOWN_OF_MINIFIED).replace(/[\uD800-\uDBFF]$/, '');
  const cutColumn = window.bytesOfStart?.(piece.length) ?? Buffer.byteLength(piece);
  return { ...window, lines: [piece], cutColumn, nextOffset: lines.length > 1 ? offset + 1 : window.nextOffset };
}

/** Returns true for a long line with few blanks. In prose on one line, every sixth character is one. */
function isMinified(line: string): boolean {
  if (line.length <= MINIFIED) return false;
  const start = line.slice(0, SHOWN_OF_MINIFIED);
  return start.length - start.replaceAll(/\s/g, '').length < start.length / 10;
}

/** The window without the lines at its end that are over the limits; a first line that is over them alone is cut. */
export function fitWindow<W extends NumberedWindow>(window: W, limits: WindowLimits): W {
  let { bytes, units } = { bytes: limits.maxBytes, units: tokensToUnits(limits.maxTokens) };
  for (const [index, line] of window.lines.entries()) {
    const labelCost = costOf(limits.numbered === false ? '\n' : `${limits.offset + index + 1}→\n`);
    const cost = costOf(line);
    const left = { bytes: bytes - labelCost.bytes - cost.bytes, units: units - labelCost.units - cost.units };
    if (left.bytes >= 0 && left.units >= 0) {
      ({ bytes, units } = left);
      continue;
    }
    if (index > 0) {
      return {
        ...window,
        lines: window.lines.slice(0, index),
        nextOffset: limits.offset + index,
        cutColumn: undefined,
      };
    }
    const piece = longestStart(line, bytes - labelCost.bytes, units - labelCost.units);
    const cutColumn = window.startColumn + (window.bytesOfStart?.(piece.length) ?? Buffer.byteLength(piece));
    const nextOffset = window.lines.length > 1 ? limits.offset + 1 : window.nextOffset;
    return { ...window, lines: [piece], cutColumn, nextOffset };
  }
  return window;
}

interface Cost {
  readonly bytes: number;
  readonly units: number;
}

function costOf(text: string): Cost {
  let units = 0;
  for (let index = 0; index < text.length; index += 1) units += tokenUnits(text.charCodeAt(index));
  return { bytes: Buffer.byteLength(text), units };
}

/** At least one character, so that whoever goes on from there gets to the end. */
function longestStart(line: string, maxBytes: number, maxUnits: number): string {
  let bytes = 0;
  let units = 0;
  let end = 0;
  for (const character of line) {
    const cost = costOf(character);
    bytes += cost.bytes;
    units += cost.units;
    if (end > 0 && (bytes > maxBytes || units > maxUnits)) break;
    end += character.length;
  }
  return line.slice(0, end);
}
