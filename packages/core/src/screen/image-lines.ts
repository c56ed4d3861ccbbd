import type { Safe } from './safe-text.js';

export interface ShownImage {
  /** base64 */
  readonly data: string;
  readonly mimeType: string;
  /** Cells that it takes. */
  readonly columns: number;
  readonly rows: number;
}

export type ImageProtocol = 'kitty' | 'iterm2';

/** What of base64 one kitty command may carry. */
const CHUNK = 4096;
const SHOWN_BY: Readonly<Record<ImageProtocol, ReadonlySet<string>>> = {
  kitty: new Set(['image/png']),
  iterm2: new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
};

/**
 * An image as lines for a terminal: empty ones that make room, then one that goes up, draws and comes back, so that it is
 * right at the bottom of the screen too. Undefined where the protocol does not show its kind, or the data is no base64.
 * (Kitty graphics protocol; iTerm2 inline images, OSC 1337.)
 */
export function imageLines(image: ShownImage, protocol: ImageProtocol): Safe[] | undefined {
  const { data, mimeType, columns, rows } = image;
  if (!SHOWN_BY[protocol].has(mimeType) || !/^[A-Za-z0-9+/]+={0,2}$/.test(data) || rows < 1 || columns < 1)
    return undefined;
  const picture = protocol === 'kitty' ? kitty(data, columns, rows) : iterm2(data, columns, rows);
  const up = rows > 1 ? `\u001b[${rows - 1}A` : '';
  const room = Array.from({ length: rows - 1 }, () => '' as Safe);
  return [...room, `\u001b7${up}${picture}\u001b8` as Safe];
}

function kitty(data: string, columns: number, rows: number): string {
  let commands = '';
  for (let at = 0; at < data.length; at += CHUNK) {
    const isLast = at + CHUNK >= data.length;
    const head = at === 0 ? `a=T,f=100,q=2,C=1,c=${columns},r=${rows},` : '';
    commands += `\u001b_G${head}m=${isLast ? 0 : 1};${data.slice(at, at + CHUNK)}\u001b\\`;
  }
  return commands;
}

function iterm2(data: string, columns: number, rows: number): string {
  return `\u001b]1337;File=inline=1;width=${columns};height=${rows};preserveAspectRatio=1:${data}\u0007`;
}
