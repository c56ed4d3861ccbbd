import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../policy/rule.js';
import { readRulesOf } from '../policy/withheld-below.js';
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
  it('is made a few times, by threads, and what is in the files is learned', async () => {
    await rehearseSearches(temp.config, FILES, NEVER);
    // Seven searches and one for names, one in all files, and four when these are known, the last one for names.
    expect(walks).toBe(13);
    expect([index.threads.state, index.content.isLearning, index.tree.walks]).toEqual(['warm', false, 0]);
    // With `.gitignore`; what it hides is not learned.
    expect([index.content.files, index.content.searches, index.content.isAsked]).toEqual([FILES + 1, 0, false]);
  });

  it('learns nothing of what the rules keep from searches', async () => {
    await temp.remove();
    const rules: readonly Rule[] = [{ list: 'deny', text: 'Read(d2/**)', origin: 'user settings' }];
    const readRules = readRulesOf(() => ({ rules, roots: [temp.workspace.root], home: '/home/ann' }));
    temp = await createTempConfig({ entries: { ...files, '.qwenignore': 'd1\n' }, readRules });
    index = await temp.config.getSearchIndex();
    index.threads.warm();
    await rehearseSearches(temp.config, FILES, NEVER);
    expect(index.content.files).toBe(1 + (FILES / 4) * 2);
  });

  it('goes no further when somebody searches while it waits for what is learned', async () => {
    const learn = index.threads.learn.bind(index.threads);
    index.threads.learn = async (paths) => {
      index.content.hurry();
      return learn(paths);
    };
    await rehearseSearches(temp.config, FILES, NEVER);
    expect([walks, index.content.files]).toEqual([9, 0]);
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
  const folder = (name: string): WalkedFolder => ({ folder: name, names: ['a'], links: [], isWhole: true });
  const options = { folder: { path: '/x', workingDirectory: '/x' }, roots: [], signal: NEVER };
  const walk: TreeIndex['walk'] = async function* () {
    yield ['a', 'b', 'c', 'd'].map(folder);
    yield ['e', 'f', 'g', 'h'].map(folder);
  };
  const chosen = async (how: object = {}): Promise<string[]> => {
    const found: string[] = [];
    for await (const each of someFolders({ walk }, { ...options, ...how }, 3))
      found.push(...each.map((one) => one.folder));
    return found;
  };

  it('one folder of so many is searched, here and there, and nothing that is ignored', async () => {
    expect(await chosen()).toEqual(['a', 'd', 'g']);
    expect(await chosen({ respectGitIgnore: false })).toEqual([]);
  });
});
