import { mkdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { contextPlaces, placesDownTo } from './context-places.js';

let tree: TempWorkspace;
afterEach(async () => tree.remove());

describe('the folders in which context files are looked for', () => {
  it('go from the user to the top of the repository down to the root', async () => {
    tree = await createTempWorkspace({ 'home/.tenon/': '', 'repo/.git/': '', 'repo/packages/core/': '' });
    const places = contextPlaces({
      roots: [tree.path('repo/packages/core')],
      home: tree.path('home/.tenon'),
      userHome: tree.path('home'),
    });
    expect(places.map(({ folder, role }) => [role, folder])).toEqual([
      ['global', tree.path('home/.tenon')],
      ['ancestor', tree.path('repo')],
      ['ancestor', tree.path('repo/packages')],
      ['root', tree.path('repo/packages/core')],
    ]);
    expect(places[2]?.boundary).toBe(tree.path('repo'));
  });

  it('end at the home of the user without a repository, and at the root outside of both', async () => {
    tree = await createTempWorkspace({ 'home/work/project/': '', 'elsewhere/project/': '' });
    const below = contextPlaces({
      roots: [tree.path('home/work/project')],
      home: undefined,
      userHome: tree.path('home'),
    });
    expect(below.map(({ folder }) => folder)).toEqual(
      ['home', 'home/work', 'home/work/project'].map((path) => tree.path(path)),
    );
    expect(below[1]?.boundary).toBe(tree.path('home/work'));
    const outside = contextPlaces({
      roots: [tree.path('elsewhere/project')],
      home: undefined,
      userHome: tree.path('home'),
    });
    expect(outside.map(({ folder }) => folder)).toEqual([tree.path('elsewhere/project')]);
  });

  it('have each folder once where roots lie in each other', async () => {
    tree = await createTempWorkspace({ '.git/': '', 'a/b/': '' });
    const places = contextPlaces({ roots: [tree.path('a/b'), tree.root], home: undefined, userHome: undefined });
    expect(places.map(({ folder, role }) => [role, folder])).toEqual([
      ['ancestor', tree.path('a')],
      ['root', tree.path('a/b')],
      ['root', tree.root],
    ]);
  });

  it('below a root are those on the way to a file, but where others\u2019 code lies', async () => {
    tree = await createTempWorkspace();
    mkdirSync(tree.path('src'));
    expect(placesDownTo('/r/a/b/c.ts', ['/r']).map(({ folder }) => folder)).toEqual(['/r/a', '/r/a/b']);
    expect(placesDownTo('/r/c.ts', ['/r'])).toEqual([]);
    expect(placesDownTo('/elsewhere/c.ts', ['/r'])).toEqual([]);
    expect(placesDownTo('/r/node_modules/x/c.ts', ['/r'])).toEqual([]);
    expect(placesDownTo('/r/a/b/c.ts', ['/r', '/r/a']).map(({ folder }) => folder)).toEqual(['/r/a/b']);
  });
});
