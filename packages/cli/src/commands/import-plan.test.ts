import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImportPlace } from './import-places.js';
import { planImport, type FoundServer } from './import-plan.js';

const USER: ImportPlace = { source: 'cursor', title: 'Cursor', file: '/home/x/.cursor/mcp.json', level: 'user' };
const PROJECT: ImportPlace = { source: 'vscode', title: 'VS Code', file: '/work/.vscode/mcp.json', level: 'project' };
const found = (place: ImportPlace, alias: string, definition: Record<string, unknown>): FoundServer => ({
  place,
  server: { alias, definition, needs: [], notes: [] },
});
const options = { servers: [], scope: undefined, root: '/work' };

describe('what becomes of servers that were found', () => {
  it('depends on what is there: the same, another of the name, or nothing', () => {
    const servers = [
      { alias: 'same', raw: { type: 'stdio', command: 'x' }, place: 'user settings' },
      { alias: 'other', raw: { command: 'y' }, place: '/work/.mcp.json' },
      { alias: 'other-2', raw: { command: 'z' }, place: 'user settings' },
    ];
    const rows = planImport(
      [
        found(USER, 'renamed', { command: 'x' }),
        found(USER, 'other', { command: 'w' }),
        found(USER, 'fresh', { command: 'v' }),
        found(PROJECT, 'fresh', { command: 'v' }),
        found(PROJECT, 'fresh', { command: 'u' }),
        { place: USER, server: { alias: 'no', refusal: 'It is no object.', needs: [], notes: [] } },
      ],
      { ...options, servers },
    );
    expect(rows.map(({ state, name, other }) => [state, name, other?.name, other?.place])).toEqual([
      ['there', 'renamed', 'same', 'user settings'],
      ['taken', 'other-3', 'other', '/work/.mcp.json'],
      ['new', 'fresh', undefined, undefined],
      ['there', 'fresh', 'fresh', USER.file],
      ['taken', 'fresh-2', 'fresh', USER.file],
      ['refused', 'no', undefined, undefined],
    ]);
  });

  it('is nothing where Tenon reads the very file itself, whatever stands in it', () => {
    const place: ImportPlace = {
      source: 'claude-code',
      title: 'Claude Code',
      file: '/work/.mcp.json',
      level: 'project',
    };
    const servers = [{ alias: 'a', raw: { command: 'x', alwaysLoad: true }, place: '/work/.mcp.json' }];
    expect(planImport([found(place, 'a', { command: 'x' })], { ...options, servers })).toMatchObject([
      { state: 'there' },
    ]);
  });

  it('leaves what is of a project in the project, unless it is said otherwise', () => {
    const both = [found(USER, 'a', { command: 'x' }), found(PROJECT, 'b', { command: 'y', cwd: 'sub' })];
    expect(planImport(both, options).map(({ scope, definition }) => [scope, definition['cwd']])).toEqual([
      ['user', undefined],
      ['project', 'sub'],
    ]);
    expect(
      planImport(both, { ...options, scope: 'user' }).map(({ scope, definition }) => [scope, definition['cwd']]),
    ).toEqual([
      ['user', undefined],
      ['user', '/work/sub'],
    ]);
  });

  it('is nothing the second time, whatever was found and whatever was there', () => {
    const alias = fc.constantFrom('a', 'b', 'a-2', 'é', '__proto__');
    const definition = fc.record(
      { command: fc.constantFrom('x', 'y'), cwd: fc.constantFrom('sub', '/abs'), disabled: fc.constant(true) },
      { requiredKeys: ['command'] },
    );
    const one = fc.record({ place: fc.constantFrom(USER, PROJECT), alias, definition });
    const there = fc.array(fc.record({ alias, raw: definition, place: fc.constant('user settings') }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        fc.array(one, { maxLength: 8 }),
        there,
        fc.constantFrom(undefined, 'user' as const),
        (all, servers, scope) => {
          const before = all.map((each) => found(each.place, each.alias, each.definition));
          // Those that are taken as well: all that the person can add.
          const added = planImport(before, { ...options, servers, scope }).filter(
            ({ state }) => state === 'new' || state === 'taken',
          );
          const names = added.map(({ name }) => name);
          expect(new Set([...names, ...servers.map((server) => server.alias)]).size).toBe(
            names.length + new Set(servers.map((server) => server.alias)).size,
          );
          const after = [
            ...servers,
            ...added.map((row) => ({ alias: row.name, raw: row.definition, place: 'user settings' })),
          ];
          const second = planImport(before, { ...options, servers: after, scope });
          expect(second.filter(({ state }) => state !== 'there')).toEqual([]);
        },
      ),
    );
  });
});
