import { afterEach, expect, it } from 'vitest';
import { BUILTIN_COMMANDS } from './command-list.js';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench | undefined;

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '1.0', description: `About ${name}.`, ...more });
const home = {
  '.tenon/extensions/kit/tenon-extension.json': manifest('kit', { themes: [], excludeTools: ['web_fetch'] }),
  '.tenon/extensions/kit/skills/saw/SKILL.md': '---\nname: saw\ndescription: Saws.\n---\nSaw.',
  '.gemini/extensions/cloud/gemini-extension.json': manifest('cloud', { mcpServers: { s: { command: 'x' } } }),
};

it('lists what there is with what is wrong, and shows the one that is chosen', async () => {
  bench = await createCommandBench({ home });
  const list = await bench.say('/extensions list');
  expect(list).toContain('kit 1.0: About kit. (yours, used)\n  brings skills, takes away web_fetch\n');
  expect(list).toContain('"themes" of its manifest count for nothing here.');
  expect(list).toContain('`tenon extensions install ');
  const said = await bench.say('/extensions', [['down', 'enter']]);
  expect(bench.frames().join('\n')).toContain('brings skills, takes away web_fetch (yours, used)');
  expect(said).toContain('cloud 1.0: About cloud.');
  expect(await bench.say('/extensions KIT')).toContain('takes away: web_fetch');
  expect(await bench.say('/extensions kti')).toContain('Did you mean kit?');
  expect(await bench.say('/extensions', [['escape']])).toBe('');
});

it('says what one of a folder that is not trusted waits for, and how one is got where there are none', async () => {
  bench = await createCommandBench({ files: { '.tenon/extensions/theirs/tenon-extension.json': manifest('theirs') } });
  expect(await bench.say('/extensions list')).toMatch(/theirs .*\(of the project, withheld\)[^]*`tenon trust`/);
  await bench.close();
  bench = await createCommandBench();
  expect(await bench.say('/extensions')).toContain('No extensions. `tenon extensions install FOLDER`');
});

it('completes names', async () => {
  bench = await createCommandBench({ home });
  const { complete } = BUILTIN_COMMANDS.find(({ name }) => name === 'extensions') ?? {};
  const words = async (typed: string): Promise<unknown> =>
    (await complete?.(typed, (bench as CommandBench).context))?.map(({ insert, detail }) => [insert, detail]);
  expect(await words('')).toEqual([
    ['list', 'all of them, with what is wrong'],
    ['kit', 'brings skills, takes away web_fetch'],
    ['cloud', 'brings 1 server'],
  ]);
  expect(await words('K')).toEqual([['kit', 'brings skills, takes away web_fetch']]);
});
