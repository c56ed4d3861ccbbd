import type { Safe } from './safe-text.js';

/** SGR codes, on and off (ECMA-48 8.3.117). */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof CODES;

/** Gives safe text a look. */
export type Painter = (style: Style, text: Safe) => Safe;

/** A painter for one output. `colour` false: text stays as it is (a pipe, `NO_COLOR`, a dumb terminal). */
export function createPainter(colour: boolean): Painter {
  return (style, text) => (colour ? paint(style, text) : text);
}

/** Line by line, so that a pager or a cut between lines never leaves a colour on. */
function paint(style: Style, text: Safe): Safe {
  const [on, off] = CODES[style];
  const lines = text.split('\n').map((line) => (line === '' ? '' : `\u001b[${on}m${line}\u001b[${off}m`));
  return lines.join('\n') as Safe;
}
