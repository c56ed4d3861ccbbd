import { describe, expect, it } from 'vitest';
import { OutcomeCollector } from './outcome-collector.js';

/** Times by path; a file that is not among them is gone. */
function statter(times: Readonly<Record<string, number>>): Parameters<OutcomeCollector['outcome']>[0] {
  return {
    statter: {
      mtimes: async (folder, files) => Float64Array.from(files, (file) => times[`${folder}/${file}`] ?? Number.NaN),
    },
  };
}

describe('OutcomeCollector', () => {
  it('orders files by time, newest first, then by path', async () => {
    const collector = new OutcomeCollector();
    const place = collector.place('/w');
    for (const name of ['old', 'b', 'a', 'gone', 'new']) place.add(name, { matches: 2 });
    const times = { '/w/old': 1, '/w/a': 5.5, '/w/b': 5.5, '/w/new': 9 };
    const { files, total } = await collector.outcome(statter(times), undefined);
    expect(Array.from(files, ({ path, mtimeMs }) => [path, mtimeMs])).toEqual([
      ['/w/new', 9],
      ['/w/a', 5.5],
      ['/w/b', 5.5],
      ['/w/old', 1],
      ['/w/gone', 0],
    ]);
    expect(total).toBe(10);
  });

  it('gives a file to the first of two overlapping places', () => {
    const collector = new OutcomeCollector();
    const outer = collector.place('/w');
    expect(outer.claim('sub', ['a', 'b'])).toEqual(['a', 'b']);
    expect(collector.place('/w/sub').claim('', ['a', 'b', 'hidden'])).toEqual(['hidden']);
    expect(collector.place('/').claim('w/sub', ['b', 'c', 'hidden'])).toEqual(['c']);
    expect(collector.place('/w2/sub').claim('', ['a'])).toEqual(['a']);
    expect(collector.place('/w/sub').claim('', ['c'])).toEqual([]);
  });

  it('counts a file once that is told again after the engine changed', async () => {
    const told: [string, number][] = [];
    const collector = new OutcomeCollector(({ path, matches }) => void told.push([path, matches]));
    const place = collector.place('/w');
    expect(place.add('sub/a', { matches: 3 })).toBe(true);
    place.expectAgain();
    expect([place.add('sub/a', { matches: 3 }), place.add('b', { matches: 1 })]).toEqual([false, true]);
    const { total } = await collector.outcome(statter({}), undefined);
    expect(total).toBe(4);
    expect(told).toEqual([
      ['/w/sub/a', 3],
      ['/w/b', 1],
    ]);
  });

  it('adds up what was left out at all places, and keeps few failures, the same whatever their order', async () => {
    const collector = new OutcomeCollector();
    const [one, two] = [collector.place('/one'), collector.place('/two')];
    one.counts.gitIgnored = 2;
    two.counts.gitIgnored = 3;
    two.counts.hasGitFiles = true;
    two.counts.folderIsGitIgnored = true;
    one.reasons.binary = 1;
    two.reasons.filteredOut = 4;
    one.searched = 5;
    two.searched = 6;
    one.fail('a', 'no permission', 10);
    one.fail(undefined, 'a complaint');
    for (const name of ['c ', 'b']) two.fail(name, 'gone');
    const outcome = await collector.outcome(statter({}), 'time-limit');
    expect(outcome).toMatchObject({ searchedFiles: 11, stopped: 'time-limit', total: 0, engine: undefined });
    expect(outcome.notSearched).toEqual({
      gitIgnored: 5,
      hasGitFiles: true,
      hasGitExcludes: false,
      qwenIgnored: 0,
      links: 0,
      special: 0,
      unreadableFolders: 0,
      folderIsGitIgnored: true,
      binary: 1,
      notDecodable: 0,
      tooLarge: 0,
      filteredOut: 4,
      failed: 13,
      failures: ['"/two/c ": gone', '/one/a: no permission', '/two/b: gone'],
    });
  });

  it('remembers which of the found files had to be decoded', () => {
    const collector = new OutcomeCollector();
    const place = collector.place('/w');
    place.addOdd('latin', { matches: 1 });
    place.add('plain', { matches: 1 });
    expect([collector.isOdd('/w/latin'), collector.isOdd('/w/plain')]).toEqual([true, false]);
  });
});
