import { describe, expect, it } from 'vitest';
import { hostileCommands } from '../testing/hostile-commands.js';
import { analyseCommand, type CommandAnalysis } from './analyse-command.js';
import { MAX_COMMAND_LENGTH } from './command-length.js';
import { judgeProgram } from './programs/judge-program.js';
import type { ProgramSurroundings } from './programs/program-row.js';
import { WorkBudget } from './walk/work-budget.js';

const NAMES = ['a', 'b.ts', 'c.md', 'src', 'dist', 'node_modules'];

/** How often programs were judged and names compared, and how long the words of all commands are together. */
function workOf(text: string): CommandAnalysis & { judged: number; listed: number; characters: number } {
  let [judged, listed, characters] = [0, 0, 0];
  const surroundings: ProgramSurroundings = {
    list: () => {
      listed += 1;
      return NAMES;
    },
  };
  const analysis = analyseCommand(text, {
    directory: '/w',
    home: '/home/ann',
    list: surroundings.list,
    judge: (call) => {
      judged += 1;
      characters += call.words.reduce((length, { start }) => length + start.length, 0);
      return judgeProgram(call, surroundings);
    },
  });
  return { ...analysis, judged, listed, characters };
}

const COMMANDS = hostileCommands(MAX_COMMAND_LENGTH);

describe('a hostile text', () => {
  it('is as long as a text may be, and no longer', () => {
    expect(COMMANDS.every(({ text }) => text.length <= MAX_COMMAND_LENGTH)).toBe(true);
    expect(COMMANDS.filter(({ text }) => text.length > 60_000).length).toBeGreaterThan(40);
  });

  it.each(COMMANDS.map(({ shape, text }) => [shape, text] as const))(
    '%s: takes a bounded number of steps',
    (_, text) => {
      const { judged, listed, characters, commands, unknown } = workOf(text);
      expect(judged).toBeLessThanOrEqual(1_000);
      // Wildcards are compared in the words that are followed.
      expect(listed).toBeLessThanOrEqual(10_000 * NAMES.length);
      expect(characters).toBeLessThanOrEqual(500_000);
      // What is not followed is only written down, each text once.
      expect(commands.length).toBeLessThanOrEqual(1_000 + MAX_COMMAND_LENGTH / 4);
      expect(commands.length > 0 || unknown.length > 0).toBe(true);
    },
  );

  it('names what is not followed, so that rules that forbid it are met', () => {
    for (const text of [
      `${'a;'.repeat(20_000)}rm -rf x`,
      `a${'|a'.repeat(20_000)}|rm -rf x`,
      `a${'&&a'.repeat(20_000)}&&rm -rf x`,
      `${'a;'.repeat(20_000)}'rm' -rf "x"`,
      `${'a;'.repeat(20_000)}echo $(rm -rf x)`,
      `ls ${'a '.repeat(20_000)} $(rm -rf x)`,
      `x='${'y '.repeat(9_000)}';${'ls $x;'.repeat(5_000)}echo "$(rm -rf x)"`,
    ]) {
      const { commands, unknown } = workOf(text);
      const argvs = commands.map(({ words }) => words.map((word) => word.text ?? '?').join(' '));
      expect(argvs, text.slice(-60)).toContain('rm -rf x');
      expect(unknown).not.toEqual([]);
    }
  });

  it('leaves what people write alone', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `echo "line ${index}" | grep -c "$HOME" src/a${index}.ts`);
    expect(workOf(lines.join('\n')).unknown).toEqual([]);
    expect(workOf(`cat > a.txt <<'EOF'\n${'some text, $not a variable\n'.repeat(2_000)}EOF\n`).unknown).toEqual([]);
    expect(workOf(`cat > a.txt <<EOF\n${'some text\n'.repeat(5_000)}EOF\n`).unknown).toEqual([]);
  });
});

describe('a budget', () => {
  it('refuses what is too much, with a doubt, and what still fits later', () => {
    const doubts: string[] = [];
    const budget = new WorkBudget((reason) => doubts.push(reason));
    expect(budget.take('commands', 999)).toBe(true);
    expect(budget.isSpent).toBe(false);
    expect(budget.take('commands', 2)).toBe(false);
    expect(budget.isSpent).toBe(true);
    expect(budget.take('words')).toBe(true);
    expect(doubts).toEqual(['more commands than can be followed']);
  });
});
