import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { commandEffects as effectsIn } from './command-effects.js';
import { READ_ONLY_PROGRAMS } from './program-knowledge.js';

const place = { directory: '/w', zone: 'workspace' } as const;
const commandEffects = (text: string): Effect[] => effectsIn(text, place);

describe('commandEffects', () => {
  it('calls a command read-only that can change nothing', () => {
    expect(commandEffects('sleep 1; echo "a b"')).toEqual([
      { kind: 'run', command: 'sleep 1', argv: ['sleep', '1'], ...place, readOnly: true },
      { kind: 'run', command: 'echo "a b"', argv: ['echo', 'a b'], ...place, readOnly: true },
    ]);
  });

  it('calls nothing read-only that lists folders by a wildcard', () => {
    for (const text of ['echo /etc/cron*/*', 'basename /home/?', 'echo [a-z]']) {
      expect(commandEffects(text)).toMatchObject([{ kind: 'run', readOnly: false }]);
    }
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

  it('states a run even where no command was found: the shell with the whole text', () => {
    for (const text of ['', ' ', '#', '('.repeat(500), 'x'.repeat(100_000)]) {
      const [run, unknown] = commandEffects(text);
      expect(run, text.slice(0, 9)).toMatchObject({
        kind: 'run',
        argv: ['bash', '-c', text],
        ...place,
        readOnly: false,
      });
      expect(unknown?.kind, text.slice(0, 9)).toBe('unknown');
    }
  });

  it('says where each command runs: behind a leading cd, in its folder', () => {
    const places = (text: string): unknown =>
      commandEffects(text).map((effect) => (effect.kind === 'run' ? [effect.directory, effect.zone] : effect));
    const here = ['/w', 'workspace'];
    const below = ['/w/a', 'workspace'];
    expect(places('make; make')).toEqual([here, here]);
    expect(places('cd a && make && npm test | tail')).toEqual([here, below, below, below]);
    expect(places('cd /w/a/../b && make')).toEqual([here, ['/w/b', 'workspace']]);
    expect(places('cd .. && make')).toEqual([here, ['/', 'outside']]);
    expect(places('cd /tmp/x && make')).toEqual([here, ['/tmp/x', 'outside']]);
    expect(places('make; cd a')).toEqual([here, here]);
  });

  it('does not know where commands run behind any other cd', () => {
    for (const text of [
      'cd a; make',
      'cd a || make',
      'cd a & make',
      'cd a | make',
      'cd a && cd .. && make',
      'make && cd a && make',
      'cd - && make',
      'cd && make',
      'cd a* && make',
      'cd -P a && make',
      'cd a && b || c',
    ]) {
      expect(commandEffects(text), text).toContainEqual({
        kind: 'unknown',
        reason: 'a `cd` that may or may not be done before other commands',
      });
    }
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

describe('output redirections', () => {
  it.each([
    ['echo x > .git/hooks/pre-commit', '/w/.git/hooks/pre-commit'],
    ['echo x >> sub/f', '/w/sub/f'],
    ['echo x &> /w/f', '/w/f'],
    ['if true; then echo x >| "a b"; fi', '/w/a b'],
    ['cd sub && echo x > f', '/w/sub/f'],
  ])('state what they write: %s', (text, path) => {
    const effects = commandEffects(text);
    expect(effects).toContainEqual({ kind: 'write', path, requested: path, zone: 'workspace' });
    expect(effects.some(({ kind }) => kind === 'unknown')).toBe(true);
  });

  it('state nothing for what is thrown away or joined', () => {
    const effects = commandEffects('ls > /dev/null 2>&1');
    expect(effects.map(({ kind }) => kind)).toEqual(['run']);
  });
});
