import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage } from '@tenon/core';
import type { Preparation } from '../../prepare-session.js';
import type { Surroundings } from '../../surroundings.js';
import {
  commandFolders,
  findCommandFiles,
  readCommandText,
  type CommandFile,
  type CommandFolder,
} from './find-command-files.js';
import { readCommandFile, type ReadCommandFile, type UserCommandFile } from './read-command-file.js';

/** A command that users wrote, as doors list it. */
export interface UserCommand {
  /** Without the slash. */
  readonly name: string;
  /** What follows the name, for people. */
  readonly usage?: string;
  readonly sentence: string;
  /** As it is now: whoever writes a command tries it at once. `refusal`: why it is not said, for the person. */
  readonly open: () => Promise<UserCommandFile | { readonly refusal: string }>;
}

export interface UserCommands {
  readonly commands: readonly UserCommand[];
  /** What is wrong with files of commands, a sentence each. */
  readonly problems: readonly string[];
}

export interface UserCommandPlaces {
  readonly preparation: Pick<Preparation, 'roots' | 'settings'>;
  readonly surroundings: Pick<Surroundings, 'userHome' | 'tenonHome'>;
  /** Names and aliases of those that are built in: they win. */
  readonly taken: readonly string[];
}

/**
 * Commands that users wrote as files: the person's own first, then the project's. A file whose name is taken is left out, and
 * told. Those of a project that is not trusted are listed by name alone and refuse to run; nothing of them is read.
 */
export async function loadUserCommands({ preparation, surroundings, taken }: UserCommandPlaces): Promise<UserCommands> {
  const root = await realpath(preparation.roots[0]);
  const isTrusted = preparation.settings.trust.decision === 'trusted';
  const own = commandFolders(surroundings.userHome, surroundings.tenonHome);
  const ofProject = commandFolders(root, path.join(root, '.tenon'), root);
  // Started in the home folder, both are the same; then they are the person's own.
  const known = new Set(own.map(({ folder }) => folder));
  const places = [
    ...own.map((place) => ({ place, mayRead: true })),
    ...ofProject.filter(({ folder }) => !known.has(folder)).map((place) => ({ place, mayRead: isTrusted })),
  ];
  const names = new Map<string, string>(taken.map((name) => [name.toLowerCase(), 'a command of Tenon itself']));
  const commands: UserCommand[] = [];
  const problems: string[] = [];
  for (const { place, mayRead } of places) {
    const found = await findCommandFiles(place);
    problems.push(...found.problems);
    const loaded = await Promise.all(
      found.files.map(async (file) => ({ file, command: mayRead ? await commandOf(file, place) : refusing(file) })),
    );
    for (const { file, command } of loaded) {
      const lower = file.name.toLowerCase();
      const other = names.get(lower);
      if ('problem' in command) problems.push(`${file.file} is no command: ${command.problem}.`);
      else if (other === undefined) {
        names.set(lower, file.file);
        commands.push(command);
      } else problems.push(`${file.file} is not used: /${file.name} is ${other}.`);
    }
  }
  return { commands, problems };
}

async function commandOf(
  found: CommandFile,
  { within }: CommandFolder,
): Promise<UserCommand | { readonly problem: string }> {
  const read = async (): Promise<ReadCommandFile> => {
    try {
      return await readCommandFile(await readCommandText(found, within), found.format);
    } catch (thrown) {
      return { problem: errorMessage(thrown) };
    }
  };
  const first = await read();
  if ('problem' in first) return first;
  const { description = firstLine(first.template), argumentHint } = first;
  const whose = within === undefined ? 'yours' : 'of the project';
  return {
    name: found.name,
    ...(argumentHint !== undefined && { usage: argumentHint }),
    sentence: `${description} (${whose}, ${found.label})`,
    open: async () => {
      const now = await read();
      return 'problem' in now ? { refusal: `${found.file}: ${now.problem}.` } : now;
    },
  };
}

function refusing({ name, label }: CommandFile): UserCommand {
  return {
    name,
    sentence: `A command of this project (${label}), whose folder is not trusted.`,
    open: async () => ({
      refusal:
        `/${name} comes with this folder, which is not trusted: it could say anything in your name. ` +
        '`tenon trust` shows what trusting it means, `tenon trust --yes` trusts it; then start anew.',
    }),
  };
}

function firstLine(template: string): string {
  const line = template.split('\n', 1)[0] ?? '';
  const plain = line.replace(/^#+\s*/, '').trim();
  return plain.length > 100 ? `${plain.slice(0, 99)}…` : plain;
}
