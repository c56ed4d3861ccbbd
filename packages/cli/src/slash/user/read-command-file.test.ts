import { expect, it } from 'vitest';
import { readCommandFile } from './read-command-file.js';

it('reads Markdown with and without what stands between the lines', async () => {
  expect(await readCommandFile('Do it.\n', 'md')).toEqual({ template: 'Do it.', wantsTools: false });
  const head =
    '---\r\ndescription: Reviews\r\nargument-hint: [file] [why]\nmodel: small\nallowed-tools: Bash(git *)\n---\r\n\nReview $1.\n';
  expect(await readCommandFile(head, 'md')).toEqual({
    description: 'Reviews',
    argumentHint: '[file] [why]',
    model: 'small',
    wantsTools: true,
    template: 'Review $1.',
  });
});

it('reads a hint that is a list to YAML, and texts over several lines', async () => {
  const head = '---\nargument-hint: [file]\ndescription: >\n  Two\n  lines\n---\nX';
  expect(await readCommandFile(head, 'md')).toMatchObject({ argumentHint: '[file]', description: 'Two lines' });
});

it('reads TOML with a prompt', async () => {
  const text = 'description = "Says"\nprompt = """\nSay {{args}}\n!{date}\n"""\n';
  expect(await readCommandFile(text, 'toml')).toEqual({
    description: 'Says',
    wantsTools: false,
    template: 'Say {{args}}\n!{date}',
  });
});

it('says what is wrong, and evaluates nothing', async () => {
  expect(await readCommandFile('   ', 'md')).toEqual({ problem: 'it says nothing' });
  expect(await readCommandFile('description = "x"', 'toml')).toEqual({ problem: 'it has no text "prompt"' });
  expect(await readCommandFile('prompt = ', 'toml')).toHaveProperty('problem');
  expect(await readCommandFile('---\n- a: [\n---\nText', 'md')).toHaveProperty('problem');
  expect(await readCommandFile('---js\nmodule.exports = process.exit(1)\n---\nText', 'md')).toMatchObject({
    template: '---js\nmodule.exports = process.exit(1)\n---\nText',
  });
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefg'
      .split('')
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(',')}]`),
  ];
  expect(await readCommandFile(`---\n${bomb.join('\n')}\n---\nText`, 'md')).toHaveProperty('problem');
});
