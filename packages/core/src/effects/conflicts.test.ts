import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflict } from './conflicts.js';
import type { Effect, ForeignEffect } from './effect.js';

const touch = (kind: 'read' | 'write' | 'delete', path: string, scope?: 'tree'): Effect => ({
  kind,
  path,
  requested: path,
  zone: 'workspace',
  ...(scope === undefined ? {} : { scope }),
});
const run = (command: string, readOnly = false): Effect => ({
  kind: 'run',
  command,
  argv: command.split(' '),
  directory: '/w',
  zone: 'workspace',
  readOnly,
});
const call = (from: string, does: ForeignEffect['does']): Effect => ({
  kind: 'foreign',
  from,
  tool: 't',
  does,
  reason: 'it says so',
});

const anyEffect: fc.Arbitrary<Effect> = fc.oneof(
  fc
    .record({
      kind: fc.constantFrom('read', 'write', 'delete'),
      path: fc.constantFrom('/w', '/w/a', '/w/a/b', '/w/ab'),
    })
    .map(({ kind, path }) => touch(kind, path)),
  fc.constantFrom('/w', '/w/a').map((path) => touch('read', path, 'tree')),
  fc.constantFrom<Effect>(
    run('make'),
    run('pwd', true),
    { kind: 'ask' },
    { kind: 'unknown', reason: '' },
    { kind: 'fetch', host: 'h', url: 'http://h' },
    call('a', 'reads'),
    call('a', 'changes'),
    call('b', 'reads'),
    call('b', 'unknown'),
  ),
);

describe('conflict', () => {
  it('is symmetric', () => {
    fc.assert(
      fc.property(
        fc.array(anyEffect, { maxLength: 4 }),
        fc.array(anyEffect, { maxLength: 4 }),
        (a, b) => conflict(a, b) === conflict(b, a),
      ),
    );
  });

  it('lets reads run side by side, and writes to different files', () => {
    expect(conflict([touch('read', '/w/a')], [touch('read', '/w/a')])).toBe(false);
    expect(conflict([touch('write', '/w/a')], [touch('write', '/w/ab')])).toBe(false);
  });

  it('keeps a write apart from whatever sees the file', () => {
    expect(conflict([touch('write', '/w/a')], [touch('read', '/w/a')])).toBe(true);
    expect(conflict([touch('write', '/w/a/b')], [touch('read', '/w', 'tree')])).toBe(true);
    expect(conflict([touch('delete', '/w/a')], [touch('read', '/w/a/b')])).toBe(true);
    expect(conflict([touch('write', '/w/ab')], [touch('read', '/w/a', 'tree')])).toBe(false);
  });

  it('keeps a write apart from the listing of any folder above it, which it may make', () => {
    expect(conflict([touch('write', '/w/new/f')], [touch('read', '/w/new')])).toBe(true);
    expect(conflict([touch('write', '/w/new/f')], [touch('read', '/w')])).toBe(true);
    expect(conflict([touch('write', '/w/new/f')], [touch('write', '/w/new/g')])).toBe(false);
  });

  it('keeps a program apart from everything but what nobody can see', () => {
    expect(conflict([run('make')], [touch('read', '/w/a')])).toBe(true);
    expect(conflict([run('make')], [run('make')])).toBe(true);
    expect(conflict([run('sleep 1', true)], [run('sleep 1', true)])).toBe(false);
    expect(conflict([run('make')], [run('pwd', true)])).toBe(false);
  });

  it('keeps what changes things behind a question, and lets reads pass', () => {
    expect(conflict([{ kind: 'ask' }], [touch('write', '/w/a')])).toBe(true);
    expect(conflict([{ kind: 'ask' }], [touch('read', '/w/a')])).toBe(false);
  });

  it('keeps the calls of one server in their order unless they only read, and leaves those of two servers alone', () => {
    expect(conflict([call('a', 'reads')], [call('a', 'reads')])).toBe(false);
    expect(conflict([call('a', 'unknown')], [call('a', 'reads')])).toBe(true);
    expect(conflict([call('a', 'destroys')], [call('a', 'changes')])).toBe(true);
    expect(conflict([call('a', 'unknown')], [call('b', 'unknown')])).toBe(false);
  });

  it('takes a server for a program that touches any file, or reads any', () => {
    expect(conflict([call('a', 'unknown')], [touch('read', '/w/a')])).toBe(true);
    expect(conflict([call('a', 'changes')], [run('make')])).toBe(true);
    expect(conflict([call('a', 'changes')], [{ kind: 'ask' }])).toBe(true);
    expect(conflict([call('a', 'reads')], [touch('read', '/w/a'), run('pwd', true), { kind: 'ask' }])).toBe(false);
    expect(conflict([call('a', 'reads')], [touch('write', '/w/a')])).toBe(true);
    expect(conflict([call('a', 'reads')], [run('make')])).toBe(true);
  });
});
