import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommandBody } from './command-row.js';

/** Files with words for models that projects have, in the order in which one is chosen to be improved. */
const NAMES = ['AGENTS.md', 'TENON.md', 'QWEN.md', 'CLAUDE.md', 'GEMINI.md'] as const;

/** `/init [WORDS]`: has the model look at the project and write down what agents should know of it. */
export const initCommand: CommandBody = {
  run: async (typed, { preparation }) => {
    const [root] = preparation.roots;
    const there: string[] = [];
    for (const name of NAMES) if (await isFile(path.join(root, name))) there.push(name);
    return { prompt: { text: initPrompt(there, typed) } };
  },
};

/** Pure. */
export function initPrompt(there: readonly string[], wish: string): string {
  const [known = 'AGENTS.md'] = there;
  const task =
    there.length === 0
      ? `Look at this project and write ${known} at its top: what an agent that works here must know and cannot guess.`
      : `Look at this project and improve ${known} at its top (there are: ${there.join(', ')}): it should say what an agent that works here must know and cannot guess. Keep what is right in it, and its voice.`;
  return [
    task,
    '',
    'First look: the README, the manifests and build files, the settings of linters and formatters, the continuous integration, the layout of folders, a few typical source files and tests, rules that other tools have here.',
    'Then write, in this order and only what you have seen to be true:',
    '- in two sentences what the project is;',
    '- the commands to set up, build, test (all, one file, one test), lint and format; run those that are quick and change nothing outside build folders, to be sure of them;',
    '- how the parts hang together: what must be read in several files to be understood, not a list of every file;',
    '- conventions that differ from what is usual, and what must never be done.',
    'No advice that holds for any project, nothing invented, no secrets. At most 150 lines.',
    ...(wish === '' ? [] : ['', `The user adds: ${wish}`]),
  ].join('\n');
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() === true;
}
