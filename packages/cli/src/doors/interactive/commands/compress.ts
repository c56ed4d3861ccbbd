import { safeText, type Safe } from '@tenon/core';
import { safeLine } from '../../../ui/safe-lines.js';
import type { CommandBody } from './command-row.js';
import { block } from './lines.js';

/** `/compress [FOCUS]`: makes the conversation shorter now. The words behind it say what the summary keeps above all. */
export const compressCommand: CommandBody = {
  run: async (typed, { agent, signal }) => {
    const lines: Safe[] = [];
    for await (const event of agent.compact(typed === '' ? undefined : typed, signal)) {
      if (event.type === 'notice') lines.push(safeLine(event.text));
      if (event.type !== 'compaction') continue;
      const [before, after] = [event.tokensBefore, event.tokensAfter].map((tokens) => tokens.toLocaleString('en-US'));
      lines.push(safeLine(`The conversation is now about ${after} tokens; it was ${before}.`));
      lines.push(...event.told.map((line) => safeLine(`  ${line}`)));
    }
    if (signal.aborted && lines.length === 0) return { shown: safeText`Cancelled. The conversation is as it was.\n` };
    return { shown: lines.length === 0 ? safeText`There is nothing to make shorter.\n` : block(lines) };
  },
};
