import { describe, expect, it } from 'vitest';
import { newFindHints } from '../find-files.js';
import { newWalkCounts } from '../tree/walked-folder.js';
import { globAnswer } from './glob-report.js';

describe('where nothing is found', () => {
  const text = (
    hints: Parameters<typeof globAnswer>[0]['hints'],
    gitIgnored: number,
    missing: readonly string[] = [],
  ): string =>
    globAnswer({
      patterns: ['*.js'],
      folders: ['/w'],
      total: 0,
      offset: 0,
      limit: 100,
      files: [],
      counts: { ...newWalkCounts(), files: 9, gitIgnored },
      unseen: 0,
      hints,
      missing,
      named: {},
    }).text;
  const NOTHING = 'No files found matching "*.js" in /w (9 files looked at).';
  const IGNORED = '\n(Not looked into: 2 entries ignored by .gitignore.)';

  it('says how much of what is ignored would match', () => {
    const hints = { ...newFindHints(), ignoredMatches: 2, isCutShort: true };
    expect(text(hints, 2)).toBe(
      `${NOTHING} At least 2 files would match but for .gitignore: give an ignored folder as path to search in it, or list its folder with respect_git_ignore=false.${IGNORED}`,
    );
  });

  it('says which folder is not there', () => {
    const hints = newFindHints();
    expect(text(hints, 0, ['Folder not found: /w/sub.'])).toBe(`${NOTHING} Folder not found: /w/sub.`);
  });

  it('says when not all of it was looked at', () => {
    const hints = { ...newFindHints(), isCutShort: true };
    expect(text(hints, 2)).toBe(
      `${NOTHING} Not all that is ignored by .gitignore was looked at: give an ignored folder as path to search in it, or list its folder with respect_git_ignore=false.${IGNORED}`,
    );
    expect(text({ ...hints, isCutShort: false }, 2)).toBe(NOTHING + IGNORED);
    // Then it was something else that took too long.
    expect(text(hints, 0)).toBe(NOTHING);
  });
});
