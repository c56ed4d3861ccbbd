import { readFile } from 'node:fs/promises';
import { Validator, type Schema } from '@cfworker/json-schema';
import type { Effect, PathEffect, RunEffect } from '@tenon/core';
import { expect, it } from 'vitest';

const run: Required<RunEffect> = {
  kind: 'run',
  command: 'ls',
  argv: ['ls'],
  directory: '/w',
  zone: 'skill',
  readOnly: true,
  isStated: true,
  keepsRules: true,
  isContained: true,
  isAgreed: true,
  unread: 'why',
  whole: { text: 'ls; ls', directory: '/w' },
};
const path: Required<PathEffect> = {
  kind: 'read',
  path: '/w/a',
  requested: '/w/a',
  zone: 'skill',
  scope: 'tree',
  leavesOut: 'denied',
  hasOtherNames: true,
  atWorstOf: '$X',
  by: run,
};

/** Each with every field that it may have: the compiler says when one is missing here. */
const FULL: {
  readonly [Kind in Effect['kind']]: Required<Extract<Effect, { readonly kind: Kind }>> | Required<PathEffect>;
} = {
  read: path,
  write: { ...path, kind: 'write' },
  delete: { ...path, kind: 'delete' },
  run,
  fetch: { kind: 'fetch', host: 'a.b', url: 'https://a.b/', onlyReads: true, by: run, isContained: true },
  delegate: { kind: 'delegate', agent: 'explore' },
  ask: { kind: 'ask' },
  secret: { kind: 'secret', name: 'KEY', into: 'a file' },
  foreign: {
    kind: 'foreign',
    from: 'docs',
    tool: 'find',
    does: 'unknown',
    reason: 'nobody said',
    definition: 'hash',
    at: { host: 'a.b', url: 'https://a.b/' },
  },
  unknown: { kind: 'unknown', reason: 'why', by: run, spelledOut: 2, isContained: true, isOfText: true },
};

it.each(Object.entries(FULL))(
  'the schema of events has all that an effect of the kind %s may hold',
  async (_, effect) => {
    const file = new URL('../packages/cli/schemas/events.schema.json', import.meta.url);
    const schema = JSON.parse(await readFile(file, 'utf8')) as Schema;
    const validator = new Validator({ $defs: schema['$defs'], $ref: '#/$defs/effect' }, '2020-12', false);
    expect(validator.validate(effect).errors).toEqual([]);
    expect(validator.validate({ ...effect, strange: 1 }).valid).toBe(false);
  },
);
