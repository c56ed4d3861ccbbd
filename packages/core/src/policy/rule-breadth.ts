import type { ParsedRule } from './parse-rule.js';
import { carriesCommand, isUnfitForSavedRule, programName } from './programs.js';
import { SHELL_TOOL } from './tool-aliases.js';
import { subcommandsOf } from './subcommands.js';

/** How an allow rule is wider than anybody means, and what to write instead. */
export interface Breadth {
  /** `error`: under it anything may run or be written. */
  readonly class: 'error' | 'warning';
  readonly message: string;
  readonly instead: string;
}

/** Undefined for an allow rule that is narrow enough. */
export function breadthOf({ name, subject, specifier }: ParsedRule): Breadth | undefined {
  if (specifier?.kind === 'command') return breadthOfCommand(specifier.pattern.words, specifier.pattern.anyRest);
  if (specifier?.kind === 'path') {
    const { from, segments } = specifier.pattern;
    const isRead = subject.by === 'effect' && subject.effect === 'read';
    const isWhole = segments.every((segment) => segment === '**' || segment === '*') && segments.includes('**');
    if (from === 'absolute' && (isWhole || segments.length === 0)) {
      return wide(
        'error',
        'it allows every file of this machine, keys and passwords too.',
        `Name a folder: ${name}(//folder/**).`,
      );
    }
    if (from === 'home' && (isWhole || segments.length === 0)) {
      return wide(
        'error',
        'it allows all of your home folder, keys and passwords too.',
        `Name a folder: ${name}(~/folder/**).`,
      );
    }
    if (!isRead && isWhole) {
      const instead = `Name a folder, such as ${name}(src/**); or choose the auto_edit mode, which still asks before deleting.`;
      return wide('warning', 'it allows writing and deleting all of the workspace.', instead);
    }
    return undefined;
  }
  if (specifier !== undefined) return undefined;
  if (subject.by === 'effect') return breadthOfClass(name, subject.effect);
  if (subject.name !== SHELL_TOOL) return undefined;
  return breadthOfClass(name, 'run');
}

function breadthOfClass(name: string, effect: string): Breadth | undefined {
  switch (effect) {
    case 'run':
      return wide(
        'error',
        'it allows every command there is.',
        `Name the commands: ${name}(npm test), ${name}(git log *).`,
      );
    case 'change':
      return wide(
        'error',
        'it allows writing and deleting every file of this machine.',
        `Name a folder: ${name}(src/**).`,
      );
    case 'read':
      return wide(
        'warning',
        'it allows reading every file of this machine, keys and passwords too.',
        `The workspace is read without a rule; for more, name the folder: ${name}(//folder/**).`,
      );
    case 'fetch':
      return wide(
        'warning',
        'it allows reaching every host, with whatever was read.',
        `Name the hosts: ${name}(domain:example.com).`,
      );
    case 'secret':
      return wide(
        'warning',
        'it allows putting every secret into any command and any file.',
        `Name the secrets: ${name}(DATABASE_URL).`,
      );
    default:
      return undefined;
  }
}

function breadthOfCommand(words: readonly (readonly string[])[], anyRest: boolean): Breadth | undefined {
  const [program = [''], second] = words;
  if (program.length > 1) {
    return wide(
      'error',
      `it allows every program whose name fits ${JSON.stringify(program.join('*'))}.`,
      'Name one program.',
    );
  }
  const word = program[0] ?? '';
  const name = programName(word);
  const isOpen = anyRest || words.some((each) => each.length > 1);
  if (!isOpen) return undefined;
  if (word.includes('/') && words.length === 1 && !word.startsWith('/')) return undefined;
  // `python -m pytest *` names what is run; `python *` and `python -c *` do not.
  const isOpenEarly =
    second === undefined || second.length > 1 || words.length < 3 || /^-\w*[ce]$/.test(second[0] ?? '');
  if (carriesCommand(word) && isOpenEarly) {
    return wide(
      'error',
      `\`${name}\` runs whatever it is handed: the rule says nothing about what that is, and most of it is asked about all the same.`,
      'Write rules for the commands that it starts, such as Bash(npm test *).',
    );
  }
  if (isUnfitForSavedRule(word)) {
    return wide(
      'warning',
      `\`${name}\` destroys, gives away or starts more than one rule can mean.`,
      'Name the whole command, without "*", or let it be asked about.',
    );
  }
  const subcommands = subcommandsOf(name);
  if (words.length === 1 && anyRest && subcommands !== undefined) {
    const examples = subcommands.map((each) => `Bash(${name} ${each} *)`).join(', ');
    return wide(
      'warning',
      `\`${name}\` does very different things by its subcommand.`,
      `Name the subcommands: ${examples}.`,
    );
  }
  return undefined;
}

function wide(level: Breadth['class'], message: string, instead: string): Breadth {
  return { class: level, message, instead };
}
