import type { Look } from '../block.js';
import { createTheme } from '../../themes/create-theme.js';

/** A look without colours and with a clock that stands still. */
export function plainLook(more: Partial<Look> = {}): Look {
  return { columns: 60, theme: createTheme('dark', 'none'), isOpen: false, now: 0, unicode: true, ...more };
}
