import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseCommand } from './analyse-command.js';

const argvs = (text: string): (readonly string[])[] => analyseCommand(text).commands.map((command) => command.argv);
const unknown = (text: string): readonly string[] => analyseCommand(text).unknown;

describe('a plain text', () => {
  it.each([
    ['ls', [['ls']]],
    ['git  log\t-n 1', [['git', 'log', '-n', '1']]],
    ['a && b || c; d | e & f\ng', [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
    [`grep 'a $(b) \`c\`' "d e"f \\$g`, [['grep', 'a $(b) `c`', 'd ef', '$g']]],
    ['"r"m \\-rf x', [['rm', '-rf', 'x']]],
    ['make 2>&1 | tail -5', [['make'], ['tail', '-5']]],
    ['ls >/dev/null 2>/dev/null </dev/null', [['ls']]],
    ['ls > /dev/null', [['ls']]],
    ['npm test -- a=b *.ts [ab]?', [['npm', 'test', '--', 'a=b', '*.ts', '[ab]?']]],
    ['docker run \\\n  -x', [['docker', 'run', '-x']]],
    ['l\\\ns', [['ls']]],
    ['git show HEAD~1 stash@{0} a#b a!b', [['git', 'show', 'HEAD~1', 'stash@{0}', 'a#b', 'a!b']]],
    ["echo 'a\nb' ü €", [['echo', 'a\nb', 'ü', '€']]],
    ['git --no-pager -C sub switch -c x', [['git', '--no-pager', '-C', 'sub', 'switch', '-c', 'x']]],
    ['[ -f x ]', [['[', '-f', 'x', ']']]],
    [
      'python3 -m pytest; node script.js',
      [
        ['python3', '-m', 'pytest'],
        ['node', 'script.js'],
      ],
    ],
    ["''  x", [['', 'x']]],
  ])('%j has these commands', (text, expected) => {
    expect(argvs(text)).toEqual(expected);
    if (expected[0]?.[0] !== '') expect(unknown(text)).toEqual([]);
  });

  it('shows each command as it was written, white space folded outside quotes', () => {
    const { commands } = analyseCommand(`  git   commit \\\n -m  "a   b"  2>&1 |\ttail  -1 `);
    expect(commands.map((command) => command.text)).toEqual([`git commit -m "a   b" 2>&1`, 'tail -1']);
  });
});

describe('what is more than plain', () => {
  it.each([
    ['ls > out', 'the redirection `>out`'],
    ['ls >> /dev/null', 'the redirection `>>/dev/null`'],
    ['ls >/dev/nullx', 'the redirection `>/dev/nullx`'],
    ['ls >/dev/tcp/host/80', 'the redirection `>/dev/tcp/host/80`'],
    ['ls 2>&1x', 'the redirection `2>&1x`'],
    ['ls &>/dev/null', 'the redirection `&>/dev/null`'],
    ['ls {fd}>/dev/null', 'the redirection `{fd}>/dev/null`'],
    ['cat < secret', 'the redirection `<secret`'],
    ['cat <<E\n$(rm x)\nE', 'a here-document'],
    ['cat <<< x', 'a here-string'],
    ['echo $(rm x)', 'a command substitution'],
    ['echo `rm x`', 'a command substitution'],
    ['echo "a$\\\n(rm x)"', 'a command substitution'],
    ['diff <(ls) x', 'a process substitution'],
    ['echo $HOME', 'a variable'],
    ['echo "${x@P}"', 'a variable'],
    ['$x y', 'a variable'],
    ["echo $'\\x41'", "a `$'…'` string"],
    ['echo $"x"', 'a `$"…"` string'],
    ['echo $((1+1))', 'arithmetic'],
    ['((x=1))', 'arithmetic'],
    ['[[ -f x ]]', 'a `[[ … ]]` test'],
    ['A=b ls', 'an assignment'],
    ['A=b', 'a line without a program'],
    ['export A=b', 'an assignment'],
    ['if true; then rm x; fi', 'an `if`'],
    ['for i in a; do rm x; done', 'a loop'],
    ['while true; do rm x; done', 'a loop'],
    ['case x in x) rm x;; esac', 'a `case`'],
    ['select i in a; do rm x; done', 'a `select`'],
    ['f() { rm x; }', 'a function'],
    ['(rm x)', 'a subshell'],
    ['{ rm x; }', 'a group of commands'],
    ['coproc rm x', 'a coprocess'],
    ['! rm x', 'a negation'],
    ['time rm x', '`time` can run other programs'],
    ['ls |& cat', 'the operator `|&`'],
    ['echo {a,b}', 'a brace expansion'],
    ['{rm,x}', 'a brace expansion'],
    ['ls ~/x', 'a `~` that stands for a folder'],
    ['tool A=~/x', 'a `~` that stands for a folder'],
    ['ls # rm', 'a comment'],
    ['l* x', 'a program name with unusual characters'],
    ["'l*' x", 'a program name with unusual characters'],
    ["'A'=b x", 'a program name with unusual characters'],
    ["'if' x", '`if` used as a program'],
    ['gіt status', 'a program name with unusual characters'],
    ['ls &&', 'a syntax error'],
    ['ls "', 'a syntax error'],
    ['ls)', 'a syntax error'],
    ['', 'no command'],
    ['# nothing', 'no command'],
    ['ls\rrm x', 'a control character'],
    ['ls \0', 'a control character'],
    ['ls \u001b[2K', 'a control character'],
    ['ls\u00a0rm', 'a blank or hidden character outside ASCII'],
    ['ls \u202e', 'a blank or hidden character outside ASCII'],
    ['ls \ud800', 'a character that is not valid Unicode'],
    [`ls ${'x'.repeat(70_000)}`, 'a text of more than 65536 characters'],
    ['$('.repeat(5000), 'a text that is nested too deep'],
  ])('%j is told apart', (text, reason) => {
    expect(unknown(text)).toContain(reason);
  });

  it.each([
    'env rm x',
    '/usr/bin/env rm',
    'sudo rm',
    'xargs rm',
    'bash -c "rm x"',
    'sh',
    'eval rm',
    '. ./x',
    'source x',
    'exec rm',
    'command rm',
    'builtin eval rm',
    'nohup rm',
    'timeout 5 rm',
    'nice rm',
    'watch rm',
    'setsid rm',
    'trap "rm" EXIT',
    'ENV rm',
    'find . -exec rm {} +',
    'find . -delete',
    'git -c core.pager=x log',
    'git rebase --exec x',
    'git --exec-path=x log',
    'git -C a -cx=y log',
    'git submodule foreach x',
    'tar cIf x y',
    'rg --pre x y',
    'tar --to-command=x',
    'sort --compress-program=x',
    'python -c x',
    'python3.11 -Bc x',
    'python',
    'python -',
    'node -e x',
    'node --eval=x',
    'perl -ne x',
    'ruby -e x',
    'awk x',
    'npx x',
    'less x',
    'alias a=b',
    'export',
    'printf -v "a[$x]" b',
    "test -v 'a[1]'",
    'ssh host',
    "'env' rm",
    '\\env rm',
    'e""nv rm',
    'make --eval=x',
    'npm exec x',
  ])('%j can do more than its words say', (text) => {
    expect(unknown(text)).not.toEqual([]);
  });

  it('still lists the commands inside, for rules that forbid', () => {
    for (const text of [
      'echo $(rm x)',
      'echo $((rm x); a)',
      'echo "`rm x`"',
      'cat <(rm x)',
      'if a; then rm x; fi',
      '(rm x)',
      '{ rm x; }',
      'f() { rm x; }',
      'rm x &',
      'A=$(rm x) b',
      'cat <<E\n$(rm x)\nE',
      'echo ${a:-$(rm x)}',
      '[[ $(rm x) ]]',
      'for i in $(rm x); do a; done',
      'A=b rm x >y',
      'case $(rm x) in a) ;; esac',
      'echo $((1+$(rm x)))',
      'echo `echo \\`rm x\\``',
      'a=(1 $(rm x))',
      'coproc rm x',
      '! rm x',
    ]) {
      expect(argvs(text), text).toContainEqual(['rm', 'x']);
    }
  });
});

describe('hostile text', () => {
  it('is answered quickly', () => {
    const pieces = [
      '$(',
      '(',
      '{ ',
      '`',
      '"$(',
      '${a:-',
      'if ',
      '[[ ',
      '! ',
      'cat <<a ',
      'coproc ',
      'function a ',
      'a[',
      "'",
      '\\\n',
      '<(',
      '((',
      '&',
    ];
    for (const piece of pieces) {
      const begin = performance.now();
      expect(unknown(piece.repeat(65_000 / piece.length)), piece).not.toEqual([]);
      expect(performance.now() - begin, piece).toBeLessThan(1500);
    }
  });

  it('never throws and never comes out empty', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            '$',
            '(',
            ')',
            '`',
            '"',
            "'",
            '\\',
            '\n',
            ' ',
            '{',
            '}',
            '<',
            '>',
            '&',
            '|',
            ';',
            '#',
            'a',
            'if',
            '[[',
            '=',
          ),
          { maxLength: 40 },
        )
        .map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (source) => {
        const { commands, unknown: reasons } = analyseCommand(source);
        expect(commands.length + reasons.length).toBeGreaterThan(0);
        for (const command of commands) expect(command.argv.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('rewriting a text', () => {
  const commands = [
    ['ls'],
    ['rm', '-rf', 'x'],
    ['git', 'status'],
    ['npm', 'test'],
    ['env', 'rm', 'x'],
    ['sudo', 'rm'],
    ['eval', 'rm'],
    ['bash', '-c', 'rm'],
    ['find', 'x', '-delete'],
    ['find', 'x', '-exec', 'rm'],
    ['python3', '-c', 'x'],
    ['node', '-e', 'x'],
    ['xargs', 'rm'],
    ['git', '-c', 'x'],
    ['timeout', '5', 'rm'],
    ['nohup', 'rm'],
    ['printf', '-v', 'x'],
    ['echo', 'hi'],
    ['source', 'x'],
    ['export', 'x'],
  ];

  /** One spelling of a character that means the same to a shell. */
  const spelled = (char: string): fc.Arbitrary<string> =>
    fc.constantFrom(char, char, char, `'${char}'`, `"${char}"`, `\\${char}`, `${char}''`, `""${char}`, `${char}\\\n`);
  const spelledWord = (word: string): fc.Arbitrary<string> =>
    fc.tuple(...word.split('').map(spelled)).map((characters) => characters.join(''));
  const gap = fc.constantFrom(' ', '  ', '\t', ' \\\n ');
  const spelledCommand = (argv: readonly string[]): fc.Arbitrary<string> =>
    fc
      .tuple(fc.tuple(...argv.map(spelledWord)), fc.array(gap, { minLength: argv.length, maxLength: argv.length }))
      .map(([words, gaps]) => words.map((word, index) => word + (gaps[index] ?? ' ')).join(''));
  const split = fc.constantFrom(';', '&&', '||', '|', '&', '\n', ' ; ', ';\n');

  it('by quotes, backslashes and blanks never lowers what is known of it, and never drops a command', () => {
    const spelling = fc.constantFrom(...commands).chain((argv) => fc.tuple(fc.constant(argv), spelledCommand(argv)));
    fc.assert(
      fc.property(spelling, ([argv, text]) => {
        const { commands: found, unknown: reasons } = analyseCommand(text);
        expect(found.map((command) => command.argv)).toEqual([argv]);
        expect(reasons.length > 0).toBe(unknown(argv.join(' ')).length > 0);
      }),
      { numRuns: 1500 },
    );
  });

  it('by splitting and joining never lowers it either', () => {
    const line = fc.array(fc.tuple(fc.constantFrom(...commands), split), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        line.chain((parts) => fc.tuple(fc.constant(parts), fc.tuple(...parts.map(([argv]) => spelledCommand(argv))))),
        ([parts, texts]) => {
          const text = texts
            .map((command, index) => command + (index < texts.length - 1 ? (parts[index]?.[1] ?? ';') : ''))
            .join('');
          const { commands: found, unknown: reasons } = analyseCommand(text);
          expect(found.map((command) => command.argv)).toEqual(parts.map(([argv]) => argv));
          const raised = parts.some(([argv]) => unknown(argv.join(' ')).length > 0);
          expect(reasons.length > 0).toBe(raised);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('by putting more around it never empties the reasons', () => {
    const doubtful = fc.constantFrom(
      'echo $(rm)',
      'echo $x',
      'ls > f',
      'A=b ls',
      'env rm',
      'cat <<< x',
      'l* x',
      'echo {a,b}',
      '`x`',
      'if a; then b; fi',
    );
    const wrappings: ((text: string) => string)[] = [
      (text) => `ls; ${text}`,
      (text) => `${text}; ls`,
      (text) => ` \t${text} `,
      (text) => `true && ${text}`,
      (text) => `${text} | cat`,
      (text) => `${text} &`,
      (text) => `( ${text})`,
      (text) => `{ ${text}; }`,
      (text) => `echo "$( ${text})"`,
      (text) => `ls \\\n; ${text}`,
      (text) => `f() { ${text}; }`,
      (text) => `! ${text}`,
    ];
    const around = fc.constantFrom(...wrappings);
    fc.assert(
      fc.property(doubtful, fc.array(around, { maxLength: 3 }), (text, wraps) => {
        const wrapped = wraps.reduce<string>((inner, wrap) => wrap(inner), text);
        expect(unknown(wrapped)).not.toEqual([]);
        for (const argv of argvs(text)) expect(argvs(wrapped)).toContainEqual(argv);
      }),
    );
  });
});
