import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { Failure } from '../util/failure.js';
import { fileName, planPlace, savePlan, type PlanPlace } from './save-plan.js';

const temp = await createTempWorkspace();
const { root } = temp;
afterAll(async () => temp.remove());
const made: string[] = [];
const save = (text: string, place: PlanPlace) =>
  savePlan(text, {
    place,
    now,
    makeFile: async (file, content) => {
      if (made.includes(file)) throw new Failure('file_changed', 'there is one');
      made.push(file);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    },
  });
const now = new Date('2026-03-04T05:06:07.890Z');
const places = { standard: '/home/me/.tenon/p/plans', root: '/work/app', home: '/home/me' };

describe('where plans are kept', () => {
  it.each([
    [undefined, { folder: '/home/me/.tenon/p/plans' }],
    [' ', { folder: '/home/me/.tenon/p/plans' }],
    ['~/plans', { folder: '/home/me/plans' }],
    ['/srv/plans', { folder: '/srv/plans' }],
    ['docs/plans', { folder: '/work/app/docs/plans', within: '/work/app' }],
    ['../plans', { folder: '/work/plans', within: '/work/app' }],
  ])('is what the setting %j says', (setting, place) => {
    expect(planPlace(setting, places)).toEqual(place);
  });
});

describe('a saved plan', () => {
  it('is named by its time and its first words', () => {
    expect(fileName('\n# Über the *Fix*: `a.ts`!\nmore', now)).toBe('2026-03-04-050607-u-ber-the-fix-a-ts');
    expect(fileName('修正', now)).toBe('2026-03-04-050607-plan');
    expect(fileName('../../etc/passwd', now)).toBe('2026-03-04-050607-etc-passwd');
    expect(fileName('word '.repeat(50), now).length).toBeLessThan(70);
  });

  it('never takes the place of another', async () => {
    const place = { folder: join(root, 'new', 'plans') };
    const saved = [await save('a', place), await save('a', place)];
    expect(saved).toEqual([
      { file: join(root, 'new/plans/2026-03-04-050607-a.md') },
      { file: join(root, 'new/plans/2026-03-04-050607-a-2.md') },
    ]);
    expect(await readFile(join(root, 'new/plans/2026-03-04-050607-a.md'), 'utf8')).toBe('a\n');
  });

  it('stays within the project where the setting says a folder of it, wherever links lead', async () => {
    await temp.write({ 'project/x': '', 'outside/x': '' });
    const within = join(root, 'project');
    await symlink(join(root, 'outside'), join(within, 'link'));
    for (const folder of [join(within, 'link'), join(within, 'link/deeper'), join(within, '../outside')])
      expect(await save('a', { folder, within })).toEqual({
        problem: expect.stringContaining('leads out of'),
      });
    expect(made).toEqual([]);
    const place = { folder: join(within, 'docs/plans'), within };
    const files = [await save('a', place), await save('a', place)];
    expect(files).toEqual(made.map((file) => ({ file })));
    expect(made).toHaveLength(2);
  });
});
