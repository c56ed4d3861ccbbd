import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandEffects } from './command-effects.js';
import { READ_ONLY_PROGRAMS } from './program-knowledge.js';

describe('commandEffects', () => {
  it('calls a command read-only that can change nothing', () => {
    expect(commandEffects('sleep 1; echo "a b"')).toEqual([
      { kind: 'run', command: 'sleep 1', argv: ['sleep', '1'], readOnly: true },
      { kind: 'run', command: 'echo "a b"', argv: ['echo', 'a b'], readOnly: true },
    ]);
  });

  it('calls nothing read-only in a text that it does not understand whole', () => {
    for (const text of [
      'echo x > f',
      'PATH=. whoami',
      'echo $(rm x)',
      'enable -n echo; echo x',
      'ENV= echo',
      'echo `x`',
    ]) {
      const effects = commandEffects(text);
      expect(
        effects.some((effect) => effect.kind === 'unknown'),
        text,
      ).toBe(true);
      expect(
        effects.some((effect) => effect.kind === 'run' && effect.readOnly),
        text,
      ).toBe(false);
    }
  });

  it('knows a program by its bare name only', () => {
    for (const text of ['./echo x', '/tmp/whoami', 'ECHO x', 'bin/true']) {
      expect(commandEffects(text), text).toEqual([expect.objectContaining({ kind: 'run', readOnly: false })]);
    }
  });

  it('calls no program read-only that reads a path, writes, or starts another', () => {
    for (const text of [
      'ls',
      'cat x',
      'rm x',
      'date -s x',
      'git status',
      'tee x',
      'make',
      'cd x',
      'printenv',
      'hostname x',
    ]) {
      expect(commandEffects(text), text).toEqual([expect.objectContaining({ kind: 'run', readOnly: false })]);
    }
  });

  it('is never empty', () => {
    for (const text of ['', ' ', '#', '$(', '\0', 'x'.repeat(100_000)])
      expect(commandEffects(text).length, text.slice(0, 9)).toBeGreaterThan(0);
  });

  it('has a reason in each row of the table, and each row is a program that exists', () => {
    for (const [program, reason] of READ_ONLY_PROGRAMS) {
      expect(reason.length, program).toBeGreaterThan(10);
      expect(
        execFileSync('bash', ['-c', 'type -t -- "$1"', 'bash', program], { encoding: 'utf8' }).trim(),
        program,
      ).toMatch(/^(?:builtin|file)$/);
    }
  });
});
