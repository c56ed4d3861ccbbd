import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, extensionPlaces, type Agent } from '@tenon/core';
import type { Preparation } from '../../prepare-session.js';
import type { Surroundings } from '../../surroundings.js';
import {
  commandFolders,
  findCommandFiles,
  readCommandText,
  type CommandFile,
  type CommandFolder,
} from './find-command-files.js';
import { readCommandFile, type ReadCommandFile } from './read-command-file.js';
import { skillCommands } from './skill-commands.js';
import type { UserCommand } from './user-command.js';

export type { UserCommand } from './user-command.js';

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
  /** Whose skills are commands too. */
  readonly agent?: Pick<Agent, 'config'>;
}

/**
 * Commands that users wrote as files: the person's own first, then the project's. A file whose name is taken is left out, and
 * told. Those of a project that is not trusted are listed by name alone and refuse to run; nothing of them is read.
 */
export async function loadUserCommands({
  preparation,
  surroundings,
  taken,
  agent,
}: UserCommandPlaces): Promise<UserCommands> {
  const root = await realpath(preparation.roots[0]);
  const isTrusted = preparation.settings.trust.decision === 'trusted';
  const own = commandFolders(surroundings.userHome, surroundings.tenonHome);
  const ofProject = commandFolders(root, path.join(root, '.tenon'), root);
  // Started in the home folder, both are the same; then they are the person's own.
  const known = new Set(own.map(({ folder }) => folder));
  const brought = extensionPlaces(preparation.settings.extensions.bundles, 'commands').map(
    ({ extension, origin, folder, within }) => {
      const place: CommandFolder = {
        folder,
        label: `extension ${extension}`,
        formats: ['md', 'toml'],
        within,
        extension,
      };
      return { place, origin, mayRead: origin === 'user' || isTrusted };
    },
  );
  const places = [
    ...own.map((place) => ({ place, mayRead: true })),
    ...brought.filter(({ origin }) => origin === 'user'),
    ...ofProject.filter(({ folder }) => !known.has(folder)).map((place) => ({ place, mayRead: isTrusted })),
    ...brought.filter(({ origin }) => origin === 'project'),
  ];
  const names = new Map<string, string>(taken.map((name) => [name.toLowerCase(), 'a command of Tenon itself']));
  const commands: UserCommand[] = [];
  const problems: string[] = [];
  for (const { place, mayRead } of places) {
    const found = await findCommandFiles(place);
    problems.push(...found.problems);
    const loaded = await Promise.all(
      found.files
        .map((file) => withOwnName(file, place, names))
        .map(async (file) => ({ file, command: mayRead ? await commandOf(file, place) : refusing(file) })),
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
  const skills = agent === undefined ? [] : await skillCommands(agent, (name) => names.has(name.toLowerCase()));
  return { commands: [...commands, ...skills], problems };
}

/** What an extension calls as something else is called already is said with the name of the extension. */
function withOwnName(file: CommandFile, { extension }: CommandFolder, names: ReadonlyMap<string, string>): CommandFile {
  if (extension === undefined || !names.has(file.name.toLowerCase())) return file;
  return { ...file, name: `${extension}:${file.name}` };
}

async function commandOf(
  found: CommandFile,
  { within, extension }: CommandFolder,
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
  const whose = within === undefined ? 'yours, ' : extension === undefined ? 'of the project, ' : '';
  return {
    name: found.name,
    ...(argumentHint !== undefined && { usage: argumentHint }),
    sentence: `${description} (${whose}${found.label})`,
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
