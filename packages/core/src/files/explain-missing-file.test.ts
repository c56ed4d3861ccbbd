import { symlink } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { explainMissingFile } from './explain-missing-file.js';

const { config, workspace, reset, remove } = await createTempConfig();
afterEach(reset);
afterAll(remove);

const explain = (name: string, elsewhere: readonly string[] = []): Promise<string> =>
  explainMissingFile({
    gate: config.getWorkspaceGate(),
    isIgnored: (path) => path.endsWith('.secret'),
    path: workspace.path(name),
    findElsewhere: async () => elsewhere,
  });

describe('explainMissingFile (S74)', () => {
  it('names the nearest files of the folder', async () => {
    await workspace.write({ 'config.ts': '', 'other.md': '', 'confih.secret': '' });
    expect(await explain('confih.ts')).toBe(
      `File not found: ${workspace.path('confih.ts')}. The nearest names in ${workspace.root}: config.ts.`,
    );
  });

  it('says where a link leads when nothing is there, and never suggests the link itself', async () => {
    await workspace.write({ 'other.ts': '' });
    await symlink('gone/target.ts', workspace.path('link.ts'));
    const message = await explain('link.ts');
    expect(message).toBe(
      `File not found: ${workspace.path('link.ts')} is a link to ${workspace.path('gone/target.ts')}, and nothing is there.`,
    );
  });

  it('finds names that only look the same, and spells them out', async () => {
    await workspace.write({ 'Photo at 9.41\u202fAM.png': '', 'cafe\u0301.txt': '', 'it\u2019s.md': '', 'a.ts': '' });
    expect(await explain('Photo at 9.41 AM.png')).toContain('is spelled "Photo at 9.41\\u202fAM.png".');
    expect(await explain('caf\u00e9.txt')).toContain('is spelled "cafe\\u0301.txt".');
    expect(await explain("it's.md")).toContain('is spelled "it\\u2019s.md".');
    expect(await explain('@a.ts')).toContain('is spelled "a.ts".');
    await workspace.write({ 'blank ': '' });
    expect(await explain('blank')).toContain('is spelled "blank ".');
  });

  it('spells out what would not be seen in the nearest names', async () => {
    await workspace.write({ 'notes.m\nd': '', 'notes.mk ': '', 'notes.me': '' });
    expect(await explain('notes.md')).toBe(
      `File not found: ${workspace.path('notes.md')}. The nearest names in ${workspace.root}: ` +
        '"notes.m\\nd", notes.me, "notes.mk ".',
    );
  });

  it('names a file of the same name elsewhere, but not many and none that is ignored', async () => {
    const there = workspace.path('src/deep/a.ts');
    expect(await explain('a.ts', [there])).toContain(`A file of that name is: ${there}.`);
    expect(await explain('no/a.ts', [there])).toMatch(/does not exist either\. A file of that name is: /);
    expect(await explain('a.ts', [there, there, there, there])).not.toContain('of that name');
    expect(await explain('a.secret', [workspace.path('x/a.secret')])).not.toContain('of that name');
  });
});
