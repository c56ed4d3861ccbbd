import { safeText, type Safe } from '@tenon/core';
import type { Output } from '../output.js';
import { safeBlock } from './safe-lines.js';

/** Lines on stderr that begin with the program's name, as those of any command do. The texts may come from anywhere. */
export async function sayLines(err: Output, texts: readonly string[], prefix: Safe = safeText`tenon: `): Promise<void> {
  for (const text of texts) await err.write(safeText`${prefix}${safeBlock(text)}\n`);
}

/** Warnings on stderr. */
export function warn(err: Output, texts: readonly string[]): Promise<void> {
  return sayLines(err, texts, safeText`tenon: warning: `);
}
