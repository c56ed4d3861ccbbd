import type { RunEffect } from '../effects/effect.js';
import type { CommandPlace } from './command-effects.js';

/**
 * The effect of a text for a shell that is not analysed: one command, the whole text, of which nothing is known. `name` is
 * the shell's, for people.
 */
export function unreadCommand(
  text: string,
  place: CommandPlace,
  { program, name }: { readonly program: string; readonly name: string },
): RunEffect {
  const unread = `${name} commands are not analysed`;
  return { kind: 'run', command: text, argv: [program, text], ...place, readOnly: false, unread };
}
