import type { Effect } from '../effects/effect.js';
import { SHELL_NAMES, type ShellProgram } from '../process/shell-program.js';
import { commandEffects, type CommandPlace, type CommandSurroundings } from '../shell/command-effects.js';
import { unreadCommand } from '../shell/unread-command.js';

export { commandSurroundings } from './command-surroundings.js';

/** The effects of a text for that shell. Only bash is analysed; of any other shell the text is one effect, which asks. */
export function readCommand(
  text: string,
  place: CommandPlace,
  { program, surroundings }: { readonly program: ShellProgram; readonly surroundings: () => CommandSurroundings },
): Effect[] {
  if (program === 'bash') return commandEffects(text, place, surroundings());
  return [unreadCommand(text, place, { program, name: SHELL_NAMES[program] })];
}
