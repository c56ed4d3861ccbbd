import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askForTrust } from './ask-for-trust.js';
import { ExitCode } from './exit-codes.js';
import { createInterrupts } from './interrupts.js';
import { createOutput } from './output.js';
import { entryLines, type FolderTrust } from './ui/trust-view.js';

type Entry = FolderTrust['entries'][number];
const ENTRY: Entry = {
  id: '.tenon/settings.json',
  digest: '',
  state: 'new',
  lines: ['permissions.allow: Bash\u001b[2K'],
};

async function ask(answers: readonly (string | undefined)[], entries: readonly Entry[] = [ENTRY]) {
  const stream = new PassThrough();
  let shown = '';
  stream.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const done: string[] = [];
  const left = [...answers];
  const output = createOutput(stream as never, {}, () => undefined);
  const decided = await askForTrust(
    { screen: { output, stream: () => stream }, interrupts: createInterrupts(() => undefined) },
    { ask: async () => left.shift() },
    {
      root: '/work',
      entries,
      accept: async () => void done.push('accept'),
      refuse: async () => void done.push('refuse'),
    },
  );
  return { decided, done, shown };
}

it('shows what would count, and takes y for yes and n for never', async () => {
  const { decided, done, shown } = await ask(['y']);
  expect({ decided, done }).toEqual({ decided: true, done: ['accept'] });
  expect(shown).toContain('/work says what counts only');
  expect(shown).toContain('permissions.allow: Bash');
  expect(shown).not.toContain('\u001b');
  expect(await ask(['no'])).toMatchObject({ decided: true, done: ['refuse'] });
});

it('decides nothing by Enter alone, and asks again for any other word', async () => {
  expect(await ask([''])).toMatchObject({ decided: false, done: [] });
  const { done, shown } = await ask(['sure', 'yes']);
  expect(done).toEqual(['accept']);
  expect(shown).toContain('Please answer y or n');
});

it('takes Ctrl-C as the end of the run', async () => {
  await expect(ask([undefined])).rejects.toMatchObject({ exitCode: ExitCode.INTERRUPTED });
});

it('does not ask about what scrolls away', async () => {
  const many = { ...ENTRY, lines: Array.from({ length: 40 }, (_, index) => `permissions.allow: Bash(${index})`) };
  const { decided, done, shown } = await ask(['y'], [many]);
  expect({ decided, done }).toEqual({ decided: false, done: [] });
  expect(shown).toContain('and 11 lines more. `tenon trust` shows all');
});

it('marks what changed since it was decided on', () => {
  const changed: Entry = { ...ENTRY, state: 'changed', lines: ['a', 'b'], before: ['b', 'c'] };
  expect(entryLines(changed).slice(1)).toEqual(['  + a', '    b', '  - c']);
  expect(entryLines({ ...changed, before: ['a', 'b'] }).at(-1)).toContain('other parts of the file changed');
});
