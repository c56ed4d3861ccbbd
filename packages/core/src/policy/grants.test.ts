import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.js';
import { Grants } from './grants.js';

describe('Grants', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grants-'));
    file = join(folder, 'project', 'grants.json');
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  const texts = (grants: Grants): string[] => grants.rules().map((rule) => rule.text);

  it('keeps what was granted for the session in memory only (S53)', async () => {
    const grants = new Grants(file);
    grants.addSession(['Bash(npm test)', 'Bash(npm test)']);
    expect(grants.rules()).toEqual([{ list: 'allow', text: 'Bash(npm test)', origin: 'this session' }]);
    expect(grants.forSession()).toEqual(grants.rules());
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  it('takes back what was granted for the session, at once', () => {
    const grants = new Grants(file);
    grants.addSession(['Bash(npm test)', 'Bash(make)']);
    grants.revokeSession(['Bash(npm test)', 'Bash(nothing)']);
    expect(texts(grants)).toEqual(['Bash(make)']);
    expect(grants.list().map(({ rule }) => rule)).toEqual(['Bash(make)']);
  });

  it('forgets what was granted for a session when another begins, and not what holds for the project', async () => {
    const grants = new Grants(file);
    grants.addSession(['Bash(make)']);
    await grants.addProject(['Bash(ls)']);
    grants.endSession();
    expect(texts(grants)).toEqual(['Bash(ls)']);
    expect(grants.list().map(({ scope }) => scope)).toEqual(['project']);
  });

  it('saves what was granted for the project, for its owner only (S53)', async () => {
    const grants = new Grants(file);
    await grants.addProject(['Edit(src/**)']);
    expect(grants.rules()).toEqual([{ list: 'allow', text: 'Edit(src/**)', origin: 'this project' }]);
    const later = new Grants(file);
    expect(await later.load()).toEqual([]);
    expect(texts(later)).toEqual(['Edit(src/**)']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'project'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, 'project'))).toEqual(['grants.json']);
  });

  it('grants nothing and says nothing before anything was saved', async () => {
    const grants = new Grants(file);
    expect(await grants.load()).toEqual([]);
    expect(grants.rules()).toEqual([]);
  });

  it('keeps what others save at the same time', async () => {
    const writers = Array.from({ length: 12 }, () => new Grants(file));
    await Promise.all(writers.map(async (grants, index) => grants.addProject([`Bash(npm run ${index})`])));
    const grants = new Grants(file);
    await grants.load();
    expect(texts(grants)).toHaveLength(12);
    expect(await readdir(join(folder, 'project'))).toEqual(['grants.json']);
  });

  it('takes over the lock of a process that crashed', async () => {
    await mkdir(join(folder, 'project'));
    await writeFile(`${file}.lock`, '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, longAgo, longAgo);
    const grants = new Grants(file);
    await grants.addProject(['Bash(make)']);
    expect(texts(grants)).toEqual(['Bash(make)']);
  });

  it.each([
    ['no JSON', '{"version":1,"allow":["Bash(', 'not JSON'],
    ['another version', '{"version":2,"allow":["Bash"]}', 'another version'],
    ['another shape', '["Bash"]', 'no "version" and "allow"'],
    ['a list of other things', '{"version":1,"allow":[["Bash"]]}', 'not a list of texts'],
    ['nothing', '', 'not JSON'],
  ])('takes a file with %s for no grants, reports it, and keeps it aside when saving', async (_, content, problem) => {
    await mkdir(join(folder, 'project'));
    await writeFile(file, content, { mode: 0o600 });
    const grants = new Grants(file);
    expect(await grants.load()).toEqual([expect.stringContaining(problem)]);
    expect(grants.rules()).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe(content);
    await grants.addProject(['Bash(make)']);
    expect(texts(grants)).toEqual(['Bash(make)']);
    const aside = (await readdir(join(folder, 'project'))).find((name) => name.includes('.damaged-')) ?? 'none';
    expect(await readFile(join(folder, 'project', aside), 'utf8')).toBe(content);
  });

  it.skipIf(process.platform === 'win32')('does not trust a file that others may write, or a link', async () => {
    await mkdir(join(folder, 'project'));
    await writeFile(file, '{"version":1,"allow":["Bash"]}');
    await chmod(file, 0o666);
    const grants = new Grants(file);
    expect(await grants.load()).toEqual([expect.stringContaining('other users may change')]);
    expect(grants.rules()).toEqual([]);
    const linked = join(folder, 'linked.json');
    await chmod(file, 0o600);
    await symlink(file, linked);
    expect(await new Grants(linked).load()).toEqual([expect.stringContaining('symbolic link')]);
  });

  it('reports a saved rule that cannot be read, and uses the others', async () => {
    await mkdir(join(folder, 'project'));
    await writeFile(file, '{"version":1,"allow":["Bash(make)","Bash("]}', { mode: 0o600 });
    const grants = new Grants(file);
    expect(await grants.load()).toEqual([expect.stringContaining('"Bash("')]);
    expect(texts(grants)).toEqual(['Bash(make)']);
  });

  it('saves no rule that could not be read back', async () => {
    const grants = new Grants(file);
    await expect(grants.addProject(['Bash(a\nb)'])).rejects.toThrow('cannot be saved');
    expect(() => grants.addSession(['Bash('])).toThrow('cannot be saved');
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  it('says so when saving fails', async () => {
    await writeFile(join(folder, 'project'), 'a file where the folder should be');
    await expect(new Grants(file).addProject(['Bash(make)'])).rejects.toMatchObject({ code: 'grants_not_saved' });
  });

  it('remembers when and for what each was given, and reads files that do not say', async () => {
    const before = new Date().toISOString();
    const grants = new Grants(file);
    await grants.addProject(['Bash(make)'], 'make');
    grants.addSession(['Edit(src/**)']);
    const [saved, here] = grants.list();
    expect(saved).toMatchObject({ rule: 'Bash(make)', scope: 'project', call: 'make' });
    expect(here).toEqual({ rule: 'Edit(src/**)', scope: 'session', time: expect.any(String) });
    for (const grant of [saved, here]) expect(String(grant?.time) >= before).toBe(true);
    const again = new Grants(file);
    await again.load();
    expect(again.list()).toEqual([saved]);
    await writeFile(file, '{"version":1,"allow":["Bash(ls)"],"given":[3,{"rule":"Bash(ls)"},{"rule":"x","time":"y"}]}');
    await again.load();
    expect(again.list()).toEqual([{ rule: 'Bash(ls)', scope: 'project' }]);
  });

  describe('with an end', () => {
    const DAY = 24 * 60 * 60 * 1000;
    const start = Date.UTC(2024, 0, 1);
    const endsIn = (days: number): string => new Date(start + days * DAY).toISOString();
    let clock: FakeClock;
    const open = async (days?: number): Promise<Grants> => {
      const grants = new Grants(file, { days, now: clock.now });
      expect(await grants.load()).toEqual([]);
      return grants;
    };
    beforeEach(() => {
      clock = createFakeClock(start);
    });

    it('hold until then, also in a session that goes on, and are listed with it', async () => {
      const grants = await open(2);
      await grants.addProject(['Bash(make)'], 'make');
      grants.addSession(['Bash(ls)']);
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ given: [{ expires: endsIn(2) }] });
      await clock.advance(2 * DAY - 1);
      expect(texts(grants)).toEqual(['Bash(make)', 'Bash(ls)']);
      expect(grants.list()[0]).toEqual({
        rule: 'Bash(make)',
        scope: 'project',
        time: endsIn(0),
        call: 'make',
        expires: endsIn(2),
      });
      await clock.advance(1);
      expect(texts(grants)).toEqual(['Bash(ls)']);
      expect(texts(await open())).toEqual([]);
      expect(grants.list()[0]).toMatchObject({ rule: 'Bash(make)', isOver: true });
    });

    it('are dropped when the next one is saved, and hold anew when they are granted anew', async () => {
      const grants = await open(2);
      await grants.addProject(['Bash(make)', 'Bash(ls)']);
      await clock.advance(3 * DAY);
      await grants.addProject(['Bash(ls)']);
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
        version: 1,
        allow: ['Bash(ls)'],
        given: [{ rule: 'Bash(ls)', time: endsIn(3), expires: endsIn(5) }],
      });
      expect(texts(grants)).toEqual(['Bash(ls)']);
    });

    it('end no later than is usual now, whatever was usual when they were saved', async () => {
      await (await open()).addProject(['Bash(make)']);
      await (await open(30)).addProject(['Bash(ls)']);
      await clock.advance(5 * DAY);
      expect(texts(await open(10))).toEqual(['Bash(make)', 'Bash(ls)']);
      expect(texts(await open(5))).toEqual([]);
      await clock.advance(25 * DAY);
      expect(texts(await open(300))).toEqual(['Bash(make)']);
      expect(texts(await open())).toEqual(['Bash(make)']);
    });

    it('are over when their end or their beginning cannot be told', async () => {
      await mkdir(join(folder, 'project'));
      const given = [
        { rule: 'Bash(ls)', expires: 'soon' },
        { rule: 'Bash(make)', expires: 7 },
      ];
      const stored = { version: 1, allow: ['Bash(ls)', 'Bash(make)', 'Bash(pwd)'], given };
      await writeFile(file, JSON.stringify(stored), { mode: 0o600 });
      expect(texts(await open())).toEqual(['Bash(pwd)']);
      expect(texts(await open(1))).toEqual([]);
      expect((await open(1)).list().map(({ isOver }) => isOver)).toEqual([true, true, true]);
    });

    it('never end at a moment that no clock can show', async () => {
      const grants = await open(Number.MAX_SAFE_INTEGER);
      await grants.addProject(['Bash(make)']);
      expect(grants.list()[0]?.expires).toBe('+275760-09-13T00:00:00.000Z');
      expect(texts(grants)).toEqual(['Bash(make)']);
    });
  });

  it('takes rules back, at once and for sessions to come', async () => {
    const grants = new Grants(file);
    await grants.addProject(['Bash(make)', 'Bash(ls)']);
    await grants.revokeProject(['Bash(make)', 'Bash(never granted)']);
    expect(texts(grants)).toEqual(['Bash(ls)']);
    const again = new Grants(file);
    await again.load();
    expect(texts(again)).toEqual(['Bash(ls)']);
  });
});
