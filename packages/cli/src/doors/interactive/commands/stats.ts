import { createPainter } from '@tenon/core';
import { statsLines } from '../../../commands/stats-lines.js';
import { projectStats } from '../../../commands/stats.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';

/** `/stats [DAYS|all]`: what the sessions of this project were, or of all, as their logs tell it. */
export const statsSlashCommand: CommandBody = {
  run: async (typed, { surroundings, preparation, signal }) => {
    const words = typed.split(/\s+/).filter((word) => word !== '');
    const days = words.find((word) => /^\d{1,6}$/.test(word));
    const isAll = words.includes('all');
    if (words.length !== (days === undefined ? 0 : 1) + (isAll ? 1 : 0))
      return say('/stats takes how many days back to look, and "all" for all projects: /stats 7, /stats all');
    const wish = { isAll, ...(days !== undefined && { days: Number(days) }) };
    const stats = await projectStats(surroundings, preparation, wish, signal);
    // Its own colours: a screen has none of a command's.
    return { shown: statsLines(stats, createPainter(false)) };
  },
  complete: async (typed) => completionsOf([{ word: 'all', detail: 'all projects' }, '7', '30'], typed),
};
