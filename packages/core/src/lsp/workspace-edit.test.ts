import { describe, expect, it } from 'vitest';
import { uriOf } from './places.js';
import { planWorkspaceEdit, type EditSources } from './workspace-edit.js';

const HEAD = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };

function sources(files: Readonly<Record<string, string>>, version?: number): EditSources {
  return { read: async (path) => Promise.resolve(files[path] ?? null), versionOf: () => version };
}

describe('planWorkspaceEdit', () => {
  it('takes `documentChanges` over `changes`, and leaves out files that stay as they are', async () => {
    const edit = {
      changes: { [uriOf('/p/a b@ü.ts')]: [{ range: HEAD, newText: 'never' }] },
      documentChanges: [
        {
          textDocument: { uri: uriOf('/p/a b@ü.ts').replace('@', '%40'), version: null },
          edits: [{ range: HEAD, newText: 'new' }],
        },
        { textDocument: { uri: uriOf('/p/same.ts'), version: null }, edits: [{ range: HEAD, newText: 'old' }] },
      ],
    };
    expect(await planWorkspaceEdit([edit], sources({ '/p/a b@ü.ts': 'old', '/p/same.ts': 'old' }))).toEqual([
      { path: '/p/a b@ü.ts', before: 'old', after: 'new' },
    ]);
  });

  it('makes, moves and deletes files in the order that is given', async () => {
    const edit = {
      documentChanges: [
        { kind: 'rename' as const, oldUri: uriOf('/p/a.ts'), newUri: uriOf('/p/b.ts') },
        { textDocument: { uri: uriOf('/p/b.ts'), version: null }, edits: [{ range: HEAD, newText: 'new' }] },
        { kind: 'create' as const, uri: uriOf('/p/c.ts') },
        { kind: 'delete' as const, uri: uriOf('/p/d.ts') },
      ],
    };
    expect(await planWorkspaceEdit([edit], sources({ '/p/a.ts': 'old', '/p/d.ts': 'gone' }))).toEqual([
      { path: '/p/a.ts', before: 'old', after: null },
      { path: '/p/b.ts', before: null, after: 'new', movedFrom: '/p/a.ts' },
      { path: '/p/c.ts', before: null, after: '' },
      { path: '/p/d.ts', before: 'gone', after: null },
    ]);
  });

  it.each([
    ['an older text', { textDocument: { uri: uriOf('/p/a.ts'), version: 1 }, edits: [] }, /older text/],
    ['what is no file', { textDocument: { uri: 'untitled:1', version: null }, edits: [] }, /no file/],
    ['a missing file', { textDocument: { uri: uriOf('/p/none.ts'), version: null }, edits: [] }, /does not exist/],
    ['a file that is there', { kind: 'create' as const, uri: uriOf('/p/a.ts') }, /exists already/],
    [
      'a move onto a file',
      { kind: 'rename' as const, oldUri: uriOf('/p/a.ts'), newUri: uriOf('/p/b.ts') },
      /exists already/,
    ],
    [
      'a snippet',
      {
        textDocument: { uri: uriOf('/p/a.ts'), version: null },
        edits: [{ range: HEAD, snippet: { kind: 'snippet' as const, value: '$0' } }],
      },
      /snippet/,
    ],
  ])('refuses %s', async (_what, change, reason) => {
    const files = { '/p/a.ts': 'old', '/p/b.ts': 'other' };
    await expect(planWorkspaceEdit([{ documentChanges: [change] }], sources(files, 2))).rejects.toThrow(reason);
  });
});
