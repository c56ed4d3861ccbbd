import { afterEach, expect, it } from 'vitest';
import { runCommand } from './run-command.js';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';
import { userCommands } from './user-commands.js';

let bench: CommandBench | undefined;

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: About ${name}.\nargument-hint: FILE\n---\nBe ${name}: $ARGUMENTS`;
const home = { '.tenon/skills/pdf/SKILL.md': skill('pdf'), '.claude/skills/git/SKILL.md': skill('git') };

it('lists what there is, and shows the one that is chosen', async () => {
  bench = await createCommandBench({ home });
  expect(await bench.say('/skills list')).toContain('/git: About git. (yours, ~/.claude/skills)');
  const said = await bench.say('/skills', [['down', 'enter']]);
  expect(bench.frames().join('\n')).toContain('About pdf.');
  expect(said).toContain('Be git: $ARGUMENTS');
  expect(await bench.say('/skills pdf')).toContain('Said as /pdf FILE.');
  expect(await bench.say('/skills pfd')).toContain('Did you mean pdf?');
});

it('says where skills are looked for when there are none', async () => {
  bench = await createCommandBench();
  expect(await bench.say('/skills')).toContain('No skills. Looked for: ~/.tenon/skills, ~/.qwen/skills');
});

it('says what is withheld in a folder that is not trusted, and has it in one that is', async () => {
  const files = { '.tenon/skills/theirs/SKILL.md': skill('theirs') };
  bench = await createCommandBench({ files });
  expect(await bench.say('/skills')).toContain('Withheld, for this folder is not trusted');
});

it('makes a command of each that the person may say, behind those that are there', async () => {
  bench = await createCommandBench({ home });
  const { preparation, surroundings, agent } = bench.context;
  const { commands } = await userCommands({ preparation, surroundings, agent, taken: ['git'] });
  expect(commands.map(({ name, usage, sentence }) => [name, usage, sentence])).toEqual([
    ['pdf', 'FILE', 'About pdf. (skill, yours, ~/.tenon/skills)'],
    ['skill:git', 'FILE', 'About git. (skill, yours, ~/.claude/skills)'],
  ]);
  const answer = await runCommand('/skill:git a.txt', { ...bench.context, commands: () => commands });
  expect(answer?.prompt).toMatchObject({
    text: '/git a.txt',
    attach: [],
    content: [{ text: expect.stringContaining('Be git: a.txt') as string }],
  });
});
