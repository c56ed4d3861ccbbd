import { safeText } from '@tenon/core';
import { ExitCode, ExitFailure } from './exit-codes.js';
import type { Surroundings } from './surroundings.js';
import { safeLine } from './ui/safe-lines.js';
import type { Terminal } from './ui/terminal.js';
import { entryLines, type FolderTrust } from './ui/trust-view.js';

/** More than this scrolls away, and nobody should agree to what they did not see. */
const MOST_LINES = 30;
const QUESTION = 'Trust the folder with this? [y] yes  [n] no, never with this  [Enter] not now › ';

/**
 * Shows what the folder would be obeyed in and asks whether to trust it with that. True when something was decided. Ctrl-C and
 * Ctrl-D end the run: it throws an ExitFailure `INTERRUPTED`.
 */
export async function askForTrust(
  { screen, interrupts }: Pick<Surroundings, 'screen' | 'interrupts'>,
  terminal: Pick<Terminal, 'ask'>,
  trust: Pick<FolderTrust, 'root' | 'entries' | 'accept' | 'refuse'>,
): Promise<boolean> {
  const { output } = screen;
  const lines = trust.entries.flatMap(entryLines);
  await output.write(safeText`${safeLine(trust.root)} says what counts only in a folder that you trust:\n`);
  for (const line of lines.slice(0, MOST_LINES)) await output.write(safeText`  ${safeLine(line)}\n`);
  if (lines.length > MOST_LINES) {
    const rest = safeText`and ${lines.length - MOST_LINES} lines more`;
    await output.write(safeText`  ${rest}. \`tenon trust\` shows all, \`tenon trust --yes\` agrees to it.\n`);
    return false;
  }
  const armed = interrupts.arm();
  try {
    for (;;) {
      const answer = await terminal.ask(QUESTION, armed.signal);
      if (answer === undefined) throw new ExitFailure(ExitCode.INTERRUPTED, 'Interrupted.');
      const word = answer.trim().toLowerCase();
      if (word === '') return false;
      const isYes = word === 'y' || word === 'yes';
      if (isYes || word === 'n' || word === 'no') {
        await (isYes ? trust.accept() : trust.refuse());
        return true;
      }
      await output.write(safeText`Please answer y or n, or Enter alone.\n`);
    }
  } finally {
    armed.release();
  }
}
