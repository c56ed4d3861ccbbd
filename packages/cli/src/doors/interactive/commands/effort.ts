import { managedRefusal, nearestName, REASONING_EFFORTS, type ReasoningEffort } from '@tenon/core';
import type { CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';

/** The level that leaves the effort to the model. */
const DEFAULT = 'default';
const LEVELS = [...REASONING_EFFORTS, DEFAULT] as const;

/** `/effort [LEVEL|default]`: how much the model thinks before it answers. */
export const effortCommand: CommandBody = {
  run: async (typed, { endpoint: { effort }, preparation }) => {
    if (typed === '') return say(`The effort is ${effort.now ?? DEFAULT}. Levels: ${LEVELS.join(', ')}.`);
    const level = LEVELS.find((each) => each === typed.toLowerCase());
    if (level === undefined) {
      const meant = nearestName(typed, LEVELS);
      return say(
        `"${typed}" is not a level: ${LEVELS.join(', ')}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      );
    }
    const wanted: ReasoningEffort | undefined = level === DEFAULT ? undefined : level;
    const refusal = managedRefusal('model.reasoningEffort', wanted, preparation.settings.managed);
    if (refusal !== undefined) return say(`The effort stays ${effort.now ?? DEFAULT}: ${refusal}`);
    effort.now = wanted;
    return say(`The effort is now ${level}.`);
  },
  complete: async (typed, { endpoint: { effort } }: CommandContext) =>
    completionsOf(
      LEVELS.map((word) => ({ word, ...(word === (effort.now ?? DEFAULT) && { detail: 'now' }) })),
      typed,
    ),
};
