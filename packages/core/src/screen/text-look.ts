import type { Safe } from './safe-text.js';

/** A colour of the terminal: one of its 16, one of 256, or exactly this one. */
export type Colour =
  | { readonly kind: 'basic'; readonly index: number }
  | { readonly kind: 'indexed'; readonly index: number }
  | { readonly kind: 'rgb'; readonly red: number; readonly green: number; readonly blue: number };

/** How text looks. All numbers are whole, 0 to 255; the index of a basic colour 0 to 15. */
export interface TextLook {
  readonly foreground?: Colour;
  readonly background?: Colour;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

/** Gives safe text a look, line by line, so that a cut between lines never leaves one on. */
export function paintLook(look: TextLook, text: Safe): Safe {
  const codes = codesOf(look);
  if (codes.on === '' || text === '') return text;
  if (!text.includes('\n')) return `${codes.on}${text}${codes.off}` as Safe;
  const lines = text.split('\n').map((line) => (line === '' ? '' : `${codes.on}${line}${codes.off}`));
  return lines.join('\n') as Safe;
}

function codesOf(look: TextLook): { readonly on: string; readonly off: string } {
  const on: string[] = [];
  const off: string[] = [];
  const add = (wanted: boolean | undefined, start: number, end: number): void => {
    if (wanted !== true) return;
    on.push(String(start));
    off.push(String(end));
  };
  add(look.bold, 1, 22);
  add(look.dim, 2, 22);
  add(look.italic, 3, 23);
  add(look.underline, 4, 24);
  add(look.inverse, 7, 27);
  if (look.foreground !== undefined) {
    on.push(colourCode(look.foreground, 30));
    off.push('39');
  }
  if (look.background !== undefined) {
    on.push(colourCode(look.background, 40));
    off.push('49');
  }
  return on.length === 0 ? { on: '', off: '' } : { on: `\u001b[${on.join(';')}m`, off: `\u001b[${off.join(';')}m` };
}

function colourCode(colour: Colour, base: 30 | 40): string {
  switch (colour.kind) {
    case 'basic':
      return String(colour.index < 8 ? base + (colour.index & 7) : base + 60 + (colour.index & 7));
    case 'indexed':
      return `${base + 8};5;${byte(colour.index)}`;
    case 'rgb':
    default:
      return `${base + 8};2;${byte(colour.red)};${byte(colour.green)};${byte(colour.blue)}`;
  }
}

function byte(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
