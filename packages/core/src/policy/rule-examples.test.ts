import { expect, it } from 'vitest';
import { commandEffects } from '../shell/command-effects.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import type { Rule } from './rule.js';
import { checkExamples } from './rule-examples.js';

const places = { roots: ['/work/app'], home: '/home/ann' };
const check = (rule: Omit<Rule, 'origin'>) =>
  checkExamples([{ ...rule, origin: 'test' }], places, (text) =>
    commandEffects(text, { directory: '/work/app', zone: 'workspace' }, plainSurroundings('/work/app', '/home/ann')),
  );

const CASES: readonly Omit<Rule, 'origin'>[] = [
  {
    list: 'allow',
    text: 'Bash(npm test *)',
    match: ['npm test', 'npm  test --watch', 'npm test; npm test a'],
    notMatch: ['npm publish', 'npm test > f', 'npm test; npm publish', 'sudo npm test', 'npm test $(x)'],
  },
  {
    list: 'deny',
    text: 'Bash(rm *)',
    match: ['rm x', 'sudo rm x', 'ls; rm x', 'bash -c "rm x"'],
    notMatch: ['ls rm', 'npm rm x'],
  },
  {
    list: 'ask',
    text: 'run_shell_command(git push *)',
    match: ['git push', 'git -C x push'],
    notMatch: ['git stash push'],
  },
  { list: 'deny', text: 'Read(.env)', match: ['.env', 'a/b/.ENV', '/etc/.env', '~/.env'], notMatch: ['.envrc', 'env'] },
  {
    list: 'allow',
    text: 'Edit(src/**)',
    match: ['src/a', 'src/a/b.ts'],
    notMatch: ['lib/a', 'src/../x', '//work/app'],
  },
  { list: 'allow', text: 'Read(~/notes/**)', match: ['~/notes/a'], notMatch: ['~/other', 'notes/a'] },
  {
    list: 'allow',
    text: 'WebFetch(domain:example.com)',
    match: ['https://example.com/x', 'a.example.com'],
    notMatch: ['https://example.com.evil.org', 'https://x@evil.org'],
  },
  { list: 'deny', text: 'Agent(x)', match: ['x', 'X'], notMatch: ['y'] },
  { list: 'deny', text: 'Bash', match: ['anything at all', '((('] },
];

it.each(CASES)('holds: $list $text', (rule) => {
  const { passed, failed } = check(rule);
  expect(failed).toEqual([]);
  expect(passed).toBe((rule.match?.length ?? 0) + (rule.notMatch?.length ?? 0));
});

it('fails, either way, for what may be met', () => {
  const examples = ['launcher rm x'];
  const found = check({ list: 'deny', text: 'Bash(rm *)', match: examples, notMatch: examples });
  expect(found.failed.map(({ expected, instead }) => [expected, instead])).toEqual([
    ['match', 'it asks, because the rule may be met and nobody can tell'],
    ['not_match', 'it asks, because the rule may be met and nobody can tell'],
  ]);
});

it('says why a command is not covered', () => {
  expect(check({ list: 'allow', text: 'Bash(npm test *)', match: ['npm test $(x)'] }).failed[0]?.instead).toMatch(
    /^the rule does not let it run unasked/,
  );
});

it('does not guess what an example of a tool alone means', () => {
  expect(check({ list: 'allow', text: 'my_tool', match: ['x'] }).failed[0]?.instead).toContain('takes no examples');
});
