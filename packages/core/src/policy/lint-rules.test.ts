import { describe, expect, it } from 'vitest';
import { commandEffects } from '../shell/command-effects.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import { compileRules } from './compile-rules.js';
import { lintRules } from './lint-rules.js';
import type { Rule, RuleList } from './rule.js';

const places = { roots: ['/work/app'], home: '/home/ann' };
const known = ['read_file', 'edit', 'run_shell_command'];

const readCommand = (text: string) =>
  commandEffects(text, { directory: '/work/app', zone: 'workspace' }, plainSurroundings('/work/app', '/home/ann'));

function lint(lists: Partial<Record<RuleList, readonly (string | Partial<Rule>)[]>>): string[] {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (lists[list] ?? []).map((rule): Rule => ({
      list,
      text: '',
      origin: 'test',
      ...(typeof rule === 'string' ? { text: rule } : rule),
    })),
  );
  const found = lintRules(compileRules(rules, places), {
    places,
    known,
    readCommand,
  });
  for (const { message, instead } of found)
    expect([message, instead]).toEqual([expect.stringMatching(/[.!?]$/), expect.stringMatching(/^[A-Z].*\.$/)]);
  return found.map((finding) => `${finding.class} ${finding.kind} ${finding.rule.text}`);
}

describe('lint', () => {
  it('has nothing to say about sensible rules', () => {
    expect(
      lint({
        allow: [
          'Bash(npm test *)',
          'Bash(git log *)',
          'Edit(src/**)',
          'WebFetch(domain:example.com)',
          'Bash(python3 x.py)',
          'Bash(timeout 60 npm test)',
          "Bash('for f in *.ts; do node $f; done')",
          'Bash(TZ=UTC npm test *)',
          'Bash(./run *)',
          'Read(~/notes/**)',
        ],
        ask: ['Bash(git push *)'],
        deny: ['Read(.env)', 'Bash(rm *)', 'Bash(curl *)', 'Edit(//**)', 'Bash'].slice(0, 3),
      }),
    ).toEqual([]);
  });

  it.each([
    ['Bash(', 'error unreadable'],
    ['Bash(ls | rm x)', 'error unreadable'],
    ['Raed(x)', 'error unknown-tool'],
    ['Frobnicate', 'error unknown-tool'],
  ])('finds that %s says nothing', (text, finding) => {
    expect(lint({ allow: [text] })).toEqual([`${finding} ${text}`]);
    expect(lint({ deny: [text] })).toEqual([`${finding} ${text}`]);
  });

  it.each(['Bash("my program" *)', 'Bash(A=b)', 'Bash(A=b *)', 'Bash(A=* npm test)'])(
    'finds that %s allows nothing, though it denies what it means',
    (text) => {
      expect(lint({ allow: [text] })).toEqual([`error never-matches ${text}`]);
      expect(lint({ deny: [text] })).toEqual([]);
    },
  );

  it.each(['Grep(.env)', 'list_directory(secrets)'])(
    'says that a deny or ask rule %s covers one tool alone',
    (text) => {
      for (const list of ['deny', 'ask'] as const) expect(lint({ [list]: [text] })).toEqual([`warning narrow ${text}`]);
    },
  );

  it.each([
    ['Bash', 'error'],
    ['run_shell_command', 'error'],
    ['Bash(bash *)', 'error'],
    ['Bash(python3 *)', 'error'],
    ['Bash(python3 -c *)', 'error'],
    ['Bash(npx *)', 'error'],
    ['Bash(env *)', 'error'],
    ['Bash(sudo *)', 'error'],
    ['Bash(timeout 5 *)', 'error'],
    ['Bash(git* log)', 'error'],
    ['Bash(rm *)', 'warning'],
    ['Bash(curl *)', 'warning'],
    ['Bash(git *)', 'warning'],
    ['Bash(git:*)', 'warning'],
    ['Bash(npm *)', 'warning'],
    ['Bash(make *)', 'warning'],
    ['Read(//**)', 'error'],
    ['Read(~/**)', 'error'],
    ['Edit(//**)', 'error'],
    ['Edit', 'error'],
    ['Read', 'warning'],
    ['WebFetch', 'warning'],
    ['Edit(**)', 'warning'],
    ['Edit(*)', 'warning'],
  ])('finds that allow %s is over-broad (%s)', (text, level) => {
    expect(lint({ allow: [text] })).toEqual([`${level} over-broad ${text}`]);
    expect(lint({ deny: [text] })).toEqual([]);
  });

  it('finds what never decides, what contradicts and what stands there twice', () => {
    expect(lint({ allow: ['Bash(git push *)'], deny: ['Bash(git push *)'] })).toEqual([
      'error contradicted Bash(git push *)',
    ]);
    expect(lint({ ask: ['Bash(git push origin *)'], deny: ['Bash(git push *)'] })).toEqual([
      'error contradicted Bash(git push origin *)',
    ]);
    expect(lint({ deny: ['Read(secret/**)', 'Read(secret/key)'] })).toEqual(['warning shadowed Read(secret/key)']);
    expect(lint({ deny: ['Bash(rm *)', 'Bash(ls)', 'Bash(rm  *)'] })).toEqual(['warning duplicate Bash(rm  *)']);
    // Strict rules with `:*` speak of names that go on behind a colon as well.
    expect(lint({ deny: ['Bash(rm *)', 'Bash(rm:*)'] })).toEqual(['warning shadowed Bash(rm *)']);
    expect(lint({ allow: ['Bash(npm test *)'], deny: ['Bash(npm publish *)'] })).toEqual([]);
  });

  it.each([
    ['Bash(tenon trust --yes)', 'approved one by one'],
    ["Bash('npm test > .npmrc')", 'approved one by one'],
  ])('finds that %s lets nothing run, and says what to write', (text, instead) => {
    const found = lintRules(compileRules([{ list: 'allow', text, origin: 'test' }], places), {
      places,
      known,
      readCommand,
    });
    expect(found).toMatchObject([{ class: 'error', kind: 'never-matches', instead: expect.stringContaining(instead) }]);
  });

  it('finds servers that there are not, where it is known which there are', () => {
    const servers = ['tickets', 'files'];
    const found = (texts: readonly string[], around: { readonly servers?: readonly string[] }) => {
      const rules = texts.map((text): Rule => ({ list: 'deny', text, origin: 'test' }));
      return lintRules(compileRules(rules, places), { places, known, readCommand, ...around });
    };
    for (const text of ['mcp__tickts', 'tickts__*', 'mcp__tickts__close', 'tickts__close', 'mcp__tickts__*'])
      expect(found([text], { servers })).toMatchObject([
        {
          class: 'warning',
          kind: 'unknown-server',
          message: 'no server is named "tickts". Did you mean "tickets"?',
        },
      ]);
    const others = ['mcp__tickets', 'files__*', 'mcp__files__read', 'mcp__*', '*', 'Bash', 'Read(.env)', 'my_tool'];
    expect(found(others, { servers }).filter(({ kind }) => kind === 'unknown-server')).toEqual([]);
    expect(found(['mcp__zebra'], { servers })[0]?.message).toBe('no server is named "zebra". Servers: tickets, files.');
    expect(found(['mcp__zebra'], { servers: [] })[0]?.message).toContain('There are no servers here.');
    expect(found(['mcp__zebra'], {})).toEqual([]);
  });

  it('takes any name where a command may bring tools of any name', () => {
    const rules: readonly Rule[] = [{ list: 'deny', text: 'Frobnicate', origin: 'test' }];
    const around = { places, known, readCommand };
    expect(lintRules(compileRules(rules, places), around)).toMatchObject([{ kind: 'unknown-tool' }]);
    expect(lintRules(compileRules(rules, places), { ...around, discovers: true })).toEqual([]);
  });

  it('tries the examples', () => {
    expect(lint({ allow: [{ text: 'Bash(npm test *)', match: ['npm run test'] }] })).toEqual([
      'error example-fails Bash(npm test *)',
    ]);
  });
});
