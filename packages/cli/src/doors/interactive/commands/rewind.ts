import { joinSafe, safeText, type Safe } from '@tenon/core';
import { pickRewind } from '../panels/pick-rewind.js';
import { revertNote, revertShown } from './change-commands.js';
import type { CommandBody } from './command-row.js';
import { say } from './lines.js';

/** `/rewind`: goes back to before a message of the person: the conversation, files, or both. */
export const rewindCommand: CommandBody = {
  run: async (_typed, { agent, stage, signal, showAgain }) => {
    const points = await agent.rewindPoints();
    if (points.length === 0) return say('There is nothing to go back to yet.');
    const choice = await pickRewind(stage, points, signal);
    if (choice === undefined) return {};
    const { text, files } = await agent.rewind(choice.id, choice.what);
    if (choice.what.conversation) showAgain();
    const said: Safe[] = [
      ...(choice.what.conversation ? [safeText`The conversation is as it was before that message.\n`] : []),
      ...(files === undefined ? [] : [revertShown(files)]),
    ];
    // Who goes back with the conversation never knew of the changes.
    const mustKnow = !choice.what.conversation && files?.entryId !== undefined;
    return {
      shown: joinSafe(said, safeText``),
      ...(text !== undefined && { composer: text }),
      ...(mustKnow && { forModel: revertNote(files) }),
    };
  },
};
