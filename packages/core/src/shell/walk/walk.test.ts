import { describe, expect, it } from 'vitest';
import { analyseCommand } from '../analyse-command.js';
import { does } from '../program-facts.js';
import { judgeProgram } from '../programs/judge-program.js';
import { shownText } from '../words/shell-word.js';

/** Where `prog` runs with which words, in all ways; and every reason of doubt. */
function runsOf(text: string): { runs: string[]; unknown: readonly string[] } {
  const { commands, unknown } = analyseCommand(text, {
    directory: '/w',
    home: '/h',
    judge: (call) => (call.name === 'prog' ? does() : judgeProgram(call)),
  });
  const runs = commands
    .filter(({ words }) => words[0]?.text === 'prog')
    .flatMap(({ words, folders = ['?'] }) =>
      folders.map((folder) => [folder, ...words.slice(1).map(shownText)].join(' ')),
    );
  return { runs: [...new Set(runs)].sort(), unknown };
}

describe('where a command runs', () => {
  it.each([
    ['cd a && prog', ['/w/a']],
    ['cd a; prog', ['/w', '/w/a']],
    ['cd a || exit; prog', ['/w/a']],
    ['cd a || prog', ['/w']],
    ['(cd a && prog); prog', ['/w', '/w/a']],
    ['cd a | prog', ['/w']],
    ['cd a & prog', ['/w']],
    ['cd a && cd .. && prog', ['/w']],
    ['cd a && cd - && prog', ['/w']],
    ['cd - && prog', ['?']],
    ['cd a/../b && prog', ['/w/b']],
    ['cd && prog', ['/h']],
    ['cd ~/x && prog', ['/h/x']],
    ['cd -P a && prog', ['?']],
    ['cd a* && prog', ['?']],
    ['cd "" && prog', ['?']],
    ['pushd a && prog', ['/w/a']],
    ['popd && prog', ['?']],
    ['if cd a; then prog; else prog x; fi', ['/w x', '/w/a']],
    ['f() { cd a; return; cd b; }; f; prog', ['/w', '/w/a', '/w/a/b', '/w/b']],
    ['f() { cd a || exit; return; cd b; }; f && prog', ['/w/a', '/w/a/b']],
    ['while cd /etc; false; do cd /w; done; prog', ['?']],
    ['for i in 1; do cd /etc; break; cd /w; done; prog', ['?']],
    ['{ cd a; } < f; prog', ['/w', '/w/a']],
    ['cd a < f; prog', ['/w', '/w/a']],
    ['true < f || cd a; prog', ['/w', '/w/a']],
    ['exit; cd a; prog', ['/w', '/w/a']],
    ["trap 'prog' EXIT; cd a", ['?']],
    ["eval 'cd a' && prog", ['/w/a']],
    ['command cd a && prog', ['/w/a']],
    ['timeout 5 cd a; prog', ['/w']],
  ])('%j', (text, expected) => {
    expect(runsOf(text).runs).toEqual(expected);
  });
});

describe('what a variable holds', () => {
  it.each([
    ['x=a; f() { local x=b; }; f; prog $x', ['/w a', '/w b']],
    ['x=a; local x=b; prog "$x"', ['/w "$x"']],
    ['x=a; f() { local x; prog p$x; }; f', ['/w p$x']],
    ['x=a; f() { prog $x; }; CI=1 f', ['/w a']],
    ['CI=a; f() { prog $CI; }; CI=b f', ['/w b']],
    ['x=a; (x=b); prog $x', ['/w a']],
    ['x=a; x=b | true; prog $x', ['/w a']],
    ['x=a; { x=b; } < f; prog $x', ['/w a', '/w b']],
    ['x=a; bash -c "prog \\$x"', ['/w $x']],
    ['x=a; unset x; prog "$x"', ['/w "$x"']],
    ['x=a; read x; prog "$x"', ['/w "$x"']],
    ['x=; prog $x y "$x"', ['/w y ']],
    ['for i in a b; do y=$i; done; prog "$y"', ['/w "$y"']],
    ['while true; do prog "$x"; x=a; done', ['/w "$x"']],
    ['x=\'*\'; prog "$x"', ['/w *']],
    ['prog a$y"b"', ['/w a$y"b"']],
  ])('%j', (text, expected) => {
    expect(runsOf(text).runs).toEqual(expected);
  });
});

describe('which of several things a name stands for', () => {
  it('a function hides a program only from the shell itself, and only where it is certain', () => {
    expect(runsOf('prog() { :; }; prog x').runs).toEqual([]);
    for (const text of [
      'prog() { :; }; command prog x',
      'prog() { :; }; nice prog x',
      'prog() { :; }; timeout 5 prog x',
      'prog() { :; }; exec prog x',
      "prog() { :; }; bash -c 'prog x'",
      'prog() { :; }; unset prog; prog x',
      'if true; then prog() { :; }; fi; prog x',
      'true || prog() { :; }; prog x',
      '(prog() { :; }); prog x',
      'f() { prog() { :; }; }; prog x',
      'for i in $y; do prog() { :; }; done; prog x',
    ])
      expect(runsOf(text).runs, text).toEqual(['/w x']);
  });

  it('a function is what it was when it is called, also in a later turn of a loop', () => {
    const { runs } = runsOf('while true; do prog x; f; f() { cd /etc; }; done');
    // The first turn, and any turn.
    expect(runs).toEqual(['/w x', '? x']);
  });
});
