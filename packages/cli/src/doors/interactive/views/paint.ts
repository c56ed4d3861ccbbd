import { makeSafe, safeText, truncateToWidth, type Safe } from '@tenon/core';
import type { Role, Theme } from '../themes/theme.js';
import type { Look } from './block.js';

export { duration, tokenCount } from '../../../ui/amounts.js';

/** Text from anywhere in one look, line breaks as blanks. */
export function paintLine(theme: Theme, role: Role, text: string): Safe {
  return theme.paint(role, makeSafe(text.replaceAll(/\s*\n\s*/g, ' ')));
}

/** Several roles at once; the last one has the last word on the colour. */
export function paintAll(theme: Theme, roles: readonly Role[], text: Safe): Safe {
  return roles.reduceRight((painted, role) => theme.paint(role, painted), text);
}

/** Cut where the terminal ends. */
export function fit(line: Safe, look: Pick<Look, 'columns' | 'unicode'>): Safe {
  return truncateToWidth(line, look.columns);
}

/** One of two ways to write something, whether or not the terminal has more than ASCII. */
export function sign(look: Pick<Look, 'unicode'>, unicode: Safe, ascii: Safe): Safe {
  return look.unicode ? unicode : ascii;
}

export const NOTHING = safeText``;
