import { describe, expect, it } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { readMatcher, type Matched } from './match-hook.js';

const places = { roots: ['/w'], home: '/h' };

function call(toolName: string, displayName: string, effects: readonly Effect[] = []): Matched {
  return { kind: 'call', toolName, displayName, effects };
}

function run(command: string): Effect {
  const argv = command.split(' ');
  return { kind: 'run', command, argv, directory: '/w', zone: 'workspace', readOnly: false };
}

function matches(matcher: string, matched: Matched): boolean {
  const read = readMatcher('PreToolUse', matcher);
  if (typeof read !== 'function') throw new Error(read.problem);
  return read(matched, places);
}

const shell = call('run_shell_command', 'Shell', [run('git push')]);
const edit = call('edit', 'Edit');
const write = call('write_file', 'WriteFile', [
  { kind: 'write', path: '/w/src/a.ts', requested: '/w/src/a.ts', zone: 'workspace' },
]);
const served = call('files__read', 'read (files)');

describe('a matcher', () => {
  it.each([
    ['', shell, true],
    ['*', served, true],
    ['Bash', shell, true],
    ['run_shell_command', shell, true],
    ['ShellTool', shell, true],
    ['Shell', shell, true],
    ['Edit', edit, true],
    ['Edit', write, false],
    ['Write', write, true],
    ['WriteFile', write, true],
    ['Edit|Write', write, true],
    ['Edit|MultiEdit|Write', shell, false],
    ['Edit|Write', call('apply_patch', 'Patch'), true],
    ['Notebook.*', edit, false],
    ['mcp__.*', served, true],
    ['mcp__files__read', served, true],
    ['mcp__files', served, true],
    ['mcp__files__(read|write)', served, true],
    ['mcp__files__(list|write)', served, false],
    ['^(Edit|Write)$', write, true],
    ['Bash(git *)', shell, true],
    ['Bash(npm *)', shell, false],
    ['Bash(git *)', call('run_shell_command', 'Shell', [{ kind: 'unknown', reason: 'r' }]), true],
    ['Edit(/src/**)', write, true],
    ['Edit(/docs/**)', write, false],
    ['Write(/src/**)', write, true],
  ] as const)('%j', (matcher, matched, expected) => {
    expect(matches(matcher, matched)).toBe(expected);
  });

  it('of another event is about its one word', () => {
    const read = readMatcher('SessionStart', 'startup|resume');
    if (typeof read !== 'function') throw new Error(read.problem);
    expect(read({ kind: 'word', word: 'resume' }, places)).toBe(true);
    expect(read({ kind: 'word', word: 'clear' }, places)).toBe(false);
  });

  it.each(['UserPromptSubmit', 'Stop'] as const)('of %s, which knows no kinds, leaves nothing out', (event) => {
    for (const matcher of ['Bash', 'a|b', 'Notebook.*', 'Bash(git *)', '*']) {
      const read = readMatcher(event, matcher);
      expect(typeof read === 'function' && read({ kind: 'word', word: '' }, places)).toBe(true);
    }
  });

  it('that cannot be read is a problem, and takes no long time', () => {
    expect(readMatcher('PreToolUse', '(Edit')).toHaveProperty('problem');
    expect(readMatcher('PreToolUse', '(?=Edit)')).toHaveProperty('problem');
    const slow = readMatcher('PreToolUse', '(a*)*b');
    if (typeof slow !== 'function') return;
    expect(slow(call('a'.repeat(10_000), 'x'), places)).toBe(false);
  });
});
