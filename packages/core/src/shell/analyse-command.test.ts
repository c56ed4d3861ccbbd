import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseCommand, type CommandAnalysis } from './analyse-command.js';
import type { ProgramCall, ProgramFacts } from './program-facts.js';
import { judgeProgram } from './programs/judge-program.js';
import { shownText } from './words/shell-word.js';

/** Analyses a text, including unknown effects that only a rule with spelled-out words settles. */
const analyse = (text: string): CommandAnalysis => {
  const judge = (call: ProgramCall): ProgramFacts => judgeProgram(call);
  const analysis = analyseCommand(text, { directory: '/w', home: '/home/ann', judge });
  const ofCommands = analysis.commands.flatMap(({ facts }) => facts.unlessSpelled?.reason ?? []);
  return { ...analysis, unknown: [...analysis.unknown, ...ofCommands] };
};
const argvs = (text: string): (readonly string[])[] => analyse(text).commands.map(({ words }) => words.map(shownText));
const unknown = (text: string): readonly string[] => analyse(text).unknown;

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
    const { commands } = analyse(`  git   commit \\\n -m  "a   b"  2>&1 |\ttail  -1 `);
    expect(commands.map((command) => command.text)).toEqual([`git commit -m "a   b" 2>&1`, 'tail -1']);
  });
});

describe('what is more than plain', () => {
  it.each([
    ['ls 2>&1x', 'write', '1x'],
    ['ls > out', 'write', 'out'],
    ['ls >> /dev/null', 'write', '/dev/null'],
    ['ls &>f', 'write', 'f'],
    ['ls >& f', 'write', 'f'],
    ['ls >| f', 'write', 'f'],
    ['ls 3>f', 'write', 'f'],
    ['cat < secret', 'read', 'secret'],
    ['{ ls; } > f', 'write', 'f'],
    ['x=f; ls > $x', 'write', 'f'],
  ])('%j opens a file', (text, kind, path) => {
    const { files, unknown: reasons } = analyse(text);
    expect(files.map((file) => [file.path.kind, file.path.word.text])).toContainEqual([kind, path]);
    expect(reasons).toEqual([]);
  });

  it.each([
    ['ls >/dev/tcp/host/80', 'the connection `>/dev/tcp/host/80`'],
    ['ls {fd}>/dev/null', 'the redirection `{fd}`'],
    ['ls > *.x', 'the redirection `>*.x`'],
    ['echo "a$\\\n(rm x)"', 'a `$` and a line that goes on'],
    ['echo "${x@P}"', 'a transformation of a variable'],
    ['$x y', 'a program whose name is not certain'],
    ['echo $"x"', 'a `$"…"` string'],
    ['A=b ls', 'the variable `A` set for a program'],
    ['> x; ;', 'a syntax error'],
    ['coproc rm x', 'a coprocess'],
    ['{rm,$x}', 'a brace expansion'],
    ['tool A=~/x', 'a `~` that stands for a folder'],
    ['ls ~ann/x', 'a `~` that stands for a folder'],
    ['l* x', 'a program whose name is not certain'],
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
    ['cat <<E\n$(rm x)\nE', [['rm', 'x'], ['cat']]],
    ['cat <<< x', [['cat']]],
    [
      'echo `rm x`',
      [
        ['rm', 'x'],
        ['echo', '`rm x`'],
      ],
    ],
    ['diff <(ls) x', [['ls'], ['diff', '/dev/fd/63', 'x']]],
    ['echo $HOME', [['echo', '/home/ann']]],
    ["echo $'\\x41'", [['echo', 'A']]],
    ['echo $((1+1))', [['echo', '$((1+1))']]],
    ['((x=1)); [[ -f x ]]; rm y', [['rm', 'y']]],
    ['A=b', []],
    ['export CI=b', [['export', 'CI=b']]],
    ['if true; then rm x; fi', [['true'], ['rm', 'x']]],
    [
      'for i in a b; do rm $i; done',
      [
        ['rm', 'a'],
        ['rm', 'b'],
      ],
    ],
    [
      'for i in a "b c"; do rm $i; done',
      [
        ['rm', 'a'],
        ['rm', 'b', 'c'],
      ],
    ],
    ['while true; do rm x; done', [['true'], ['rm', 'x']]],
    ['case x in x) rm x;; esac', [['rm', 'x']]],
    ['f() { rm "$1"; }; f y', [['rm', 'y']]],
    ['f() { rm "$@"; }; f y "a b"', [['rm', 'y', 'a b']]],
    ['f() { shift; rm $1 $#; }; f y z', [['shift'], ['rm', 'z', '1']]],
    ['f() { rm x; }', []],
    ['(rm x)', [['rm', 'x']]],
    ['! rm x', [['rm', 'x']]],
    ['time rm x', [['rm', 'x']]],
    ['ls |& cat', [['ls'], ['cat']]],
    ['echo {a,b}{1..2}', [['echo', 'a1', 'a2', 'b1', 'b2']]],
    ['ls ~/x', [['ls', '/home/ann/x']]],
    ['ls # rm', [['ls']]],
    ['x=a; x=b; ls $x', [['ls', 'b']]],
    ['x=\'a  b\'; ls $x "$x"', [['ls', 'a', 'b', 'a  b']]],
    ['true && x=a || x=b; ls $x', [['true'], ['ls', 'a']]],
    [
      'ls y && x=a || x=b; ls $x',
      [
        ['ls', 'y'],
        ['ls', 'a'],
        ['ls', 'b'],
      ],
    ],
    [
      'set -- a b; ls $2',
      [
        ['set', '--', 'a', 'b'],
        ['ls', 'b'],
      ],
    ],
    [
      "bash -c 'rm x'",
      [
        ['bash', '-c', 'rm x'],
        ['rm', 'x'],
      ],
    ],
    [
      "eval 'rm x'",
      [
        ['eval', 'rm x'],
        ['rm', 'x'],
      ],
    ],
    [
      'timeout 5 rm x',
      [
        ['timeout', '5', 'rm', 'x'],
        ['rm', 'x'],
      ],
    ],
    ['trap "rm x" EXIT; ls', [['trap', 'rm x', 'EXIT'], ['ls'], ['rm', 'x']]],
    [
      'i=0; while [ $i -lt 3 ]; do rm x; i=$((i+1)); done',
      [
        ['[', '$i', '-lt', '3', ']'],
        ['rm', 'x'],
      ],
    ],
  ])('%j is understood', (text, expected) => {
    const reasons = unknown(text);
    expect(reasons.filter((reason) => reason !== 'no command')).toEqual([]);
    for (const argv of expected) expect(argvs(text)).toContainEqual(argv);
  });

  it.each([
    'sudo rm',
    'bash',
    'sh x.sh',
    '. ./x',
    'source x',
    'exec -a x rm',
    'trap "rm" DEBUG',
    'ENV rm',
    'git -c core.pager=x log',
    'git rebase --exec x',
    'git --exec-path=x log',
    'git submodule foreach x',
    'tar cIf x y',
    'rg --pre x y',
    'sort --compress-program=x',
    'python -c x',
    'python',
    'python -',
    'node -e x',
    'perl -ne x',
    'ruby -e x',
    'less x',
    'alias a=b',
    'printf -v "a[$x]" b',
    "printf '%n' x",
    "test -v 'a[1]'",
    '[ $x -v y ]',
    'ssh host',
    "'sudo' rm",
    '\\sudo rm',
    's""udo rm',
    'make --eval=x',
    'npm exec x',
    'jobs -x rm x',
    'wait -p x',
    'declare -n x=y',
    'declare -i x=y',
    'readonly x=1',
    'x[$(id)]=1',
    'a=([$(id)]=1)',
    'unset "a[$x]"',
    'read "a[$x]"',
    'mapfile -C rm x',
    'shopt -s extglob',
    'shopt -s dotglob',
    'set -f',
    'set -o posix',
    'set -a',
    'enable -n echo',
    'RANDOM=x',
    'echo $((x))',
    'x="a[1]"; echo $((x))',
    'echo $((1/0))',
    'echo $((08))',
    '[[ -v x ]]',
    '[[ $y -eq 1 ]]',
    'echo ${x:=y}',
    'echo ${!x}',
    'echo ${a[$x]}',
    'echo ${x:1:-1}',
    'echo $[1+1]',
    'exec < f',
    'bash <<E\nread x\nrm y\nE',
    "sh -c 'cat {a,b}'",
    "sh -c 'a &> b'",
    'f() { f; }; f',
    'command_not_found_handle() { rm x; }',
    'LD_PRELOAD=x ls',
    'PATH=.:$PATH; ls',
    'IFS=x',
    'BASH_ENV=x bash -c ls',
    'echo @(a|b)',
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
      'f() { rm x; }; f',
      'echo [$(rm x)]',
      'x=[$(rm x)]',
      'echo @($(rm x))',
      'echo {a,$(rm x)}',
      'export A=($(rm x))',
      'a[$(rm x)]=1',
      'echo ${a[$(rm x)]}',
      'while $(rm x); do :; done',
      'trap "rm x" EXIT',
      'cat <(echo >(rm x))',
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

  it('is bounded by what is followed of it, however it is written', () => {
    const many = (piece: string, size = 30_000): string => piece.repeat(size / piece.length);
    const texts = [
      many('ls a;'),
      `ls ${many('>a ')}`,
      `cat ${many('@a=')}`,
      `ls ${many('a* ')}`,
      `ls ${many('{a,b}')}`,
      many('command '),
      many('timeout 1 '),
      many("eval 'ls;ls;ls';"),
      many("bash -c 'ls;ls;ls';"),
      `x=aaaaaaaa;${many('x="$x$x";', 1_000)}ls $x`,
      `x="a b c d";ls ${many('$x')}`,
      `set -- ${many('a ', 3_000)};${many('ls "$@";', 3_000)}`,
      Array.from({ length: 2_000 }, (_, index) => `ls && v${index}=1 || v${index}=2`).join(';'),
      `for i in 1 2 3; do for j in 1 2 3; do for k in 1 2 3; do x=$y; y=$z; z=$i; ${many('ls $x $i $j;', 2_000)} done; done; done`,
      `${Array.from({ length: 30 }, (_, index) => `f${index}() { f${index + 1}; f${index + 1}; }`).join('\n')}\nf0`,
      'f() { f; f; f; }; f',
      `echo $((${many('1+')}1))`,
      many('cd a || cd b;'),
      `case x in ${many('a) x=1;; ')}esac`,
    ];
    for (const text of texts) {
      const begin = performance.now();
      analyse(text);
      expect(performance.now() - begin, text.slice(0, 60)).toBeLessThan(3_000);
    }
  });

  it('still shows what stands behind more than can be followed', () => {
    expect(argvs(`${'true;'.repeat(5_000)} rm x`)).toContainEqual(['rm', 'x']);
    expect(argvs(`rm ${'x '.repeat(30_000)}`)[0]?.slice(0, 2)).toEqual(['rm', 'x']);
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
        const { commands, unknown: reasons } = analyse(source);
        expect(commands.length + reasons.length).toBeGreaterThan(0);
        for (const command of commands) expect(command.words.length).toBeGreaterThan(0);
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
        const { commands: found, unknown: reasons } = analyse(text);
        expect(found.map(({ words }) => words.map(shownText))).toEqual(argvs(argv.join(' ')));
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
          const { commands: found, unknown: reasons } = analyse(text);
          const all = found.map(({ words }) => words.map(shownText));
          for (const [argv] of parts) expect(all).toContainEqual(argv);
          const raised = parts.some(([argv]) => unknown(argv.join(' ')).length > 0);
          expect(reasons.length > 0).toBe(raised);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('by putting more around it never empties the reasons', () => {
    const doubtful = fc.constantFrom(
      'echo $(sudo rm)',
      'rm $x',
      'ls > $f',
      'A=b ls',
      'sudo rm',
      'l* x',
      'echo @(a|b)',
      '`x`',
      'if a; then sudo b; fi',
    );
    const wrappings: ((text: string) => string)[] = [
      (text) => `ls; ${text}`,
      (text) => `${text}; ls`,
      (text) => ` \t${text} `,
      (text) => `true && ${text}`,
      (text) => `${text} | cat`,
      (text) => `{ ${text} & }`,
      (text) => `( ${text})`,
      (text) => `{ ${text}; }`,
      (text) => `echo "$( ${text})"`,
      (text) => `ls \\\n; ${text}`,
      (text) => `f() { ${text}; }; f`,
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
