import { afterEach, describe, expect, it } from 'vitest';
import { ToolConfirmationOutcome } from '@tenon/core';
import { createFakeApprover } from '@tenon/core/testing';
import type { Command, CommandAnswer } from './command.js';
import { runCommand } from './run-command.js';
import { createCommandBench, type CommandBench, type CommandBenchOptions } from './testing/command-bench.js';
import { userCommands } from './user-commands.js';

let bench: CommandBench;
let commands: readonly Command[];
let problems: readonly string[];

async function open(options: CommandBenchOptions, taken: readonly string[] = ['help', 'compact']): Promise<void> {
  bench = await createCommandBench(options);
  const { preparation, surroundings } = bench.context;
  ({ commands, problems } = await userCommands({ preparation, surroundings, taken }));
}

afterEach(async () => bench.close());

const run = async (text: string): Promise<CommandAnswer> => {
  const answer = await runCommand(text, { ...bench.context, commands: () => commands });
  if (answer === undefined) throw new Error('no command');
  return answer;
};
const named = (name: string): Command | undefined => commands.find((command) => command.name === name);

describe('commands of the person', () => {
  it('are found in every folder that is theirs, by folder and name', async () => {
    await open({
      home: {
        '.tenon/commands/review.md': '---\ndescription: Reviews\nargument-hint: FILE\n---\nReview $1',
        '.tenon/commands/git/save.md': '# Saves\nCommit it.',
        '.qwen/commands/say.toml': 'prompt = "Say {{args}}"\ndescription = "Says"',
        '.claude/commands/deep/down.md': 'Down.',
        '.tenon/commands/notes.txt': 'none',
      },
    });
    expect(commands.map(({ name, usage, sentence }) => [name, usage, sentence])).toEqual([
      ['git:save', undefined, 'Saves (yours, .tenon/commands)'],
      ['review', 'FILE', 'Reviews (yours, .tenon/commands)'],
      ['say', undefined, 'Says (yours, .qwen/commands)'],
      ['deep:down', undefined, 'Down. (yours, .claude/commands)'],
    ]);
    expect(problems).toEqual([]);
    expect(await run('/review src/a.ts')).toEqual({ prompt: { text: 'Review src/a.ts', attach: [] } });
    expect((await run('/say "a b"')).prompt?.text).toBe('Say "a b"');
    expect((await run('/git:save soon')).prompt?.text).toBe('# Saves\nCommit it.\n\nsoon');
  });

  it('name files that go along, but not by what commands print', async () => {
    await open({
      files: { 'a.txt': 'x', 'b.txt': 'y' },
      home: { '.tenon/commands/see.md': 'See @a.txt, @{b.txt}, $1 and !`echo @c.txt`' },
    });
    const { prompt } = await run('/see @d.txt');
    expect(prompt?.text).toContain('See @a.txt, @"b.txt", @d.txt and @c.txt');
    expect(prompt?.attach).toEqual(['a.txt', 'b.txt', 'd.txt']);
  });

  it('that cannot be read, or whose name is taken, are told and left out', async () => {
    await open({
      home: {
        '.tenon/commands/help.md': 'x',
        '.tenon/commands/COMPACT.md': 'x',
        '.tenon/commands/empty.md': '',
        '.tenon/commands/bad name.md': 'x',
        '.tenon/commands/twice.md': 'mine',
        '.claude/commands/twice.md': 'other',
      },
    });
    expect(commands.map(({ name }) => name)).toEqual(['twice']);
    expect((await run('/twice')).prompt?.text).toBe('mine');
    const told = problems.join('\n');
    expect(told).toMatch(/help\.md is not used: \/help is a command of Tenon itself\./);
    expect(told).toMatch(/COMPACT\.md is not used/);
    expect(told).toMatch(/empty\.md is no command: it says nothing\./);
    expect(told).toMatch(/bad name\.md is no command: its name may hold/);
    expect(told).toMatch(/\.claude\/commands\/twice\.md is not used: \/twice is .*\.tenon\/commands\/twice\.md\./);
  });

  it('are read anew when they are run', async () => {
    await open({ home: { '.tenon/commands/say.md': 'first' } });
    await bench.home.write({ '.tenon/commands/say.md': 'second' });
    expect((await run('/say')).prompt?.text).toBe('second');
    await bench.home.write({ '.tenon/commands/say.md': '' });
    expect((await run('/say')).shown).toContain('it says nothing');
  });

  it('may want another model for their prompt, and allowed tools, which grants nothing', async () => {
    await open({ home: { '.tenon/commands/x.md': '---\nmodel: other\nallowed-tools: Bash\n---\nX' } });
    const answer = await run('/x');
    expect(answer.shown).toContain('grants nothing');
    expect(bench.agent.model.model).toBe('other');
    answer.whenPromptEnds?.();
    expect(bench.agent.model.model).toBe('scripted');
  });
});

describe('commands in them', () => {
  it('run when the rules allow it, and what they print stands in their place', async () => {
    await open({ files: { 'a.txt': 'one\n' }, home: { '.tenon/commands/x.md': 'It is: !`cat a.txt`\nEnd' } });
    expect((await run('/x')).prompt?.text).toBe('It is: one\nEnd');
  });

  it('are put to the person where the rules ask, with what was typed as one word', async () => {
    const yes = createFakeApprover([ToolConfirmationOutcome.ProceedOnce]);
    await open({ home: { '.tenon/commands/x.md': '!`touch $1`' }, approver: yes.approver });
    await run('/x "a b.txt"');
    expect(yes.requests.map(({ description }) => description)).toEqual(["touch 'a b.txt' (for /x)"]);
    expect(await bench.workspace.read('a b.txt')).toBe('');
  });

  it('that may not run keep the whole command from being said', async () => {
    const no = createFakeApprover([ToolConfirmationOutcome.Cancel]);
    await open({ home: { '.tenon/commands/x.md': 'Do: !`touch a.txt`' }, approver: no.approver });
    const answer = await run('/x');
    expect(answer.prompt).toBeUndefined();
    expect(answer.shown).toContain('/x was not said, for its command did not run: touch a.txt');
  });
});

describe('commands of a project', () => {
  const files = {
    '.tenon/commands/deploy.md': '---\ndescription: Secretly deletes\n---\nDeploy !`touch ran.txt`',
    '.claude/commands/a/b.md': 'B',
  };

  it('are listed by name alone while the folder is not trusted, and refuse', async () => {
    await open({ files });
    expect(commands.map(({ name }) => name)).toEqual(['deploy', 'a:b']);
    expect(named('deploy')?.sentence).not.toContain('Secretly');
    const answer = await run('/deploy');
    expect(answer.prompt).toBeUndefined();
    expect(answer.shown).toContain('tenon trust --yes');
    await expect(bench.workspace.read('ran.txt')).rejects.toThrow();
  });

  it('run once it is trusted; those of the person win', async () => {
    await open({ files, isTrusted: true, home: { '.tenon/commands/a/b.md': 'Mine' } });
    expect((await run('/a:b')).prompt?.text).toBe('Mine');
    expect(named('deploy')?.sentence).toBe('Secretly deletes (of the project, .tenon/commands)');
    expect(problems.join()).toContain('.claude/commands/a/b.md is not used');
  });

  it('are not followed out of the folder by links', async () => {
    await open({
      files: {
        '.tenon/commands/out.md': { linkTo: '/etc/passwd' },
        '.claude/commands': { linkTo: '/etc' },
        '.qwen/commands/in.md': { linkTo: '../../real.md' },
        'real.md': 'Real',
      },
      isTrusted: true,
    });
    expect(commands.map(({ name }) => name)).toEqual(['in']);
  });
});
