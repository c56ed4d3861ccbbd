import { createTempConfig, type TempConfig } from '@tenon/core/testing';
import { listWorkspaceFiles } from '@tenon/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileOffers } from './file-offers.js';

let temp: TempConfig;

beforeEach(async () => {
  temp = await createTempConfig({
    entries: { 'src/a.ts': '', 'my notes.md': '', '.gitignore': 'out\n', 'out/x.js': '' },
  });
});

afterEach(async () => temp.remove());

const { signal } = new AbortController();

it('offers files and folders as a prompt names them, once they are listed, and tells when they are', async () => {
  const offers = new FileOffers({ list: (end) => listWorkspaceFiles(temp.config, end), signal });
  let news = 0;
  offers.onNews(() => (news += 1));
  expect(await offers.find('', signal)).toEqual([]);
  expect(offers.isListing).toBe(true);
  await offers.settled();
  expect(news).toBe(1);
  expect(await offers.find('notes', signal)).toEqual([
    { insert: '@"my notes.md"', label: 'my notes.md', goesOn: false, isPath: true },
  ]);
  expect((await offers.find('src', signal))[0]).toEqual({ insert: '@src/', label: 'src/', goesOn: true, isPath: true });
  expect(await offers.find('x.js', signal)).toEqual([]);
});

it('sees new files the next time, and says nothing when there are none', async () => {
  const offers = new FileOffers({ list: (end) => listWorkspaceFiles(temp.config, end), signal, freshMs: 0 });
  let news = 0;
  offers.onNews(() => (news += 1));
  offers.prepare();
  await offers.settled();
  offers.prepare();
  await offers.settled();
  expect(news).toBe(1);
  await temp.workspace.write({ 'src/fresh.ts': '' });
  await offers.find('fresh', signal);
  await offers.settled();
  expect(news).toBe(2);
  expect((await offers.find('fresh', signal)).map(({ label }) => label)).toEqual(['src/fresh.ts']);
});

it('offers nothing, and throws nothing, where nothing can be listed', async () => {
  const offers = new FileOffers({ list: async () => Promise.reject(new Error('gone')), signal });
  expect(await offers.find('a', signal)).toEqual([]);
  await offers.settled();
  expect(offers.isListing).toBe(false);
});
