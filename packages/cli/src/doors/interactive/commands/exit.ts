import type { CommandBody } from './command-row.js';

/** `/exit`: leaves. */
export const exitCommand: CommandBody = { run: async () => ({ leaves: true }) };
