import { afterAll, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { GrepTool, type GrepToolParams } from './grep.js';

const { config, remove } = await createTempConfig({ entries: { 'a.txt': 'foo bar\nfoo\nabc\n' } });
afterAll(remove);

const ENGINES = ['ripgrep', 'javascript'] as const;

async function said(params: GrepToolParams): Promise<string[]> {
  const answers: string[] = [];
  for (const engine of ENGINES) {
    const { llmContent, error } = await new GrepTool(config, { engine }).execute(params, new AbortController().signal);
    expect(llmContent).toBeTypeOf('string');
    answers.push(`${error?.type ?? 'found'}: ${llmContent as string}`);
  }
  return answers;
}

const DEEP = 'more than 250 deep\nWrite the pattern with fewer of them, or search for a part of it.';
const LONG = 'bytes, and no more than 64,000 can be searched for: search for a part of it.';

describe('with both engines, quickly,', () => {
  it.each<[string, GrepToolParams, string]>([
    ['groups', { pattern: `${'('.repeat(20_000)}a${')'.repeat(20_000)}` }, DEEP],
    ['groups that are never closed', { pattern: '('.repeat(20_000) }, 'unclosed group'],
    ['sets that are never closed', { pattern: '['.repeat(60_000) }, 'unclosed character class'],
    ['sets', { pattern: `${'['.repeat(20_000)}a${']'.repeat(20_000)}` }, 'No matches found'],
    ['looks ahead', { pattern: `${'(?='.repeat(10_000)}a${')'.repeat(10_000)}` }, DEEP],
    ['repetitions', { pattern: `a${'*'.repeat(20_000)}` }, DEEP],
    ['counts', { pattern: `a${'{1}'.repeat(20_000)}` }, DEEP],
    ['a comment of brackets', { pattern: `(?x)foo#${'['.repeat(20_000)}` }, 'Found 2 matches'],
    ['a long text', { pattern: 'x'.repeat(200_000), fixed_strings: true }, `200,000 ${LONG}`],
    ['a long pattern', { pattern: 'foo|'.repeat(250_000) }, `1,000,000 ${LONG}`],
    ['a text as long as it may be', { pattern: '.'.repeat(20_000), fixed_strings: true }, 'No matches found'],
    ['thousands of alternatives', { pattern: `${'word|'.repeat(5_000)}foo` }, 'Found 2 matches'],
    ['a large set', { pattern: `[${'o-p'.repeat(10_000)}]` }, 'Found 2 matches'],
  ])('%s: a result, or what is wrong', async (_name, params, part) => {
    const start = performance.now();
    const [ripgrep, javascript] = await said(params);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(ripgrep).toContain(part);
    expect(javascript).toBe(ripgrep);
  });

  it.each([
    ['a text', 'x'.repeat(60_000)],
    ['characters that are seen as one', '\\X'.repeat(3_000)],
  ])('what JavaScript cannot compile is too large, in one sentence: %s', async (_name, pattern) => {
    const start = performance.now();
    const [ripgrep, javascript] = await said({ pattern });
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(ripgrep).toContain('No matches found');
    expect(javascript).toMatch(
      /^invalid_pattern: The regular expression is too large: JavaScript.{0,200}search for a part of it\.$/,
    );
  });
});

it('what PCRE2 cannot compile is too large, in one sentence', async () => {
  const [ripgrep] = await said({ pattern: '(?=a)'.repeat(12_000) });
  expect(ripgrep).toMatch(
    /^invalid_pattern: The regular expression is too large: PCRE2 cannot compile it\..{0,200}search for a part of it\.$/,
  );
});

describe('a line break where lines are searched one by one', () => {
  it.each(['[\\n]', '\\x{a}', 'foo\\x0abar', '\\u{a}', '[^a]\\n', '\\12', '(?=o)\\n', 'foo(\\n|$)', '\\Qa\\E\\cJ'])(
    'is an error that names multiline, however it is written: %s',
    async (pattern) => {
      const [ripgrep, javascript] = await said({ pattern });
      expect(ripgrep).toMatch(
        /^invalid_tool_params: pattern asks for a line break \(.+\): lines are searched one by one, unless multiline=true\.$/,
      );
      expect(javascript).toBe(ripgrep);
      for (const answer of await said({ pattern, multiline: true })) expect(answer).toMatch(/^found: /);
    },
  );

  it.each(['(?s)foo.abc', 'foo\\R'])('is told of where it is only allowed: %s', async (pattern) => {
    for (const answer of await said({ pattern }))
      expect(answer).toContain('multiline=true finds matches that span lines');
  });
});
