import fc from 'fast-check';

/** Programs that do nothing but write down how they were called: `a`, `b` succeed, `c` fails. */
export const STUBS = ['a', 'b', 'c'] as const;
/** What lies in the folder in which a generated script runs, folders with a slash. */
export const FOLDERS = ['s1/', 's1/t/', 's2/', 'sp ace/'] as const;
export const FILES = ['f1', 'f2.x', '.e', 's1/f1', 's1/g', 's2/f1', 'sp ace/k', '-n'] as const;

const VARIABLES = ['x', 'y', 'z', 'CI'] as const;
const variable = fc.constantFrom(...VARIABLES);
const text = fc.constantFrom('f1', 'f2.x', 's1', 'p', 'q r', '..', '1', '', '-n', 's1/f1', 'a b  c', '07', 'd;e', '#h');
const folder = fc.constantFrom(
  's1',
  's2',
  's1/t',
  '..',
  '.',
  "'sp ace'",
  'nope',
  '"s1"',
  './s1/../s2',
  'link',
  'link/..',
);
const name = fc.constantFrom('f1', 'n1', 'n2', 's1/n3', '"n 4"', '../n5', 'f2.x');

function singleQuoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

function join(pieces: readonly string[], by = ''): string {
  return pieces.join(by);
}

/** A here-document ends its line. */
function joined(before: string, by: string, next: string): string {
  if (before.endsWith('\nE\n')) return before + next;
  return before + (next.endsWith('\nE\n') ? '\n' : by) + next;
}

type Text = fc.Arbitrary<string>;

const plainWord = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('f1', 'k', 'x', '1', '-l', 'a=b', 'e#f', './f1', '[', '{}', 'a,b', '!', '~', '='),
  },
  { weight: 3, arbitrary: text.map(singleQuoted) },
  { weight: 2, arbitrary: text.map((each) => `"${each}"`) },
  { weight: 1, arbitrary: text.map((each) => `$'${each}\\x41\\t\\''`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\\a\\ b',
      'a\\\nb',
      '""',
      "''",
      '\\$x',
      '\'a\'"b"c',
      '\\*',
      '"*"',
      "'~'",
      "$'\\u0041'",
      '"\\$x\\\\"',
    ),
  },
);

const printedDocument = fc
  .tuple(
    fc.array(fc.oneof(text, fc.constantFrom('$x', 'a (b) $y', "it's", '$', '-', '\\$x', ' k ')), { maxLength: 3 }),
    fc.constantFrom("'E'", 'E'),
    fc.constantFrom('"', ''),
  )
  .map(([lines, word, quote]) => `${quote}$(cat <<${word}\n${join(lines.map((line) => `${line}\n`))}E\n)${quote}`);

function expansionWith(simple: Text): Text {
  return fc.oneof(
    { weight: 5, arbitrary: variable.map((each) => `$${each}`) },
    { weight: 5, arbitrary: variable.map((each) => `"$${each}"`) },
    { weight: 2, arbitrary: variable.map((each) => `"\${${each}}"p`) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('"$@"', '$@', '$*', '"$*"', '$1', '"$1"', '$2', '"q$@r"', '$#', '"${@}"', '"${1}"'),
    },
    { weight: 1, arbitrary: variable.map((each) => `\${${each}:-d}`) },
    { weight: 1, arbitrary: variable.map((each) => `"\${${each}%b}"`) },
    { weight: 1, arbitrary: variable.map((each) => `\${#${each}}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '$((1+2))',
        '"$((x+1))"',
        '$((y))',
        '$(( 3*(2-5) ))',
        '$?',
        '"$PWD"',
        '$HOME',
        '"$OLDPWD"',
        '$_',
      ),
    },
    { weight: 1, arbitrary: simple.map((each) => `$(${each})`) },
    { weight: 1, arbitrary: simple.map((each) => `"$(${each})"`) },
    { weight: 1, arbitrary: printedDocument },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '{p,q}',
        'a{1..3}b',
        '{f,g}1',
        '{$x,k}',
        'p{,q}',
        '"{a,b}"',
        '{a}',
        '{a..c}',
        '{3..1}',
        "{'a,b',c}",
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '*',
        'f*',
        '*.x',
        '?1',
        '[fg]1',
        's1/*',
        '.*',
        '*/f1',
        'f[!1]*',
        "'f'*",
        's*/',
        '*"1"',
        '[a-',
        'z*',
        '"s1"/*',
        '\\[f]1',
        '[\\f]1',
        '[]f]1',
        '[^s]1',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('~/k', '~', 'A=~/k', '~nobody/x', 'x~', '~"/a"') },
  );
}

function wordWith(expansion: Text): Text {
  return fc.oneof(
    { weight: 5, arbitrary: plainWord },
    { weight: 5, arbitrary: expansion },
    { weight: 1, arbitrary: fc.tuple(plainWord, expansion).map((pair) => join(pair)) },
    { weight: 1, arbitrary: fc.tuple(expansion, plainWord).map((pair) => join(pair)) },
  );
}

const redirection = fc.oneof(
  name.chain((each) =>
    fc.constantFrom(`>${each}`, `>>${each}`, `2> ${each}`, `&>${each}`, `>|${each}`, `>&${each}`, `3>${each}`),
  ),
  fc.constantFrom(
    '2>&1',
    '<f1',
    '<nope',
    '>&2',
    '2>&-',
    '>"$x"',
    '>$y',
    '<<<"$x"',
    '<<< hi',
    '3>&1 4>&3-',
    '>nope/f',
    '<>f1',
  ),
);

const call = fc.constantFrom(...STUBS, ...STUBS, 'f', 'g', 'echo', 'command a', '\\a', '"b"');

const blank = fc.constantFrom(' ', ' ', ' ', '\t', '  ', ' \\\n');

function stubWith(word: Text): Text {
  return fc
    .tuple(
      call,
      fc.array(fc.tuple(blank, fc.oneof({ weight: 6, arbitrary: word }, { weight: 1, arbitrary: redirection })), {
        maxLength: 4,
      }),
    )
    .map(([program, rest]) => program + join(rest.map((pair) => join(pair))));
}

function assignmentWith(expansion: Text): Text {
  return fc
    .tuple(
      variable,
      fc.oneof({ weight: 3, arbitrary: plainWord }, { weight: 2, arbitrary: expansion }),
      fc.constantFrom('=', '=', '=', '+='),
    )
    .map(([each, value, operator]) => each + operator + value);
}

const jump = fc.constantFrom(
  'true',
  'false',
  ':',
  'exit',
  'return',
  'break',
  'continue',
  'exit 3',
  'return 1',
  'break 2',
  'true <nope',
);

const setting = fc.constantFrom(
  'local x',
  'unset x',
  'unset f',
  'shift',
  'set -- p "q r" $x',
  'set -- "$@" k',
  'read x <f1',
  'read -r y z',
  'export y',
  'readonly z',
  'set -e',
  'shift 2',
  'set k "$@"',
  'unset -f g',
);

const checking = fc.constantFrom(
  '((x=2))',
  '((x++))',
  '((y+=x))',
  '[[ $x = p* ]]',
  '[ "$x" = p ]',
  '[ -f f1 ]',
  '[[ -n $y && -e f1 ]]',
  'test -d s1',
  '((1/0))',
  'printf %s "$x"',
  '[[ $x -eq 1 ]]',
);

function oneWith(stub: Text, assignment: Text, word: Text, inner: Text): Text {
  return fc.oneof(
    { weight: 24, arbitrary: stub },
    { weight: 12, arbitrary: assignment },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          plainWord.map((each) => `CI=${each}`),
          stub,
        )
        .map((pair) => join(pair, ' ')),
    },
    { weight: 12, arbitrary: folder.map((each) => `cd ${each}`) },
    { weight: 1, arbitrary: folder.map((each) => `cd ${each} <nope`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'cd',
        'cd -',
        'cd -P link',
        'pushd s1',
        'popd',
        'cd -- s2',
        'cd "$x"',
        'cd s*',
        'cd ~',
      ),
    },
    {
      weight: 1,
      arbitrary: jump,
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('local', 'export', 'declare'), variable, plainWord)
        .map(([how, each, value]) => `${how} ${each}=${value}`),
    },
    {
      weight: 1,
      arbitrary: setting,
    },
    {
      weight: 1,
      arbitrary: checking,
    },
    { weight: 9, arbitrary: nestedWith(stub, word, inner) },
  );
}

/** Texts for a shell within the shell. */
function nestedWith(stub: Text, word: Text, inner: Text): Text {
  return fc.oneof(
    { weight: 1, arbitrary: inner.map((each) => `eval ${singleQuoted(each)}`) },
    { weight: 1, arbitrary: stub.map((each) => `eval ${each}`) },
    { weight: 1, arbitrary: inner.map((each) => `bash -c ${singleQuoted(each)}`) },
    { weight: 1, arbitrary: inner.map((each) => `trap ${singleQuoted(each)} EXIT`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(inner, fc.constantFrom('E', "'E'", '\\E'))
        .map(([each, end]) => `bash <<${end}\n${each}\nE\n`),
    },
    { weight: 1, arbitrary: inner.map((each) => `bash <<< ${singleQuoted(each)}`) },
    { weight: 1, arbitrary: stub.map((each) => `exec ${each.replace(/^(?:f|g|echo|command a)(?=\s|$)/, 'a')}`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(word, fc.constantFrom('a <<E\n%\nE\n', 'b <<-E\n\t%\n\tE\n', "a <<'E'\n%\nE\n"))
        .map(([each, doc]) => doc.replace('%', () => each)),
    },
  );
}

function compoundWith(inner: Text, word: Text): Text {
  return fc.oneof(
    { weight: 2, arbitrary: inner.map((each) => `( ${each}\n)`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(inner, fc.constantFrom('', '', ' >n1', ' <f1', ' <nope', ' 2>&1'))
        .map(([each, to]) => `{ ${each}\n}${to}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(inner, inner, inner)
        .map(([test, then, other]) => `if ${test}\nthen ${then}\nelse ${other}\nfi`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(inner, inner, inner)
        .map(([test, then, other]) => `if ${test}\nthen ${then}\nelif c\nthen c\nelif a; then ${other}\nfi`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(variable, fc.array(word, { maxLength: 3 }), inner)
        .map(([each, words, body]) => `for ${each} in ${join(words, ' ')}\ndo ${body}\ndone`),
    },
    { weight: 1, arbitrary: fc.tuple(variable, inner).map(([each, body]) => `for ${each}\ndo ${body}\ndone`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(inner, inner)
        .map(([test, body]) => `while ${test}\n[ "\${#n}" -lt 3 ]\ndo n=i$n; ${body}\ndone`),
    },
    { weight: 1, arbitrary: fc.tuple(inner, inner).map(([test, body]) => `until ${test}\ntrue\ndo ${body}\ndone`) },
    { weight: 1, arbitrary: inner.map((body) => `for ((i=0;i<2;i++)); do ${body}\ndone`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(word, inner, inner, fc.constantFrom(';;', ';&', ';;&'))
        .map(([each, first, second, end]) => `case ${each} in p|f*) ${first}\n${end} *) ${second}\nesac`),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('f', 'g', 'a', 'echo', 'cd'), inner)
        .map(([each, body]) => `${each}() { ${body}\n}`),
    },
    { weight: 1, arbitrary: fc.tuple(inner, inner).map(([first, second]) => `{ ${first}\n} | { ${second}\n}`) },
    { weight: 1, arbitrary: inner.map((each) => `! { ${each}\n}`) },
    { weight: 1, arbitrary: inner.map((each) => `time { ${each}\n}`) },
    { weight: 1, arbitrary: inner.map((each) => `{ ${each}\n} & wait`) },
    { weight: 1, arbitrary: inner.map((each) => `a <(${each}\n)`) },
  );
}

const lead = fc.constantFrom('; ', '\n', ' && ', ' || ', '\n', '; ', ' # note\n', ' | ');

/** Scripts for bash out of nearly all of its grammar. They end soon and touch nothing outside of the folder they run in. */
export const shellScript: Text = fc.letrec<{ simple: string; script: string }>((tie) => {
  const inner = tie('script');
  const expansion = expansionWith(tie('simple'));
  const word = wordWith(expansion);
  const stub = stubWith(word);
  const one = oneWith(stub, assignmentWith(expansion), word, inner);
  const compound = compoundWith(inner, word);
  const command = fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 5, arbitrary: one },
    { weight: 2, arbitrary: compound },
  );
  return {
    simple: stub,
    script: fc
      .tuple(command, fc.array(fc.tuple(lead, command), { maxLength: 4 }))
      .map(([first, rest]) => rest.reduce((before, [by, next]) => joined(before, by, next), first)),
  };
}).script;
