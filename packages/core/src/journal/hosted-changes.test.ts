import { describe, expect, it } from 'vitest';
import { FileVersions } from '../files/file-versions.js';
import type { FileSystemService } from '../files/workspace-types.js';
import { contentHash } from '../files/write-handle.js';
import { Failure } from '../util/failure.js';
import { HostedChanges } from './hosted-changes.js';

const hashOf = (text: string): string => contentHash(Buffer.from(text));

/** A host's files; `mayWrite` is asked before each write. */
function hosted(
  files: Map<string, string>,
  mayWrite: (path: string, text: string) => boolean = () => true,
): HostedChanges {
  const service: FileSystemService = {
    readTextFile: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw new Failure('file_not_found', `None: ${path}`);
      return { text, encoding: 'utf-8', bom: false, hash: hashOf(text) };
    },
    writeTextFile: async (path, text) => {
      if (!mayWrite(path, text)) throw new Failure('permission_denied', `Not ${path}.`);
      const created = !files.has(path);
      files.set(path, text);
      return { path, created, bytes: Buffer.byteLength(text) };
    },
  };
  return new HostedChanges(service, new FileVersions());
}

const change = (path: string, from: string, content: string | null): Parameters<HostedChanges['apply']>[0][number] => ({
  path,
  expected: hashOf(from),
  content,
});

describe('HostedChanges', () => {
  it('puts back what was written when one of several cannot be', async () => {
    const files = new Map([
      ['/a', 'a'],
      ['/b', 'b'],
    ]);
    const changes = hosted(files, (path) => path !== '/b');
    await expect(changes.apply([change('/a', 'a', 'A'), change('/b', 'b', 'B')])).rejects.toMatchObject({
      code: 'permission_denied',
      message: 'Not /b.',
    });
    expect(Object.fromEntries(files)).toEqual({ '/a': 'a', '/b': 'b' });
  });

  it('names the cause also when what was written cannot be put back', async () => {
    const files = new Map([
      ['/a', 'a'],
      ['/b', 'b'],
    ]);
    const changes = hosted(files, (path, text) => path !== '/b' && text !== 'a');
    await expect(changes.apply([change('/a', 'a', 'A'), change('/b', 'b', 'B')])).rejects.toMatchObject({
      code: 'permission_denied',
      message: 'Not /b. What was written before could not all be put back: Not /a.',
    });
  });

  it('changes nothing when one of the changes is a deletion', async () => {
    const files = new Map([['/a', 'a']]);
    await expect(hosted(files).apply([change('/a', 'a', 'A'), change('/a', 'a', null)])).rejects.toMatchObject({
      code: 'file_write_failure',
    });
    expect(files.get('/a')).toBe('a');
  });
});
