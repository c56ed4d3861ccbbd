import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandEffects, type CommandSurroundings } from '../shell/command-effects.js';
import { ApprovalMode } from './approval-mode.js';
import { compileRules } from './compile-rules.js';
import { decide } from './decide.js';
import type { Rule, RuleList } from './rule.js';

const ROOT = '/work/app';
const HOME = '/home/ann';
const NAMES = ['a.ts', 'b.ts', '.env', 'src'];

const SURROUNDINGS: CommandSurroundings = {
  home: HOME,
  resolve: (path) => {
    const names: string[] = [];
    for (const name of path.split('/'))
      if (name === '..') names.pop();
      else if (name !== '' && name !== '.') names.push(name);
    const real = `/${names.join('/')}`;
    return { path: real, zone: real === ROOT || real.startsWith(`${ROOT}/`) ? 'workspace' : 'outside' };
  },
  list: (folder) => (folder === ROOT ? NAMES : []),
};

/** Words of commands that bring all sorts of decisions. */
const BASES: readonly (readonly string[])[] = [
  'ls',
  'ls -la src',
  'cat a.ts',
  'cat .env',
  'cat src/../.env',
  'cat /etc/passwd',
  'cat ~/.ssh/id_rsa',
  'head -n 3 a.ts',
  'grep -r x .',
  'grep x a.ts',
  'wc -l a.ts .env',
  'rm a.ts',
  'rm -rf src',
  'rm -rf /',
  'mkdir x',
  'touch .git/hooks/pre-commit',
  'cp a.ts .npmrc',
  'mv a.ts b.ts',
  'tee .env',
  'git status',
  'git push',
  'git -c core.pager=x log',
  'npm test',
  'npm run test',
  'npx x',
  'node -e x',
  'python3 -c x',
  'bash -c ls',
  'bash x.sh',
  'sudo rm x',
  'env rm x',
  'timeout 5 rm a.ts',
  'nice cat .env',
  'nohup npm test',
  'xargs rm',
  'find . -delete',
  'find . -name x',
  'find . -exec rm {} ;',
  'curl http://example.org',
  'wget x.org',
  'sed -i s/a/b/ a.ts',
  'sort -o a.ts b.ts',
  'tar xf a.tar',
  'make',
  'echo hi',
  'printf -v x y',
  'eval rm',
  'export PATH=x',
  'cd ..',
  'true',
  'rg --pre x y',
  'tool .env',
  'tool',
  'ssh host',
  '/bin/rm a.ts',
  './rm a.ts',
  'exec rm a.ts',
  'command rm a.ts',
  'test -v x',
  'kill 1',
  'chmod +x a.ts',
  'ln -s /etc x',
  'dd of=a.ts',
  'awk x a.ts',
  'less a.ts',
  'source a.ts',
  'set -f',
  'alias a=b',
  'trap rm EXIT',
].map((line) => line.split(' '));

/** Quotes that keep a word as it is; `~` and the like are left to mean what they mean. */
function plain(word: string): string {
  return /^[\w./:=@%+~-]+$/.test(word) ? word : `'${word}'`;
}

const spelled = (char: string): fc.Arbitrary<string> =>
  /[~{};]/.test(char)
    ? fc.constant(char === '~' ? char : `'${char}'`)
    : fc.constantFrom(
        char,
        char,
        char,
        `'${char}'`,
        `"${char}"`,
        /[a-zA-Z]/.test(char) ? `\\${char}` : `'${char}'`,
        `${char}''`,
        `${char}\\\n`,
      );

const spelledWord = (word: string): fc.Arbitrary<string> =>
  // A backslash behind the tilde would make another word of it.
  word.startsWith('~/')
    ? fc.tuple(...word.slice(2).split('').map(spelled)).map((characters) => `~/${characters.join('')}`)
    : fc.oneof(
        fc.tuple(...word.split('').map(spelled)).map((characters) => characters.join('')),
        fc.constantFrom(`'${word}'`, `"${word}"`, `$'${word}'`, plain(word)),
      );

const gap = fc.constantFrom(' ', '  ', '\t', ' \\\n ');

const respelled = (words: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.tuple(...words.map(spelledWord)), fc.array(gap, { minLength: words.length, maxLength: words.length }))
    .map(([texts, gaps]) => texts.map((text, index) => (index === 0 ? text : (gaps[index] ?? ' ') + text)).join(''));

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Each runs the command all the same, perhaps with more around it. */
/** What stands behind the last line of a here-document is no end of it: the shell reads on, and may find nothing to run at all. */
const onOneLine = (text: string): string => (text.includes('\n') ? `{ ${text}\n}` : text);

const WRAPPINGS: readonly ((text: string) => string)[] = [
  (text) => `( ${text}\n)`,
  (text) => `{ ${text}\n}`,
  (text) => `if true; then ${text}\nfi`,
  (text) => `for i in 1; do ${text}\ndone`,
  (text) => `while true; do ${text}\nbreak; done`,
  (text) => `case x in x) ${text}\n;; esac`,
  (text) => `! ${text}`,
  (text) => `time ${text}`,
  (text) => `eval ${quoted(text)}`,
  (text) => `bash -c ${quoted(text)}`,
  (text) => `echo "$(${text}\n)"`,
  (text) => `cat <(${text}\n)`,
  (text) => `f() { ${text}\n}; f`,
  (text) => `${onOneLine(text)} &`,
  // The delimiter must not stand in the text.
  (text) => `bash <<'EOF${text.length}'\n${text}\nEOF${text.length}`,
  (text) => `true; ${text}`,
  (text) => `true && ${text}`,
  (text) => `false || ${text}`,
  (text) => `echo hi\n${text}`,
  (text) => `${onOneLine(text)}; true`,
  (text) => `${onOneLine(text)} && true`,
  (text) => `${text}\necho hi`,
  (text) => `echo hi | { ${text}\n}`,
  (text) => `true & ${text}`,
  (text) => `trap ${quoted(text)} EXIT`,
];

/** What only simple commands can be put behind; not those of the shell itself, which are no programs. */
const STARTERS = ['command', 'timeout 5', 'nice', 'nohup', 'env', 'stdbuf -o0', 'setsid'];
const OF_THE_SHELL = /^(?:eval|export|cd|set|alias|trap|source|exec|command|test|printf|true|echo)$/;

const MODES: readonly ApprovalMode[] = [
  ApprovalMode.PLAN,
  ApprovalMode.DEFAULT,
  ApprovalMode.AUTO_EDIT,
  ApprovalMode.YOLO,
];

function rulesFor(program: string): readonly (readonly Rule[])[] {
  const rule = (list: RuleList, text: string): Rule => ({ list, text, origin: 'test' });
  return [
    [],
    [rule('allow', `Bash(${program} *)`)],
    [rule('deny', `Bash(${program} *)`)],
    [rule('ask', `Bash(${program})`)],
    [rule('deny', 'Read(.env)')],
    [rule('allow', 'Read(**)')],
    [rule('allow', `Bash(${program} *)`), rule('deny', 'Read(.env)')],
  ];
}

const STRICTNESS = ['allow', 'ask', 'deny'];

/** The decisions under all rule sets and in all modes, as numbers: the higher, the stricter. */
function decisionsOn(text: string, program: string): { name: string; strictness: number }[] {
  const effects = commandEffects(text, { directory: ROOT, zone: 'workspace' }, SURROUNDINGS);
  return rulesFor(program).flatMap((rules) =>
    MODES.map((mode) => {
      const context = { mode, rules, roots: [ROOT], home: HOME };
      const { decision } = decide({ toolName: 'run_shell_command', effects }, context, compileRules(rules, context));
      const name = `${mode} ${rules.map((rule) => `${rule.list} ${rule.text}`).join(', ')}`;
      return { name, strictness: STRICTNESS.indexOf(decision) };
    }),
  );
}

function expectNotWeaker(text: string, base: readonly string[]): void {
  const program = base[0] ?? '';
  const before = decisionsOn(base.map(plain).join(' '), program);
  const after = decisionsOn(text, program);
  for (const [index, { name, strictness }] of before.entries()) {
    const now = after[index]?.strictness ?? -1;
    if (now < strictness)
      expect.fail(`${JSON.stringify(base.join(' '))} as ${JSON.stringify(text)}: weaker under ${name}`);
  }
}

describe('the same command in other clothes', () => {
  const base = fc.constantFrom(...BASES);

  it('is never decided more weakly for the way in which its words are written', () => {
    fc.assert(
      fc.property(
        base.chain((words) => fc.tuple(fc.constant(words), respelled(words))),
        ([words, text]) => {
          expectNotWeaker(text, words);
        },
      ),
      { numRuns: 600 },
    );
  });

  it.each(WRAPPINGS.map((wrap): [string, (text: string) => string] => [wrap('…'), wrap]))(
    'is never decided more weakly within %j',
    (_, wrap) => {
      for (const words of BASES) expectNotWeaker(wrap(words.map(plain).join(' ')), words);
    },
  );

  it('is never decided more weakly within several of them', () => {
    const wraps = fc.array(fc.constantFrom(...WRAPPINGS), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        base.chain((words) => fc.tuple(fc.constant(words), respelled(words))),
        wraps,
        ([words, text], wrap) => {
          expectNotWeaker(
            wrap.reduce((inner, each) => each(inner), text),
            words,
          );
        },
      ),
      { numRuns: 600 },
    );
  });

  it.each(STARTERS)('is never decided more weakly behind %s', (starter) => {
    for (const words of BASES)
      if (!OF_THE_SHELL.test(words[0] ?? '')) expectNotWeaker(`${starter} ${words.map(plain).join(' ')}`, words);
  });

  it('is never decided more weakly with a word in a variable', () => {
    for (const words of BASES)
      for (const [index, word] of words.entries()) {
        // In a value a tilde is one folder, in a word that holds the value it is a tilde.
        if (word.includes('~')) continue;
        const text = words.map((each, at) => (at === index ? '"$v"' : plain(each))).join(' ');
        expectNotWeaker(`v=${quoted(word)}; ${text}`, words);
      }
  });
});
