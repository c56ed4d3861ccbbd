import type { Rule, RuleList } from '@tenon/core';
import { expect, it } from 'vitest';
import { checkRules } from './check-rules.js';
import { ExitCode } from './exit-codes.js';

const places = { roots: ['/work'], home: '/home/u' };
const check = (list: RuleList, text: string, origin = 'user settings (/s.json:1)') =>
  checkRules([{ list, text, origin }], places);

it('takes sound rules, and names of tools that are not known', () => {
  for (const text of [
    'Read',
    'Bash(git *)',
    'edit',
    'alias__tool',
    'mcp__alias',
    'alias__*',
    'my_custom_tool',
    'WebSearch',
    'Task',
    '*',
    'read_*',
  ]) {
    expect(check('deny', text).warnings).toEqual([]);
  }
});

it.each(['Bash(', 'Raed(.env)'])('stops at the deny rule %s of a file: a protection could be lost', (text) => {
  expect(() => check('deny', text)).toThrow(expect.objectContaining({ exitCode: ExitCode.SETTINGS }));
});

it.each(['Nope(x)', 'Frobnicate', 'Bahs(npm test)', 'Nope*'])('does not pass over %s, which names no tool', (text) => {
  expect(() => check('deny', text)).toThrow(expect.objectContaining({ exitCode: ExitCode.SETTINGS }));
  expect(() => check('allow', text, 'command line')).toThrow(expect.objectContaining({ exitCode: ExitCode.USAGE }));
  // A wildcard for other than one server's tools is refused for itself.
  const { rules, warnings } = check('allow', text);
  expect(rules).toEqual([]);
  expect(warnings).toHaveLength(1);
});

it('warns of a deny rule that covers one of several tools, and keeps it', () => {
  const { rules, warnings } = check('deny', 'Grep(.env)');
  expect(rules).toHaveLength(1);
  expect(warnings).toEqual([
    'deny rule "Grep(.env)" of user settings (/s.json:1): it covers calls of grep_search alone: other tools and commands may still read these files. Write Read(.env) to cover all of them.',
  ]);
  for (const text of ['Read(.env)', 'read_file(.env)', 'Bash(*--no-verify*)', 'Grep'])
    expect(check('deny', text).warnings).toEqual([]);
});

it('tells of a rule about a server that there is not, once, and keeps it', () => {
  for (const list of ['allow', 'ask', 'deny'] as const) {
    const rules = [{ list, text: 'mcp__typo', origin: 'user settings (/s.json:1)' }];
    const checked = checkRules(rules, places, { servers: ['tickets', 'off'] });
    expect(checked).toEqual({
      rules,
      warnings: [
        `${list} rule "mcp__typo" of user settings (/s.json:1) says nothing here: no server is named "typo". Servers: tickets, off.`,
      ],
    });
  }
  const of = (text: string, origin: string, servers: readonly string[]) =>
    checkRules([{ list: 'deny', text, origin }], places, { servers }).warnings;
  expect(of('ticket__*', 'command line', ['tickets'])[0]).toContain('Did you mean "tickets"?');
  expect(of('typo__x', 'command line', [])[0]).toContain('There are no servers here.');
  // Rules of the user are for all folders; here no server could slip by.
  expect(of('typo__x', 'user settings', [])).toEqual([]);
  expect(of('off__x', 'user settings', ['off'])).toEqual([]);
});

it('leaves a broken allow rule of a file out, with a warning', () => {
  const checked = check('allow', 'Bash(');
  expect(checked.rules).toEqual([]);
  expect(checked.warnings[0]).toContain('The rule is left out.');
});

it.each(['allow', 'deny'] as const)('refuses a broken %s rule of the command line', (list) => {
  expect(() => check(list, 'Bsah(ls)', 'command line')).toThrow(
    expect.objectContaining({ exitCode: ExitCode.USAGE, message: expect.stringContaining('Did you mean Bash?') }),
  );
});

it('tries the examples of rules: an allow rule that fails is left out, any other stops the run', () => {
  const rule = (list: RuleList, match: readonly string[]) => ({
    list,
    text: 'Bash(npm test *)',
    match,
    notMatch: ['npm publish'],
    origin: 'user settings (/s.json:1)',
  });
  expect(checkRules([rule('allow', ['npm test -w']), rule('deny', ['env npm test'])], places).rules).toHaveLength(2);
  const { rules, warnings } = checkRules([rule('allow', ['npm run test'])], places);
  expect(rules).toEqual([]);
  expect(warnings).toEqual([
    'allow rule "Bash(npm test *)" of user settings (/s.json:1): its example "npm run test" under "match" fails: the rule does not let it run unasked. The rule is left out.',
  ]);
  expect(() => checkRules([rule('deny', ['npm run test'])], places)).toThrow(
    expect.objectContaining({ exitCode: ExitCode.SETTINGS }),
  );
});

it('lets rules name tools that a command may bring, but for slips', () => {
  const lookup: Rule = { list: 'deny', text: 'lookup', origin: 'user settings' };
  expect(() => checkRules([lookup], places)).toThrow('there is no tool "lookup"');
  expect(checkRules([lookup], places, { discovers: true }).rules).toEqual([lookup]);
  expect(() => checkRules([{ ...lookup, text: 'Reed' }], places, { discovers: true })).toThrow('Did you mean');
});
