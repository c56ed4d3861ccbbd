import { makeSafe, safeText, truncateToWidth, type Safe } from '@tenon/core';
import type { Role, Theme } from '../themes/theme.js';
import type { Look } from './block.js';

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

/** `3.2 s`, `1 min 05 s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `9876`, `12.3k`, `1.25M`. */
export function tokenCount(count: number): string {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}

export const NOTHING = safeText``;
