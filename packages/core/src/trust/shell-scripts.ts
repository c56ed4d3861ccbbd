import { basename } from 'node:path';
import { Failure } from '../util/failure.js';
import { projectScripts, type ProjectScript } from './project-scripts.js';

/** What ends a command, or a word as a shell reads it: quotes hold blanks together. */
const COMMAND_ENDS = /^[;|&()\n`]+$/;
const PIECES = /[;|&()\n`]+|(?:"[^"]*"|'[^']*'|[^\s;|&()<>`"'])+/g;
/** What is in quotes may be a command itself (`bash -c '…'`): looked at too closely rather than not closely enough. */
const BETWEEN_COMMANDS = /[;|&()\n`]+/;
const BETWEEN_WORDS = /[\s"'<>=]+/;
/** They run the file that they are given, whatever its name. */
const INTERPRETERS =
  /^(?:ba|da|z|k|fi)?sh$|^(?:node|nodejs|deno|bun|tsx|python[\d.]*|ruby|perl|php|lua|pwsh|powershell|source|\.|exec|env|sudo|time|xargs)(?:\.exe)?$/i;

/**
 * The files of a folder that a shell's text would run, by content: programs, what interpreters are given, and scripts among
 * the other words. `variables`: what stands for the folder. `root`: canonical.
 */
export async function shellScripts(
  text: string,
  { root, variables }: { readonly root: string; readonly variables: readonly string[] },
): Promise<readonly ProjectScript[]> {
  const found = new Map<string, ProjectScript>();
  for (const words of commandsIn(withFolder(text, root, variables))) {
    for (const [index, word] of words.entries()) {
      const before = words[index - 1];
      const isRun = !word.startsWith('-') && (before === undefined || INTERPRETERS.test(basename(before)));
      // A program is looked at whatever its name; a slash says that it is no name to be found in PATH.
      const program = word.includes('/') ? word : `./${word}`;
      const argv = isRun && (before !== undefined || word.includes('/')) ? [program] : ['', ...moduleOf(before), word];
      for (const script of await projectScripts(argv, { cwd: root, root })) found.set(script.path, script);
    }
  }
  return Array.from(found.values());
}

/** @throws Failure `program_changed` when they are not the files that somebody agreed to */
export async function expectSameScripts(
  text: string,
  {
    scripts,
    ...place
  }: { readonly scripts: readonly ProjectScript[]; readonly root: string; readonly variables: readonly string[] },
): Promise<void> {
  const now = new Map((await shellScripts(text, place)).map(({ path, digest }) => [path, digest]));
  const known = new Map(scripts.map(({ path, digest }) => [path, digest]));
  const changed = [...now.keys(), ...known.keys()].find((path) => now.get(path) !== known.get(path));
  if (changed === undefined) return;
  throw new Failure(
    'program_changed',
    `${changed} of this folder, which it runs, is not what it was when the folder was trusted with it. \`tenon trust\` shows what would run, and \`tenon trust --yes\` agrees to it; it counts from the next start on.`,
  );
}

/** The words of each command, by both readings. */
function commandsIn(text: string): string[][] {
  const commands: string[][] = [[]];
  for (const [piece] of text.matchAll(PIECES)) {
    if (COMMAND_ENDS.test(piece)) commands.push([]);
    else commands.at(-1)?.push(piece.replaceAll(/["']/g, ''));
  }
  const loose = text.split(BETWEEN_COMMANDS).map((command) => command.split(BETWEEN_WORDS));
  return [...commands, ...loose].map((words) => words.filter((word) => word !== ''));
}

function moduleOf(before: string | undefined): string[] {
  return before === '-m' ? ['-m'] : [];
}

function withFolder(text: string, root: string, variables: readonly string[]): string {
  return variables.reduce(
    (out, name) =>
      out.replaceAll(`\${${name}}`, root).replaceAll(new RegExp(`\\$(?:env:)?${name}\\b`, 'g'), () => root),
    text,
  );
}
