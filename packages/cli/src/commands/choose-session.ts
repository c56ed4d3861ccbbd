import { count, joinSafe, safeText, type SessionSummary } from '@tenon/core';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { safeLine } from '../ui/safe-lines.js';
import type { Terminal } from '../ui/terminal.js';

/** More would scroll the newest ones away; `tenon sessions` lists all. */
const SHOWN = 15;

/**
 * Lists the newest sessions by number and lets the person choose; undefined for a new one. Ctrl-C and Ctrl-D end the run.
 * @throws ExitFailure `INTERRUPTED`
 */
export async function chooseSession(
  sessions: readonly SessionSummary[],
  terminal: Terminal,
  { screen, interrupts }: Surroundings,
): Promise<SessionSummary | undefined> {
  const shown = sessions.slice(0, SHOWN);
  const lines = shown.map(
    ({ lastAt, messages, title }, index) =>
      safeText`${safeLine(String(index + 1).padStart(3))}  ${safeLine(whenText(lastAt))}  ${safeLine(count(messages, 'message'))}  ${safeLine(title)}\n`,
  );
  const rest = sessions.length - shown.length;
  const more =
    rest === 0
      ? safeText``
      : safeText`     and ${rest} older: \`tenon sessions\` lists them, \`--resume ID\` opens one.\n`;
  await screen.output.write(
    safeText`Sessions of this folder, the newest first:\n${joinSafe(lines, safeText``)}${more}`,
  );
  const armed = interrupts.arm();
  try {
    for (;;) {
      const answer = await terminal.ask('Go on with which? (number, Enter for a new one) › ', armed.signal);
      if (answer === undefined) throw new ExitFailure(ExitCode.INTERRUPTED, 'Interrupted.');
      if (answer.trim() === '') return undefined;
      const chosen = shown[Number(answer.trim()) - 1];
      if (chosen !== undefined) return chosen;
      await screen.output.write(safeText`There is no ${safeLine(answer)} in the list.\n`);
    }
  } finally {
    armed.release();
  }
}

/** ISO 8601 to the minute, as people read it. */
function whenText(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
