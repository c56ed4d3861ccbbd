import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ContentIndex } from '../content/content-index.js';
import { FileStatter } from '../content/file-stamps.js';
import { TreeIndex } from '../tree/tree-index.js';
import { SearchStore } from './search-store.js';
import { StoreKeeper } from './store-keeper.js';

let base: string;
let content: ContentIndex;
let tree: TreeIndex;
let keeper: StoreKeeper;

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-keeper-')));
  const root = join(base, 'work');
  mkdirSync(root);
  writeFileSync(join(root, 'a.ts'), 'a');
  await sleep(130);
  const store = new SearchStore(join(base, 'search'));
  content = new ContentIndex({ stamps: new FileStatter(), threads: { learn: async () => undefined }, source: store });
  tree = new TreeIndex({ source: store.treeSource });
  keeper = new StoreKeeper({ store, tree, content, minEntries: 1, everyMs: 1 });
  const folder = { path: root, workingDirectory: root };
  for await (const _ of tree.walk({ folder, roots: [root], signal: new AbortController().signal }));
});

afterEach(async () => {
  await keeper.close();
  content.close();
  rmSync(base, { recursive: true, force: true });
});

const isStored = (): boolean => existsSync(join(base, 'search', 'index'));

it('stores in the background what is learned, while the process goes on', async () => {
  keeper.settled();
  for (let turn = 0; turn < 100 && !isStored(); turn += 1) await sleep(20);
  expect(isStored()).toBe(true);
});

it('stores nothing in the background while a search runs', async () => {
  content.hurry();
  keeper.settled();
  await sleep(100);
  expect(isStored()).toBe(false);
  content.rest();
});

it('stores nothing again that has not changed', async () => {
  await keeper.close();
  expect(isStored()).toBe(true);
  rmSync(join(base, 'search'), { recursive: true });
  await keeper.close();
  expect(isStored()).toBe(false);
});
