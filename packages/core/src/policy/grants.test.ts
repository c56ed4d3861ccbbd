import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
});
