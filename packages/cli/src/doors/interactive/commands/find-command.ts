import { nearestName } from '@tenon/core';
import type { Command } from './command.js';

/** A line that begins with a slash, taken apart. */
export interface TypedCommand {
  /** Without the slash. */
  readonly name: string;
  /** What stands behind the name, without the blanks around it. */
  readonly rest: string;
}

/** Letters first, so that `/usr/bin/x is broken` and `//` are what a person says, and no command. */
const COMMAND = /^\/([\p{L}\p{N}_?][\p{L}\p{N}_.:-]*)(?:\s+([\s\S]*))?$/u;

/** Undefined for a text that is no command: it is said to the model. */
export function parseCommand(text: string): TypedCommand | undefined {
  const found = COMMAND.exec(text.trim());
  return found === null ? undefined : { name: found[1] ?? '', rest: (found[2] ?? '').trim() };
}

/** By name or alias; the first of several, so that those that are built in win. */
export function findCommand(name: string, commands: readonly Command[]): Command | undefined {
  const wanted = name.toLowerCase();
  return (
    commands.find((command) => command.name.toLowerCase() === wanted) ??
    commands.find(({ aliases = [] }) => aliases.some((alias) => alias.toLowerCase() === wanted))
  );
}

export function unknownCommand(name: string, commands: readonly Command[]): string {
  const names = commands.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
  const meant = nearestName(name, names);
  return meant === undefined
    ? `There is no /${name}. /help lists what there is.\n`
    : `There is no /${name}. Did you mean /${meant}?\n`;
}
