import { safeText } from '@tenon/core';
import type { CommandBody } from './command-row.js';
import { block, columns } from './lines.js';

/** `/keys`: what the keys do, as they are bound now. */
export const keysCommand: CommandBody = {
  run: async (_typed, { keys }) => {
    const rows = keys().map(({ keys: names, does }): [string, string] => [names.join(', '), does]);
    const hint = safeText`The setting ui.keys binds them anew; /settings ui.keys shows how.`;
    return { shown: block([...columns(rows), hint]) };
  },
};
