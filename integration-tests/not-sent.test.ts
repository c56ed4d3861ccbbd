import { afterEach, describe, expect, it } from 'vitest';
import { createBench, type Bench, type Finished } from './cli-process.js';

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const FILES = {
  'src/loop.ts': 'the loop',
  'README.md': 'read me',
  'keys.txt': 'not for the agent',
  'other.txt': 'hidden as well',
  '.qwenignore': 'keys.txt\nother.txt\n',
};

/** What a person sees of it, and what the model gets. */
async function said(prompt: string): Promise<Finished & { readonly sent: string }> {
  bench = await createBench([{ text: 'Yes.' }], { files: FILES });
  const run = await bench.run(['-p', prompt]);
  return { ...run, sent: JSON.stringify(bench.model.requests[0]?.body.messages.at(-1)) };
}

describe('a file that is named with @ and not sent', () => {
  it.each([
    ['@src/lopo.ts', 'there is no such file. Did you mean @src/loop.ts?'],
    ['@src/quite_another', 'there is no such file.'],
    ['@nothing.json', 'there is no such file.'],
    ['@readme', 'there is no such file. Did you mean @README.md?'],
    ['@keys.txt', '.qwenignore names it.'],
    ['@../outside.md', 'Path must be within workspace'],
  ])('%s is told to the person and the model', async (mention, why) => {
    const { code, stdout, stderr, sent } = await said(`Look at ${mention}, please.`);
    expect([code, stdout]).toEqual([0, 'Yes.\n']);
    expect(stderr).toContain(`${mention} was not sent: ${why}`);
    expect(sent).toContain(`Look at ${mention}, please.`);
    expect(sent).toContain(`${mention} was not sent: ${why}`);
  });

  it('does not keep others from being sent, nor gives names of hidden files away', async () => {
    const { stderr, sent } = await said('Look at @src/loop.ts and @othr.txt');
    expect(stderr).toContain('@othr.txt was not sent: there is no such file.');
    expect(stderr).not.toContain('Did you mean');
    expect(sent).toContain('the loop');
  });
});

describe('a word with @ that is no file', () => {
  it.each([
    '@Injectable()',
    '@pytest.fixture',
    '@angular/core',
    '@alice',
    'me@example.com',
    '@app.get("/x")',
    '@docs:guide',
  ])('%s is the person’s word', async (word) => {
    const { stderr, sent } = await said(`What is ${word} for?`);
    expect(stderr).toBe('');
    expect(sent).not.toContain('was not sent');
  });
});
