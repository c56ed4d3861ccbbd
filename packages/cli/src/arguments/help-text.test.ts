import { expect, it } from 'vitest';
import { helpText } from './help-text.js';
import { COMMAND_LINES, COMMANDS, OPTIONS } from './option-table.js';

it('names every option and every exit code', () => {
  const text = helpText();
  for (const option of OPTIONS) expect(text).toContain(`--${option.name}`);
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 130, 141])
    expect(text).toMatch(new RegExp(`^ +${code}  [A-Z]`, 'm'));
});

it.each(COMMANDS.filter((name) => name !== 'run'))('of %s names that command, its options and no others', (command) => {
  const text = helpText(command);
  expect(text).toContain(COMMAND_LINES[command].usage);
  const named = new Set(Array.from(text.matchAll(/^ {2}(?:-\w, | {4})--([\w-]+)/gm), ([, name]) => name));
  for (const { name, commands } of OPTIONS) {
    const belongs = commands.includes(command) && name !== 'help' && name !== 'version';
    expect([name, named.has(name)]).toEqual([name, belongs]);
  }
});

it('of a word that is no command is the whole', () => {
  expect(helpText('nonsense')).toBe(helpText());
});
