import { describe, expect, it } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { commandEffects } from '../shell/command-effects.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import { denialAdvice, trustHint } from './denial-advice.js';
import type { Rule } from './rule.js';

const readCommand = (text: string): readonly Effect[] =>
  commandEffects(text, { directory: '/work/app', zone: 'workspace' }, plainSurroundings('/work/app', '/home/ann'));

function advise(
  effects: readonly Effect[],
  deny: readonly string[],
  mode: ApprovalMode = ApprovalMode.YOLO,
  toolName = 'run_shell_command',
): string | undefined {
  const rules = deny.map((text): Rule => ({ list: 'deny', text, origin: 'test' }));
  const context = { mode, rules, roots: ['/work/app'], home: '/home/ann' };
  const call = { toolName, effects };
  return denialAdvice(decide(call, context), call, { context, readCommand });
}

const path = (kind: 'read' | 'write' | 'delete', where: string): Effect => ({
  kind,
  path: where,
  requested: where,
  zone: where.startsWith('/work/app/') ? 'workspace' : 'outside',
});

describe('what may be done instead of', () => {
  it('a subcommand: others of the same program that would run', () => {
    expect(advise(readCommand('git push'), ['Bash(git push *)'])).toBe(
      '`git status`, `git diff`, `git log` are allowed.',
    );
    expect(advise(readCommand('git push'), ['Bash(git push *)', 'Bash(git log *)'])).toBe(
      '`git status`, `git diff` are allowed.',
    );
    expect(advise(readCommand('git push'), ['Bash(git *)'])).toBeUndefined();
    expect(advise(readCommand('git push'), ['Bash'])).toBeUndefined();
  });

  it('a write elsewhere: writing in the workspace', () => {
    expect(advise([path('write', '/etc/x')], ['Edit(//etc/**)'])).toBe('Files below `/work/app` may be written.');
    expect(advise([path('write', '/etc/x')], ['Edit'])).toBeUndefined();
  });

  it('one file: the others', () => {
    expect(advise([path('read', '/work/app/.env')], ['Read(.env)'])).toMatch(
      /^Other files of the workspace may be read/,
    );
  });

  it('anything in plan mode: reading, and the plan', () => {
    const advice = advise(readCommand('npm test'), [], ApprovalMode.PLAN);
    expect(advice).toContain('In plan mode you may read and search');
    expect(advice).toContain('`ls -la`');
    expect(advise(readCommand('npm test'), ['Bash'], ApprovalMode.PLAN)).toBeUndefined();
  });

  it('what cannot be taken back: the form that loses less, where it would run', () => {
    expect(advise(readCommand('git push --force'), [])).toBe(
      'Instead: `git push --force-with-lease` overwrites only what was fetched before.',
    );
    expect(advise(readCommand('git clean -fdx'), [])).toContain('`git clean -fd`');
    expect(advise(readCommand('git push --force'), ['Bash(git push *)'])).toBe(
      '`git status`, `git diff`, `git log` are allowed.',
    );
  });

  it('the agent’s own program: nothing', () => {
    expect(advise(readCommand('tenon trust --yes'), [])).toContain('for the user to do');
  });

  it('names no path that would be asked about as well', () => {
    const context = { mode: ApprovalMode.DEFAULT, rules: [], roots: ['/work/app'], home: '/home/ann' };
    const call = { toolName: 'write_file', effects: [path('write', '/etc/x')] };
    expect(denialAdvice(decide(call, context), call, { context, readCommand })).toBeUndefined();
  });

  it('says nothing where nothing is known, and for a call that may run', () => {
    expect(advise(readCommand('some-program x'), ['Bash(some-program *)'])).toBeUndefined();
    expect(advise(readCommand('ls'), [])).toBeUndefined();
  });
});

describe('where a repository can make git start programs', () => {
  const place = { directory: '/work/app', zone: 'workspace' } as const;
  const plain = plainSurroundings('/work/app', '/home/ann');
  const read = (isTrusted: boolean) => (text: string) =>
    commandEffects(text, place, { ...plain, isTrustedRepository: () => isTrusted });
  const hint = (command: string, { isTrusted = false, rules = [] as readonly Rule[] } = {}): string | undefined => {
    const context = { mode: ApprovalMode.DEFAULT, rules, roots: ['/work/app'], home: '/home/ann' };
    const call = { toolName: 'run_shell_command', effects: read(isTrusted)(command) };
    return trustHint(call, { context, readTrusted: read(true) });
  };

  it('says what shows them', () => {
    expect(hint('git status')).toContain('`tenon trust` shows what it names');
    expect(hint('git status && ls')).toContain('tenon trust');
  });

  it('says nothing where that would not help', () => {
    expect(hint('git status', { isTrusted: true })).toBeUndefined();
    expect(hint('git push')).toBeUndefined();
    expect(hint('git status; $x')).toBeUndefined();
    expect(hint('npm test')).toBeUndefined();
    expect(hint('git status', { rules: [{ list: 'ask', text: 'Bash(git *)', origin: 'test' }] })).toBeUndefined();
  });
});

describe('a tool of its own kind', () => {
  it('that types for a program: the rule that allows it, and no advice about commands', () => {
    const typed: readonly Effect[] = [
      ...readCommand('rm "$X"'),
      { kind: 'unknown', reason: 'what `sh` does with its input' },
    ];
    const inDefault = (deny: readonly string[], effects: readonly Effect[]): string | undefined =>
      advise(effects, deny, ApprovalMode.DEFAULT, 'job_input');
    const rule = 'The user can allow it with the rule `job_input`, which stands for every call of this tool.';
    expect(
      inDefault(
        [],
        typed.filter(({ kind }) => kind === 'unknown'),
      ),
    ).toBe(rule);
    expect(inDefault([], [...readCommand('npm test'), ...typed.slice(-1)])).toBe(rule);
    expect(inDefault(['Bash(rm *)'], typed)).toBeUndefined();
  });

  it('that names no file: nothing about other files', () => {
    const effects = [path('read', '/work/app/.tenon/skills/sow/SKILL.md')];
    expect(advise(effects, ['Skill(sow)', 'skill'], ApprovalMode.YOLO, 'skill')).toBeUndefined();
    expect(advise(effects, ['read_file'], ApprovalMode.YOLO, 'read_file')).toBeUndefined();
  });
});
