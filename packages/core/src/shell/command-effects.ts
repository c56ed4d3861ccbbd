import { basename, dirname, join, resolve } from 'node:path';
import type { Effect, RunEffect } from '../effects/effect.js';
import { analyseCommand } from './analyse-command.js';
import { staysBelow } from './known-options.js';
import { isReadOnlyProgram } from './program-knowledge.js';

/** Where a text runs. */
export type CommandPlace = Pick<RunEffect, 'directory' | 'zone'>;

/**
 * The effects of a shell text: one `run` for each simple command, one `unknown` for each reason that the text may
 * do more. Nothing is called read-only in a text that was not understood whole, since one part can change what
 * another means. Never without a `run`: where no command was found, it is the shell with the whole text.
 * `follow` says where a folder really is that the text itself changes to; without it, paths are compared as text.
 */
export function commandEffects(
  text: string,
  place: CommandPlace,
  follow: (path: string) => CommandPlace = (path) => followText(path, place),
): Effect[] {
  const { commands, unknown, writesTo, movesTo } = analyseCommand(text, place.directory);
  const certain = unknown.length === 0;
  const moved = movesTo === undefined ? place : follow(resolve(place.directory, movesTo));
  const runs = commands.map(({ text: command, argv }, index): Effect => ({
    kind: 'run',
    command,
    argv,
    directory: index === 0 ? place.directory : moved.directory,
    zone: index === 0 ? place.zone : moved.zone,
    readOnly: certain && isReadOnlyProgram(argv),
  }));
  const whole: Effect = { kind: 'run', command: text, argv: ['bash', '-c', text], ...place, readOnly: false };
  return [
    ...(runs.length > 0 ? runs : [whole]),
    ...unknown.map((reason): Effect => ({ kind: 'unknown', reason })),
    ...writesTo.map((word) => writeEffect(resolve(moved.directory, word), follow)),
  ];
}

/** A redirection writes its file whatever else the text does: rules on paths and protected files speak of it. */
function writeEffect(requested: string, follow: (path: string) => CommandPlace): Effect {
  const { directory, zone } = follow(dirname(requested));
  return { kind: 'write', path: join(directory, basename(requested)), requested, zone };
}

function followText(path: string, { directory, zone }: CommandPlace): CommandPlace {
  return { directory: path, zone: staysBelow(path, directory) ? zone : 'outside' };
}
