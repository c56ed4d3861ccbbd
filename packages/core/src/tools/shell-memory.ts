import { statSync } from 'node:fs';
import { readFile, unlink } from 'node:fs/promises';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { reasonOfVariable } from '../shell/walk/variables.js';
import { quoteWord } from '../util/shell-word.js';

/** What one call leaves to the next. */
export interface ShellState {
  /** Absolute, in the workspace; undefined for the workspace root. */
  readonly directory: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
}

export const NOTHING_KEPT: ShellState = { directory: undefined, variables: {} };

/** More than this is not a handful of settings any more, and would not fit beside a command's words. */
const MOST_VARIABLES = 100;
const MOST_BYTES = 64 * 1024;
/** What shells and our own wrapping set by themselves. */
const NOBODYS = /^(?:_|SHLVL|PWD|OLDPWD|TENON.*)$/;
const NAME = /^[A-Za-z_]\w{0,99}$/;

/**
 * The command with a first line that writes down folder and exported variables when the shell ends by itself.
 * The command's own text stays as it is behind it: whatever it says, quoting included, cannot change that line.
 */
export function rememberingCommand(command: string, file: string): string {
  // A subshell has no traps of its own; `exec` and a trap of the command's own leave the state as it was.
  const save = `{ builtin printf "%s\\0" "$PWD"; /usr/bin/env -0; } > ${quoteWord(file)} 2> /dev/null`;
  return `trap ${quoteWord(save)} EXIT\n${command}`;
}

/**
 * The state that a command left, as far as it may be kept: a folder in the workspace, and exported variables that were
 * set since, none of which changes what is run. `before`: the variables that the command was given.
 */
export async function readShellState(
  file: string,
  gate: WorkspaceGate,
  before: Readonly<Record<string, string>>,
): Promise<{ readonly state: ShellState; readonly notes: readonly string[] } | undefined> {
  const text = await takeFile(file);
  if (text === undefined) return undefined;
  const [directory = '', ...entries] = text.split('\0');
  const notes: string[] = [];
  const isInside =
    gate.check(directory) === null && gate.resolve(directory).zone === 'workspace' && isFolder(directory);
  if (!isInside) notes.push('The next command starts in the workspace root again: the folder is gone or lies outside.');
  const set = entries
    .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const)
    .filter(([name, value]) => NAME.test(name) && !NOBODYS.test(name) && before[name] !== value);
  const kept = set.filter(([name]) => reasonOfVariable(name, 'shell') === undefined).slice(0, MOST_VARIABLES);
  const names = new Set(kept.map(([name]) => name));
  const left = set.filter(([name]) => !names.has(name)).map(([name]) => name);
  if (left.length > 0) notes.push(`Not carried over, because it changes what is run: ${left.slice(0, 10).join(', ')}.`);
  return { state: { directory: isInside ? directory : undefined, variables: Object.fromEntries(kept) }, notes };
}

/** The state as far as it still holds: a folder that is gone is none. */
export function stillThere(state: ShellState): ShellState {
  return state.directory === undefined || isFolder(state.directory) ? state : { ...state, directory: undefined };
}

/** Why a command with these variables may do something else than its words say; none for settings of wording and amounts. */
export function doubtsOfState({ variables }: ShellState): string[] {
  return Object.keys(variables).flatMap((name) => {
    const reason = reasonOfVariable(name, 'program');
    return reason === undefined ? [] : [`${reason} by an earlier command`];
  });
}

/** Deletes the file of a command whose state nobody wants. */
export async function forgetShellState(file: string): Promise<void> {
  await unlink(file).catch(() => undefined);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function takeFile(file: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(file);
    return bytes.length > MOST_BYTES ? undefined : bytes.toString();
  } catch {
    return undefined;
  } finally {
    await forgetShellState(file);
  }
}
