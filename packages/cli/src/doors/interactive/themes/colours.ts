import type { Colour } from '@tenon/core';

/** 0 to 255 each. */
export interface Rgb {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** What a terminal can show. `none`: not even bold. `mono`: bold, italic and the like, but no colour. */
export type ColourDepth = 'none' | 'mono' | 'basic' | 'indexed' | 'rgb';

/** `#rrggbb` */
export function parseHex(text: string): Rgb {
  const value = Number.parseInt(text.slice(1), 16);
  return { red: (value >> 16) & 255, green: (value >> 8) & 255, blue: value & 255 };
}

/** How bright it is to the eye, 0 to 1 (WCAG 2.2, relative luminance). */
export function luminance({ red, green, blue }: Rgb): number {
  const linear = (value: number): number => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right);
  return (bright + 0.05) / (dark + 0.05);
}

/** Steps of the colour cube of a terminal with 256 colours (xterm). */
const STEPS = [0, 95, 135, 175, 215, 255];
const FIRST_OF_CUBE = 16;
const FIRST_GREY = 232;
const GREYS = 24;

/** What the terminal shows for one of the colours 16 to 255. */
export function indexedRgb(index: number): Rgb {
  if (index >= FIRST_GREY) {
    const level = 8 + 10 * (index - FIRST_GREY);
    return { red: level, green: level, blue: level };
  }
  const place = index - FIRST_OF_CUBE;
  const step = (at: number): number => STEPS[at] ?? 0;
  return { red: step(Math.floor(place / 36)), green: step(Math.floor(place / 6) % 6), blue: step(place % 6) };
}

/** The nearest of the colours 16 to 255. */
export function nearestIndexed(colour: Rgb): Colour {
  let best = FIRST_OF_CUBE;
  let least = Infinity;
  for (let index = FIRST_OF_CUBE; index < FIRST_GREY + GREYS; index += 1) {
    const other = indexedRgb(index);
    const distance =
      2 * (other.red - colour.red) ** 2 + 4 * (other.green - colour.green) ** 2 + 3 * (other.blue - colour.blue) ** 2;
    if (distance >= least) continue;
    least = distance;
    best = index;
  }
  return { kind: 'indexed', index: best };
}
