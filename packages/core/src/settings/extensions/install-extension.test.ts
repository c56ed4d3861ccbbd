import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../../testing/temp-workspace.js';
import { installExtension, readExtensionFolder, uninstallExtension } from './install-extension.js';

let folder: TempWorkspace;
beforeEach(async () => {
  folder = await createTempWorkspace({
    'from/gemini-extension.json': '{"name": "kit"}',
    'from/skills/a/SKILL.md': 'x',
    'from/.git/config': 'x',
  });
});
afterEach(() => folder.remove());

const change = () => ({ tenonHome: folder.path('home'), environment: {} });

it('copies a folder whole, without links and what git keeps, and takes it out again (S142)', async () => {
  symlinkSync('/etc/passwd', folder.path('from/passwd'));
  expect(await installExtension(folder.path('from'), change())).toEqual({
    name: 'kit',
    folder: folder.path('home/extensions/kit'),
    leftOut: 1,
  });
  expect(readdirSync(folder.path('home/extensions/kit')).toSorted()).toEqual(['gemini-extension.json', 'skills']);
  expect(statSync(folder.path('home/extensions/kit/skills/a/SKILL.md')).mode & 0o777).toBe(0o600);
  expect((await readExtensionFolder(folder.path('home/extensions/kit'), folder.root)).name).toBe('kit');
  await expect(installExtension(folder.path('from'), change())).rejects.toMatchObject({
    code: 'extension_not_installed',
    message: expect.stringContaining('uninstall kit'),
  });
  await uninstallExtension('kit', change());
  expect(readdirSync(folder.path('home/extensions'))).toEqual([]);
  await expect(uninstallExtension('kit', change())).rejects.toMatchObject({ code: 'no_extension' });
});

it('removes of a link the link alone, and nothing that is no name', async () => {
  mkdirSync(folder.path('home/extensions'), { recursive: true });
  symlinkSync(folder.path('from'), folder.path('home/extensions/kit'));
  await uninstallExtension('kit', change());
  expect(readdirSync(folder.path('from'))).toContain('gemini-extension.json');
  await expect(uninstallExtension('..', change())).rejects.toMatchObject({ code: 'no_extension' });
  await expect(uninstallExtension('../../from', change())).rejects.toMatchObject({ code: 'no_extension' });
});

it('knows one by the name in its manifest, whatever its folder is called', async () => {
  mkdirSync(folder.path('home/extensions'), { recursive: true });
  symlinkSync(folder.path('from'), folder.path('home/extensions/dev-kit'));
  await expect(installExtension(folder.path('from'), change())).rejects.toMatchObject({
    message: expect.stringContaining('home/extensions/dev-kit already'),
  });
  expect(await uninstallExtension('KIT', change())).toBe(folder.path('home/extensions/dev-kit'));
  expect(readdirSync(folder.path('home/extensions'))).toEqual([]);
  expect(readdirSync(folder.path('from'))).toContain('gemini-extension.json');
});

it('leaves nothing behind of what is no extension, holds its own target, or is asked for by a command of an agent', async () => {
  const environment = { TENON: '1' };
  await expect(installExtension(folder.path('from'), { ...change(), environment })).rejects.toMatchObject({
    code: 'needs_person',
  });
  await expect(uninstallExtension('kit', { ...change(), environment })).rejects.toMatchObject({ code: 'needs_person' });
  await expect(installExtension(folder.path('from/skills'), change())).rejects.toMatchObject({ code: 'no_extension' });
  await expect(
    installExtension(folder.path('from'), { ...change(), tenonHome: folder.path('from/home') }),
  ).rejects.toMatchObject({ code: 'extension_not_installed' });
  expect(readdirSync(folder.root)).toEqual(['from']);
});
