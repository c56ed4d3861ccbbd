import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchIndex } from '../search/search-index.js';
import type { TreeIndex } from '../search/tree/tree-index.js';
import type { WalkedFolder } from '../search/tree/walked-folder.js';
import { createTempConfig, type TempConfig } from '../testing/temp-config.js';
import { rehearseSearches, someFolders } from './rehearse-searches.js';

const FILES = 40;
const NEVER = new AbortController().signal;
const text = 'import x from "y1";\nreturn x;\n';
const files = Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`d${at % 4}/f${at}.ts`, text]));

let temp: TempConfig;
let index: SearchIndex;
let walks: number;
/** Called at every walk. */
let onWalk: () => void;

beforeEach(async () => {
  temp = await createTempConfig({ entries: { ...files, '.gitignore': 'out\n', 'out/a.ts': text } });
  index = await temp.config.getSearchIndex();
  const walk = index.tree.walk.bind(index.tree);
  walks = 0;
  onWalk = () => undefined;
  index.tree.walk = (options) => {
    walks += 1;
    onWalk();
    return walk(options);
  };
  index.threads.warm();
});
afterEach(async () => temp.remove());

describe('a rehearsed search', () => {
  it('is made a few times, by threads, and leaves nothing to be learned', async () => {
    await rehearseSearches(temp.config, FILES, NEVER);
    // Seven searches and one for names.
    expect(walks).toBe(8);
    await index.content.settled();
    expect([index.threads.state, index.content.files, index.tree.walks]).toEqual(['warm', 0, 0]);
  });

  it('does not begin, or go on, once somebody else searches', async () => {
    index.content.hurry();
    await rehearseSearches(temp.config, FILES, NEVER);
    expect(walks).toBe(0);
    index.content.rest();
    onWalk = () => index.content.hurry();
    await rehearseSearches(temp.config, FILES, NEVER);
    // Its own search comes to its end, with a look at what is ignored.
    expect(walks).toBeLessThan(3);
  });

  it('is not made where no threads come up', async () => {
    await index.threads.close();
    await rehearseSearches(temp.config, FILES, NEVER);
    expect(walks).toBe(0);
  });

  it('ends with the signal', async () => {
    await rehearseSearches(temp.config, FILES, AbortSignal.abort());
    expect(walks).toBe(0);
    const ending = new AbortController();
    onWalk = () => ending.abort();
    await rehearseSearches(temp.config, FILES, ending.signal);
    expect(walks).toBe(1);
  });
});

describe('of a large tree', () => {
  const folder = (name: string): WalkedFolder => ({ relativePath: name, files: ['a'], links: [], isWhole: true });
  const options = { folder: { path: '/x', workingDirectory: '/x' }, roots: [], signal: NEVER };
  const walk: TreeIndex['walk'] = async function* () {
    yield ['a', 'b', 'c', 'd'].map(folder);
    yield ['e', 'f', 'g', 'h'].map(folder);
  };
  const chosen = async (how: object = {}): Promise<string[]> => {
    const found: string[] = [];
    for await (const each of someFolders({ walk }, { ...options, ...how }, 3))
      found.push(...each.map(({ relativePath }) => relativePath));
    return found;
  };

  it('one folder of so many is searched, here and there, and nothing that is ignored', async () => {
    expect(await chosen()).toEqual(['a', 'd', 'g']);
    expect(await chosen({ respectGitIgnore: false })).toEqual([]);
  });
});
