import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { digestOf, judgeEntry, openFolderTrust, type TrustEntry } from './folder-trust.js';
import { canonicalFolder, TrustStore } from './trust-store.js';

let home: TempWorkspace;
let store: TrustStore;
let file: string;
const ROOT = '/work/a';

beforeEach(async () => {
  home = await createTempWorkspace();
  file = home.path('deep/trust.json');
  store = new TrustStore(home.path('deep'));
});
afterEach(async () => home.remove());

const entry = (id: string, ...lines: string[]): TrustEntry => ({ id, digest: digestOf(lines.join('\n')), lines });
const states = (entries: readonly TrustEntry[], root = ROOT): readonly string[] =>
  openFolderTrust(store, root, entries).entries.map(({ state }) => state);

describe('trust of a folder', () => {
  it('is for what was shown, and for nothing else', async () => {
    const [a, b] = [entry('a', 'x'), entry('b', 'y')];
    expect(states([a, b])).toEqual(['new', 'new']);
    await openFolderTrust(store, ROOT, [a, b]).accept();
    expect(states([a, b])).toEqual(['trusted', 'trusted']);
    expect(states([a, entry('b', 'z'), entry('c', 'y')])).toEqual(['trusted', 'changed', 'new']);
    expect(openFolderTrust(store, ROOT, [entry('b', 'z')])).toMatchObject({
      decision: 'trusted',
      isOpen: true,
      entries: [{ lines: ['z'], before: ['y'] }],
    });
  });

  it('is for that very folder: not for those above, below or beside it', async () => {
    await openFolderTrust(store, ROOT, [entry('a', 'x')]).accept();
    for (const other of ['/work', '/work/a/b', '/work/A', '/work/a/', '/'])
      expect(states([entry('a', 'x')], other)).toEqual(['new']);
  });

  it('ends when it is revoked, also for another process that has the file open', async () => {
    const other = new TrustStore(home.path('deep'));
    await openFolderTrust(store, ROOT, [entry('a', 'x')]).accept();
    expect(other.of(ROOT)?.decision).toBe('trusted');
    await openFolderTrust(store, ROOT, []).revoke();
    expect([store.of(ROOT), other.of(ROOT)]).toEqual([undefined, undefined]);
  });

  it('remembers a no until something changes; what was trusted before stays so', async () => {
    await openFolderTrust(store, ROOT, [entry('a', 'x')]).refuse();
    expect(openFolderTrust(store, ROOT, [entry('a', 'x')])).toMatchObject({ decision: 'refused', isOpen: false });
    expect(states([entry('a', 'y')])).toEqual(['changed']);
    await openFolderTrust(store, ROOT, [entry('a', 'x')]).accept();
    await openFolderTrust(store, ROOT, [entry('a', 'x'), entry('b', 'y')]).refuse();
    expect(states([entry('a', 'x'), entry('b', 'y')])).toEqual(['trusted', 'refused']);
    expect(states([entry('b', 'z')])).toEqual(['changed']);
    expect(store.of(ROOT)?.decision).toBe('trusted');
  });

  it('asks again for what went away and came back', async () => {
    await openFolderTrust(store, ROOT, [entry('a', 'x'), entry('b', 'y')]).accept();
    await openFolderTrust(store, ROOT, [entry('a', 'x')]).accept();
    expect(states([entry('a', 'x'), entry('b', 'y')])).toEqual(['trusted', 'new']);
  });

  it('never takes a content for trusted that was not the last one accepted', async () => {
    const step = fc.record({
      does: fc.constantFrom('accept', 'refuse', 'revoke'),
      content: fc.integer({ min: 0, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.integer({ min: 0, max: 2 }), async (steps, now) => {
        await rm(file, { force: true });
        let accepted: number | undefined;
        for (const { does, content } of steps) {
          const trust = openFolderTrust(store, ROOT, [entry('a', String(content))]);
          if (does === 'accept') await trust.accept();
          else if (does === 'refuse') await trust.refuse();
          else await trust.revoke();
          if (does === 'accept') accepted = content;
          else if (does === 'revoke' || content !== accepted) accepted = undefined;
        }
        const isTrusted = judgeEntry(store.of(ROOT), entry('a', String(now))).state === 'trusted';
        expect(isTrusted).toBe(accepted === now);
      }),
      { numRuns: 60 },
    );
  });
});

describe('TrustStore', () => {
  it('keeps its file for its owner alone, and makes the folder', async () => {
    await openFolderTrust(store, ROOT, [entry('a', 'x')]).accept();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(home.path('deep'))).mode & 0o777).toBe(0o700);
    expect(await readdir(home.path('deep'))).toEqual(['trust.json']);
    expect(new TrustStore(home.path('deep')).of(ROOT)).toEqual(store.of(ROOT));
    expect(store.problem()).toBeUndefined();
  });

  it('keeps what others save at the same time', async () => {
    const roots = Array.from({ length: 12 }, (_, index) => `/work/${index}`);
    await Promise.all(roots.map(async (root) => openFolderTrust(new TrustStore(home.path('deep')), root, []).accept()));
    expect([...store.list().keys()].sort()).toEqual(roots.sort());
  });

  it.each([
    ['nothing', '', 'not JSON'],
    ['half of it', '{"version":1,"folders":{"/work/a":{"decision":"tru', 'not JSON'],
    ['another version', '{"version":2,"folders":{}}', 'another version'],
    ['a list', '[]', 'no "version" and "folders"'],
    [
      'another decision',
      '{"version":1,"folders":{"/work/a":{"decision":"yes","time":"","entries":{}}}}',
      'is no decision',
    ],
    ['no entries', '{"version":1,"folders":{"/work/a":{"decision":"trusted","time":""}}}', 'is no decision'],
    [
      'an entry of another shape beside a good one',
      '{"version":1,"folders":{"/work/a":{"decision":"trusted","time":"","entries":{"a":{"digest":"x","accepted":1,"lines":[]}}},"/b":{"decision":"trusted","time":"","entries":{}}}}',
      'is no decision',
    ],
  ])('trusts nothing when the file holds %s, says so, and keeps it aside when it writes', async (_, text, problem) => {
    await mkdir(home.path('deep'));
    await writeFile(file, text, { mode: 0o600 });
    expect([store.list().size, store.problem()]).toEqual([0, expect.stringContaining(problem)]);
    expect(await readFile(file, 'utf8')).toBe(text);
    await openFolderTrust(store, ROOT, []).accept();
    expect([store.of(ROOT)?.decision, store.problem()]).toEqual(['trusted', undefined]);
    const aside = (await readdir(home.path('deep'))).find((name) => name.includes('.damaged-')) ?? 'none';
    expect(await readFile(home.path(`deep/${aside}`), 'utf8')).toBe(text);
  });

  it.skipIf(process.platform === 'win32')(
    'trusts nothing when others may write the file, or it is a link',
    async () => {
      await openFolderTrust(store, ROOT, []).accept();
      await chmod(file, 0o622);
      expect([store.of(ROOT), store.problem()]).toEqual([undefined, expect.stringContaining('other users may change')]);
      await chmod(file, 0o600);
      expect(store.of(ROOT)?.decision).toBe('trusted');
      const moved = home.path('moved.json');
      await writeFile(moved, await readFile(file), { mode: 0o600 });
      await rm(file);
      await symlink(moved, file);
      expect([store.of(ROOT), store.problem()]).toEqual([undefined, expect.stringContaining('symbolic link')]);
      await openFolderTrust(store, ROOT, []).accept();
      expect((await stat(moved)).size).toBeGreaterThan(0);
    },
  );

  it('takes over the lock of a process that is gone, and what it was writing', async () => {
    await mkdir(home.path('deep'));
    await writeFile(`${file}.lock`, '4194301 x');
    await writeFile(home.path('deep/.trust.json.half.tmp'), '{');
    await openFolderTrust(store, ROOT, []).accept();
    await writeFile(`${file}.lock`, '');
    const past = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, past, past);
    await openFolderTrust(store, '/b', []).accept();
    expect([store.list().size, await readdir(home.path('deep'))]).toEqual([2, ['trust.json']]);
  });

  it('says when nothing can be saved', async () => {
    await writeFile(home.path('deep'), 'a file');
    await expect(openFolderTrust(store, ROOT, []).accept()).rejects.toMatchObject({ code: 'trust_not_saved' });
    expect(store.of(ROOT)).toBeUndefined();
  });

  it('names a folder by its real place', async () => {
    await mkdir(home.path('real'));
    await symlink(home.path('real'), home.path('link'));
    expect(canonicalFolder(join(home.root, 'link'))).toBe(home.path('real'));
  });
});
