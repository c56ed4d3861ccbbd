import { describe, expect, it } from 'vitest';
import type { PathEffect } from '../effects/effect.js';
import { compileAllowPath, compileStrictPath, parsePathSpecifier, type PathSpecifier } from './path-pattern.js';

const PLACES = { roots: ['/ws'], home: '/home/me' };

function specifier(text: string): PathSpecifier {
  const parsed = parsePathSpecifier(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
}

function read(path: string): PathEffect {
  return { kind: 'read', path, requested: path, zone: 'workspace' };
}

describe('a path rule with wildcards in a name', () => {
  it.each([
    ['*.key', '/ws/a/b.KEY', 'yes'],
    ['b?d', '/ws/b😀d', 'yes'],
    ['[A-C]x', '/ws/bX', 'yes'],
    ['[!a]x', '/ws/ax', 'no'],
    ['[[:upper:]]x', '/ws/ax', 'yes'],
    ['a[b', '/ws/a[b', 'yes'],
    ['*[b', '/ws/a[b', 'yes'],
    ['[z-a]', '/ws/[z-a]', 'yes'],
    ['\\*', '/ws/x', 'no'],
  ])('deny %s meets %s: %s', (text, path, expected) => {
    expect(compileStrictPath(specifier(text), PLACES)(read(path))).toBe(expected);
  });

  it('allows in exact case only', () => {
    const allows = compileAllowPath(specifier('/[a-c]*.ts'), PLACES);
    expect(['/ws/b.ts', '/ws/B.ts', '/ws/d.ts'].map((path) => allows(read(path)))).toEqual([true, false, false]);
  });

  it('is decided at once, whatever it is', () => {
    const started = performance.now();
    for (const text of [`${'*a'.repeat(60)}*b`, `${'*/'.repeat(30)}${'*a'.repeat(60)}*b`, `${'**/'.repeat(500)}b`]) {
      expect(compileStrictPath(specifier(text), PLACES)(read(`/ws/${'a/'.repeat(30)}${'a'.repeat(250)}`))).toBe('no');
    }
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
