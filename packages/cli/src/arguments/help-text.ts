import { EXIT_CODE_SENTENCES } from '../exit-codes.js';
import { COMMAND_ACTIONS } from './command-actions.js';
import { COMMAND_LINES, COMMANDS, OPTIONS, type CommandName, type OptionDefinition } from './option-table.js';

/** Returns the text of `tenon --help`; with the name of a command, that of `tenon COMMAND --help`. */
export function helpText(word?: string): string {
  const command = COMMANDS.find((name) => name === word);
  return command === undefined ? wholeHelp() : commandHelp(command);
}

function commandHelp(command: CommandName): string {
  const { usage, sentence } = COMMAND_LINES[command];
  const actions = (COMMAND_ACTIONS[command] ?? []).map(([form, does]) => row(form, does, 35));
  const options = OPTIONS.filter(({ name, commands }) => commands.includes(command) && !EVERYWHERE.has(name));
  return [
    `Usage: ${usage}`,
    '',
    sentence,
    ...(actions.length === 0 ? [] : ['', ...actions]),
    ...(options.length === 0 ? [] : ['', 'Options', ...options.map(optionRow)]),
    '',
    '`tenon --help` lists all commands and the exit codes.',
    '',
  ].join('\n');
}

const EVERYWHERE: ReadonlySet<string> = new Set(['help', 'version']);

function wholeHelp(): string {
  const commands = Object.values(COMMAND_LINES).map((line) => row(line.usage, line.sentence));
  const codes = Object.entries(EXIT_CODE_SENTENCES).map(([code, sentence]) => `  ${code.padStart(3)}  ${sentence}`);
  return [
    'Tenon joins a language model to this machine.',
    '',
    ...commands,
    '',
    'Options',
    ...OPTIONS.map(optionRow),
    '  --                            What follows is the prompt, whatever it looks like.',
    '',
    'A prompt may name files with @: @src/a.ts, @src/a.ts#L10-20, @docs/, @src/**/*.ts, @"two words.md".',
    'Rules are "Tool" or "Tool(specifier)": Bash(npm test), Edit(src/**), Read.',
    'Environment: OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL; TENON_HOME (default ~/.tenon);',
    'TENON_DEBUG=1 shows where an unexpected error came from; NO_COLOR=1 turns colours off.',
    '',
    'Exit codes',
    ...codes,
    '',
    '`tenon COMMAND --help` shows the help of one command.',
    '',
  ].join('\n');
}

function row(left: string, right: string, width = 29): string {
  return `  ${left.padEnd(width)} ${right}`;
}

function optionRow(option: OptionDefinition): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  const usage = `${short}--${option.name}${option.value === undefined ? '' : ` ${option.value}`}`;
  return row(usage, option.sentence + (option.repeatable === true ? ' May be repeated.' : ''));
}
