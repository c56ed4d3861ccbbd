import { COMMAND_LINES, COMMANDS, OPTIONS, type CommandName } from '../../packages/cli/src/arguments/option-table.js';
import { inlineCode, partsOf, type Finding, type Page, type Piece } from './pages.js';

/** Their first word says what they do. */
const WITH_ACTIONS: readonly CommandName[] = [
  'mcp',
  'policy',
  'trust',
  'skills',
  'agents',
  'extensions',
  'secrets',
  'audit',
];
/** Options of other programs that stand alone in the text, with whose they are. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  '--init': 'docker run',
  '--add-host': 'docker run',
  '--omit': 'npm install',
  '--output': 'git diff',
  '--script-shell': 'npm',
  '--import': 'node',
  '--test': 'node',
  '--disallow-code-generation-from-strings': 'node',
};

/** Words for options. */
const FOR_OPTIONS: ReadonlySet<string> = new Set(['help', 'version']);

/** What programs start that Tenon talks to, and no person: not in the help. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(['follow-output']);

/** What `tenon` does not know among the command lines of a page, and options that no `tenon` has. */
export function unknownCommandLines(page: Page): Finding[] {
  const inCode = partsOf(page).code.flatMap(commandLinesIn);
  const inText = inlineCode(page).flatMap(commandLinesIn);
  const alone = inlineCode(page).filter(({ text }) => text.startsWith('--'));
  return [
    ...[...inCode, ...inText].flatMap(({ line, text }) => problemsOf(text).map((problem) => ({ line, problem }))),
    ...alone.flatMap(({ line, text }) => {
      const name = /^--[a-z][a-z-]*/.exec(text)?.[0];
      const isKnown = name === undefined || name in OF_OTHERS || OPTIONS.some((option) => `--${option.name}` === name);
      return isKnown ? [] : [{ line, problem: `${name} is no option` }];
    }),
  ].map(({ line, problem }) => ({ path: page.path, line, text: problem }));
}

/** From `tenon` to the end of each simple command: what follows ` -- ` is another program's, and quoted words are words. */
function commandLinesIn({ line, text }: Piece): Piece[] {
  // Its options stand behind the command that it starts.
  if (text.startsWith('npx ')) return [];
  const starts = [...text.matchAll(/(?:^|[\s;&|(`])tenon(?=\s+[\w-]|\s*$)/g)];
  return starts.flatMap((match) => {
    const rest = text.slice(match.index + match[0].length).replaceAll(/"[^"]*"|'[^']*'/g, '"…"');
    const own = /^(.*?)(?:\s--(?:\s|$)|[;|&#`)]|\s[<>]|$)/.exec(rest)?.[1] ?? '';
    // In the text of a message or of a person, what follows may be a sentence.
    return /^\s*(?:$|[a-z"-])/.test(own) && !/^\s*[a-z]+[,.:]\s/.test(own) ? [{ line, text: own.trim() }] : [];
  });
}

function problemsOf(words: string): string[] {
  const all = words.split(/\s+/).filter((word) => word !== '');
  const [first = ''] = all;
  if (FOR_PROGRAMS.has(first) || FOR_OPTIONS.has(first)) return [];
  const isWord = /^[a-z][a-z-]*$/.test(first);
  const command = isWord ? COMMANDS.find((name) => name === first) : 'run';
  if (command === undefined) return [`tenon ${first} is no command`];
  const action = isWord && WITH_ACTIONS.includes(command) ? /^[a-z][a-z-]*$/.exec(all[1] ?? '')?.[0] : undefined;
  const { usage, sentence } = COMMAND_LINES[command];
  const knowsAction = action === undefined || `${usage} ${sentence}`.split(/[^a-z-]+/).includes(action);
  return [
    ...(knowsAction ? [] : [`tenon ${command} ${action} is nothing`]),
    ...all.flatMap((word) => {
      const name = /^(?:--([a-z][a-z-]*)|-([a-z]))(?:=.*)?$/.exec(word.replace(/[\],.:]+$/, '').replace(/^\[/, ''));
      if (name === null) return [];
      const option = OPTIONS.find((one) => one.name === name[1] || (name[2] !== undefined && one.short === name[2]));
      if (option === undefined) return [`tenon has no option ${word}`];
      return option.commands.includes(command) ? [] : [`tenon ${command} has no option ${word}`];
    }),
  ];
}
