import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench | undefined;

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

it('shows the context files that the model is told, and where facts are saved', async () => {
  bench = await createCommandBench({ files: { 'AGENTS.md': 'Use tabs.\n' } });
  const said = await bench.say('/memory');
  expect(said).toContain('AGENTS.md (10 bytes)');
  expect(said).toContain('Facts are saved in');
});

it('reads them anew when it is asked to, and says what has changed', async () => {
  bench = await createCommandBench({ files: { 'AGENTS.md': 'Use tabs.\n' } });
  expect(await bench.say('/memory reload')).toContain('AGENTS.md');
  expect(await bench.say('/memory reload')).toContain('Nothing has changed.');
  await writeFile(bench.workspace.path('AGENTS.md'), 'Use two blanks instead.\n');
  expect(await bench.say('/memory reload')).toContain('AGENTS.md');
});

it('opens one in the editor', async () => {
  bench = await createCommandBench({
    files: { 'AGENTS.md': 'Use tabs.\n' },
    env: { VISUAL: `sh -c 'echo "More words." >> "$1"' editor` },
  });
  const file = /Facts are saved in (\S+?)(?: and|\.\n)/.exec(await bench.say('/memory'))?.[1] ?? '';
  expect(await bench.say('/memory edit', [['enter']])).toContain(file);
  expect(await readFile(file, 'utf8')).toContain('More words.');
});
