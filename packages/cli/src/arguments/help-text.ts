import { EXIT_CODE_SENTENCES } from '../exit-codes.js';
import { COMMAND_LINES, OPTIONS, type OptionDefinition } from './option-table.js';

/** What `tenon --help` prints. */
export function helpText(): string {
  const commands = Object.values(COMMAND_LINES).map((line) => row(line.usage, line.sentence));
  const options = OPTIONS.map((option) => row(optionUsage(option), option.sentence + repeatNote(option)));
  const codes = Object.entries(EXIT_CODE_SENTENCES).map(([code, sentence]) => `  ${code.padStart(3)}  ${sentence}`);
  return [
    'Tenon joins a language model to this machine.',
    '',
    ...commands,
    '',
    'Options',
    ...options,
    '  --                            What follows is the prompt, whatever it looks like.',
    '',
    'A prompt may name files with @: @src/a.ts, @docs/, @src/**/*.ts, @"two words.md".',
    'Rules are "Tool" or "Tool(specifier)": Bash(npm test), Edit(src/**), Read.',
    'Environment: OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL; TENON_HOME (default ~/.tenon);',
    'TENON_DEBUG=1 shows where an unexpected error came from; NO_COLOR=1 turns colours off.',
    '',
    'Exit codes',
    ...codes,
    '',
  ].join('\n');
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(29)} ${right}`;
}

function optionUsage(option: OptionDefinition): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  return `${short}--${option.name}${option.value === undefined ? '' : ` ${option.value}`}`;
}

function repeatNote(option: OptionDefinition): string {
  return option.repeatable === true ? ' May be repeated.' : '';
}
