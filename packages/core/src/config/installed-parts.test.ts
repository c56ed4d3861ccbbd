import { chmod } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { createTempConfig, type TempConfig } from '../testing/temp-config.js';
import { findInstalledParts, findLanguageParts } from './installed-parts.js';

let temp: TempConfig;

afterEach(async () => temp.remove());

it('finds programs and packages, and says of each how to get it', async () => {
  temp = await createTempConfig();
  const parts = await findInstalledParts(temp.config);
  expect(parts.map(({ name }) => name)).toEqual(['git', 'ripgrep', '@lydell/node-pty', 'sharp', 'unpdf']);
  expect(parts.find(({ name }) => name === 'ripgrep')?.places[0]).toMatch(/rg/);
  for (const { without } of parts) expect(without).toMatch(/\S$/);
});

it('finds no program where there is none on the PATH', async () => {
  temp = await createTempConfig({ childEnvironment: { PATH: '/nowhere' } });
  const parts = await findInstalledParts(temp.config);
  expect(parts.find(({ name }) => name === 'git')?.places).toEqual([]);
});

it('takes a language server of the project only where the folder is trusted', async () => {
  temp = await createTempConfig({ entries: { 'node_modules/.bin/gopls': '#!/bin/sh\n' } });
  await chmod(temp.workspace.path('node_modules/.bin/gopls'), 0o755);
  const programs = async (isTrusted: boolean): Promise<readonly string[]> =>
    (await findLanguageParts(temp.config, isTrusted)).flatMap(({ servers }) => servers.map(({ program }) => program));
  const own = (program: string): boolean => program.startsWith(temp.workspace.root);
  expect((await programs(false)).some(own)).toBe(false);
  expect((await programs(true)).filter(own)).toEqual([temp.workspace.path('node_modules/.bin/gopls')]);
});

it('says how a missing server is installed', async () => {
  temp = await createTempConfig();
  for (const { servers, install } of await findLanguageParts(temp.config, true))
    if (servers.length > 0) expect(install).toBeUndefined();
    else expect(install === undefined || install.length > 0).toBe(true);
});
