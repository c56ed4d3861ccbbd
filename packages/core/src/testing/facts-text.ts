import { analyseCommand } from '../shell/analyse-command.js';
import type { PathUse, ProgramFacts, StartedCommand } from '../shell/program-facts.js';
import { judgeProgram } from '../shell/programs/judge-program.js';
import type { ProgramSurroundings } from '../shell/programs/program-row.js';
import { shownText } from '../shell/words/shell-word.js';

/**
 * What is known of the first command of a text, as one line: `R`, `W`, `D` before paths (`*` behind one: all below it;
 * `folder:path`: relative to that folder), `@` before addresses, `>` before what is started, `?` when it is not
 * known (its reason is left out), `…` when it is an ordinary program.
 */
export function factsText(command: string, surroundings: ProgramSurroundings = {}): string {
  const judge = (call: Parameters<typeof judgeProgram>[0]): ProgramFacts => judgeProgram(call, surroundings);
  const { commands } = analyseCommand(command, { directory: '/w', home: '/home/ann', judge });
  const facts = commands[0]?.facts;
  if (facts === undefined) return 'nothing';
  const end = facts.unknown.length > 0 ? ['?'] : facts.isComplete ? [] : ['…'];
  const parts = [
    ...facts.paths.map(pathText),
    ...facts.addresses.map((word) => `@${shownText(word)}`),
    ...facts.starts.map(startText),
    ...end,
  ];
  return [...new Set(parts)].join(' ');
}

function pathText({ kind, word, tree, from }: PathUse): string {
  const letter = { read: 'R', write: 'W', delete: 'D' }[kind];
  return `${letter} ${from === undefined ? '' : `${shownText(from)}:`}${shownText(word)}${tree === true ? '*' : ''}`;
}

function startText(started: StartedCommand): string {
  if ('script' in started) return `> \`${started.script}\``;
  const folder =
    started.folder === undefined ? '' : started.folder === 'anywhere' ? '?:' : `${shownText(started.folder)}:`;
  return `> ${folder}${started.words.map(shownText).join(' ')}`;
}

/** Lines `command => facts`; those that begin with `//` and empty ones are left out. */
export function factsTable(text: string): readonly (readonly [command: string, facts: string])[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .map((line) => {
      const at = line.lastIndexOf('=>');
      return [line.slice(0, at).trim(), line.slice(at + 2).trim()];
    });
}
