import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Findings } from './choose-rendering.js';
import { composeAnswer, contextFor } from './compose-answer.js';
import { ANSWER_BYTES } from './search-text.js';
import { pageOf } from './page-of.js';
import { summaryOf, type Answer } from './render-answer.js';
import { withContext, type PagedFile } from './render-matches.js';
import { countsOf, type FoundFile, type NotSearched } from './search-outcome.js';
import { toShownLine, type ShownLine } from './shown-line.js';

const NOTHING_LEFT_OUT: NotSearched = {
  gitIgnored: 0,
  hasGitFiles: false,
  hasGitExcludes: false,
  qwenIgnored: 0,
  links: 0,
  special: 0,
  unreadableFolders: 0,
  folderIsGitIgnored: false,
  binary: 0,
  notDecodable: 0,
  tooLarge: 0,
  filteredOut: 0,
  failed: 0,
  failures: [],
};

interface Scene {
  /** Matches per file, and how long its lines are. */
  readonly files: readonly { readonly path: string; readonly matches: number; readonly width: number }[];
  readonly mode: Findings['mode'];
  readonly offset: number;
  readonly limit: number;
  readonly context: number;
  readonly hasLines: boolean;
  readonly pattern: string;
}

/** A file in which every third line matches. */
function pagedFile(
  { path, matches: total, width }: Scene['files'][number],
  first: number,
  matches: number,
  context: number,
): PagedFile {
  const lines: ShownLine[] = [];
  for (let line = 1; line <= (first + matches) * 3 + context; line++) {
    const text = 'é'.repeat(width);
    const isMatch = line % 3 === 0 && line <= (first + matches) * 3;
    lines.push(toShownLine({ line, ...(isMatch && { column: 1 }), text, start: 0, length: width }));
  }
  const shown = withContext(lines, { before: context, after: context });
  return {
    path,
    total,
    first,
    matches,
    lines: shown.filter(({ line }) => line > first * 3 && line >= (first + 1) * 3 - context),
  };
}

function answerOf(scene: Scene): {
  text: string;
  step: string | undefined;
  rendering: ReturnType<typeof composeAnswer>['rendering'];
  answer: Answer;
  findings: Findings;
} {
  const files: FoundFile[] = scene.files.map(({ path, matches }, index) => ({ path, matches, mtimeMs: 1_000 - index }));
  const total = files.reduce((sum, { matches }) => sum + matches, 0);
  const isContent = scene.mode === 'content';
  const parts = isContent
    ? pageOf(countsOf(files), scene.offset, scene.limit)
    : files
        .slice(scene.offset, scene.offset + scene.limit)
        .map((_file, at) => ({ index: at + scene.offset, first: 0, matches: 0 }));
  const findings: Findings = {
    files,
    places: ['/w'],
    page: parts.map(({ index }) => index),
    lines:
      isContent && scene.hasLines
        ? parts.flatMap(({ index, first, matches }) => {
            const file = scene.files[index];
            return file === undefined ? [] : [pagedFile(file, first, matches, scene.context)];
          })
        : undefined,
    offset: scene.offset,
    limit: scene.limit,
    context: { before: scene.context, after: scene.context },
    multiline: false,
    readTool: 'read_file',
    mode: scene.mode,
  };
  const answer: Answer = {
    pattern: scene.pattern,
    places: ['/w'],
    globs: [],
    type: undefined,
    outcome: { files, total, stopped: undefined, engine: 'ripgrep', searchedFiles: 9, notSearched: NOTHING_LEFT_OUT },
    timeLimitMs: 30_000,
    unit: isContent ? 'match' : 'file',
    offset: scene.offset,
    pageSize: isContent ? parts.reduce((sum, { matches }) => sum + matches, 0) : parts.length,
    limit: scene.limit,
    notes: [],
  };
  const { text, rendering } = composeAnswer(answer, parts.length === 0 ? undefined : findings);
  return { text, step: rendering?.step, rendering, answer, findings };
}

const name = fc.oneof(
  fc.stringMatching(/^[a-z]{1,8}$/),
  fc.stringMatching(/^[a-z]{100,200}$/),
  fc.constantFrom('a\nb', 'x:12:y', 'é\udc80', '日本'),
);
const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((names) => `/w/${names.join('/')}`);
const scenes: fc.Arbitrary<Scene> = fc.record({
  files: fc.uniqueArray(
    fc.record({
      path,
      matches: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 300 })),
      width: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant(5_000)),
    }),
    { minLength: 1, maxLength: 120, selector: (file) => file.path, size: 'max' },
  ),
  mode: fc.constantFrom<Findings['mode'][]>('content', 'content', 'content', 'files', 'count'),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
  limit: fc.constantFrom(1, 20, 200, 400),
  context: fc.constantFrom(0, 0, 2, 10),
  hasLines: fc.constantFrom(true, true, true, false),
  pattern: fc.oneof(fc.constant('x'), fc.string(), fc.constant('"\n'.repeat(10_000))),
});

const numbers = (text: string): number => Number(text.replaceAll(',', ''));
const plainFiles = (count: number, of: Omit<Scene['files'][number], 'path'>): Scene['files'] =>
  Array.from({ length: count }, (_, index) => ({ path: `/w/src/part${index % 7}/file${index}.ts`, ...of }));
const scene = (changes: Partial<Scene>): Scene => ({
  files: [],
  mode: 'content',
  offset: 0,
  limit: 200,
  context: 0,
  hasLines: true,
  pattern: 'x',
  ...changes,
});

describe('an answer', () => {
  it('never has more bytes than are given, whatever was found', () => {
    fc.assert(
      fc.property(scenes, (each) => {
        expect(Buffer.byteLength(answerOf(each).text)).toBeLessThanOrEqual(ANSWER_BYTES);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('keeps to that with the longest places, globs and reasons too', () => {
    const { answer, findings } = answerOf(scene({ files: plainFiles(200, { matches: 3, width: 300 }) }));
    const notSearched = { ...NOTHING_LEFT_OUT, failed: 9, failures: ['a', 'b', 'c'].map((each) => each.repeat(9_000)) };
    const long: Answer = {
      ...answer,
      places: Array.from({ length: 9 }, (_, index) => `/${'日'.repeat(1_000)}/${index}`),
      globs: ['\n'.repeat(4_000), '日'.repeat(4_000)],
      outcome: { ...answer.outcome, notSearched },
    };
    const { text, rendering } = composeAnswer(long, findings);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_BYTES);
    expect(rendering?.text).not.toBe('');
    expect(text).toContain('9 files could not be searched: aaa');
    expect(text).toContain(', 6 more (files matching');
  });

  it('says of what is ignored how much of it has matches, and when it was not all looked at', () => {
    const { answer } = answerOf(scene({}));
    const said = (ignoredMatches: Answer['outcome']['ignoredMatches'], gitIgnored = 3): string => {
      const notSearched = { ...NOTHING_LEFT_OUT, gitIgnored };
      const outcome = { ...answer.outcome, notSearched, ...(ignoredMatches !== undefined && { ignoredMatches }) };
      const [first = ''] = composeAnswer({ ...answer, outcome }, undefined).text.split('\n');
      return first.replace(/^.* searched\./, '');
    };
    expect(said({ files: 1, isExact: true })).toBe(
      ' 1 file ignored by .gitignore has some: include_ignored=true shows it.',
    );
    expect(said({ files: 2, isExact: false })).toBe(
      ' At least 2 files ignored by .gitignore have some: include_ignored=true shows them.',
    );
    expect(said({ files: 0, isExact: false })).toBe(
      ' Not all that is ignored by .gitignore was looked at: include_ignored=true searches it.',
    );
    const notSearched = { ...NOTHING_LEFT_OUT, gitIgnored: 3, filteredOut: 4 };
    const ignoredMatches = { files: 1, isExact: true };
    const filtered = {
      ...answer,
      globs: ['n/**'],
      outcome: { ...answer.outcome, searchedFiles: 0, notSearched, ignoredMatches },
    };
    expect(composeAnswer(filtered, undefined).text).toContain(
      'none of the 4 files there matches the glob, so nothing was searched. 1 file ignored by .gitignore has some: include_ignored=true shows it.',
    );
    expect([said({ files: 0, isExact: true }), said({ files: 0, isExact: false }, 0), said(undefined)]).toEqual([
      '',
      '',
      '',
    ]);
  });

  it('names every file of the page, unless it says that it counts by folder', () => {
    fc.assert(
      fc.property(scenes, (each) => {
        const { text, step, findings } = answerOf(each);
        if (step === undefined || step === 'folders' || step === 'top-folders' || step === 'smaller-page') return;
        for (const index of findings.page) {
          const { path: shown } = findings.files.at(index) ?? { path: '' };
          expect(text.includes(shown) || text.includes(JSON.stringify(shown))).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('tells a next page only where this one shows all of its matches, so that pages lose none', () => {
    const seen = new Set<string | undefined>();
    fc.assert(
      fc.property(scenes, (each) => {
        const { text, step, rendering } = answerOf(each);
        const next = /Next: offset=(\d+);/.exec(text)?.[1];
        if (each.mode !== 'content' || next === undefined) return;
        seen.add(step);
        const shown = Array.from(rendering?.lines.values() ?? []).reduce((sum, { length }) => sum + length, 0);
        expect([step, shown]).toEqual([step, Number(next) - each.offset]);
      }),
      { numRuns: 300 },
    );
    expect(seen).toContain('full');
    expect(seen).toContain('smaller-page');
  }, 60_000);

  it('says that context is left out, and how to see what is left out besides', () => {
    const few = answerOf(scene({ files: plainFiles(300, { matches: 1, width: 60 }), context: 3 })).text;
    expect(few).toMatch(/\[Too long: this page ends after \d+ matches, without context\.\]/);
    const many = answerOf(scene({ files: plainFiles(20, { matches: 10, width: 400 }), context: 2 })).text;
    expect(many).toContain(
      '[Too long: only the first matches of some files, without context. A smaller limit shows all',
    );
    expect(many).not.toContain('Next: offset');
  });

  it('has counts by file and by folder that add up to the total', () => {
    fc.assert(
      fc.property(scenes, (each) => {
        const { text, step, answer } = answerOf(each);
        if (step !== 'files' && step !== 'folders' && step !== 'top-folders') return;
        const body = text.split('\n').filter((line) => !line.startsWith('Found ') && !line.startsWith('[Page'));
        const perLine =
          step === 'files' && each.mode === 'count'
            ? /^([\d,]+) ["/]|\bwith ([\d,]+) match/
            : /(?:\(|: |with )([\d,]+) match(?:es)?(?:\)|\]| in )/;
        const sum = body.reduce((all, line) => {
          const match = perLine.exec(line);
          return all + numbers(match?.[1] ?? match?.[2] ?? '0');
        }, 0);
        expect(sum).toBe(answer.outcome.total);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('shows a file with thousands of matches, or a minified one, without leaving out the others', () => {
    const min = { path: '/w/app.min.js', matches: 5_000, width: 90_000 };
    const { text, step } = answerOf(scene({ files: [min, ...plainFiles(60, { matches: 2, width: 30 })] }));
    expect(step).toBe('smaller-page');
    for (let index = 0; index < 60; index++) expect(text).toContain(`/file${index}.ts\n3: é`);
    expect(text).toMatch(/\/w\/app\.min\.js\n3: (.*\n)+\[matches 1-\d+ of 5,000 in this file\]/);
    expect(text).toMatch(/\[Page: 1-(1\d\d) of 5,120 matches\. Next: offset=\1; or narrow pattern, path or glob\.\]/);
  });

  it('gives up context first, then lines, then files, then folders, and says each', () => {
    const step = (changes: Partial<Scene>): string | undefined => answerOf(scene(changes)).step;
    expect(step({ files: plainFiles(20, { matches: 2, width: 40 }), context: 2 })).toBe('full');
    expect(step({ files: plainFiles(40, { matches: 2, width: 80 }), context: 20 })).toBe('less-context');
    expect(step({ files: plainFiles(20, { matches: 10, width: 100 }) })).toBe('smaller-page');
    expect(step({ files: plainFiles(20, { matches: 10, width: 400 }) })).toBe('first-matches');
    expect(step({ files: plainFiles(200, { matches: 1, width: 60 }) })).toBe('smaller-page');
    expect(step({ files: plainFiles(200, { matches: 1, width: 400 }) })).toBe('files');
    expect(step({ files: plainFiles(2_000, { matches: 1, width: 100 }), limit: 2_000 })).toBe('folders');
    const many = Array.from({ length: 3_000 }, (_, index) => ({ path: `/w/folder${index}/a`, matches: 1, width: 1 }));
    expect(step({ files: many, limit: 2_000, hasLines: false })).toBe('top-folders');
    expect(answerOf(scene({ files: many, limit: 2_000, hasLines: false })).text).toMatch(
      /\nother [\d,]+ folders: [\d,]+ matches in [\d,]+ files/,
    );
    expect(
      answerOf(scene({ files: plainFiles(2_000, { matches: 3, width: 1 }), limit: 6_000, hasLines: false })).text,
    ).toContain('\n/w/src/part0/*: 858 matches in 286 files\n');
  });

  it('ends a page earlier where most of its files fit with their lines, and says where the next begins', () => {
    const { text, step } = answerOf(scene({ files: plainFiles(300, { matches: 1, width: 60 }) }));
    expect(step).toBe('smaller-page');
    const [, end] = /\[Too long: this page ends after (\d+) matches\.\]/.exec(text) ?? [];
    expect(Number(end)).toBeGreaterThan(100);
    expect(text.match(/^3: /gm)?.length).toBe(Number(end));
    expect(text).toContain(`[Page: 1-${end} of 300 matches. Next: offset=${end}; `);
  });

  it.each<Findings['mode']>(['files', 'count'])('of names ends a page earlier where not all fit (%s)', (mode) => {
    const files = Array.from({ length: 300 }, (_, at) => ({
      path: `/w/${'d'.repeat(125)}${at}`,
      matches: 2,
      width: 1,
    }));
    const shown: string[] = [];
    for (let offset = 0; offset < files.length;) {
      const { text, rendering } = answerOf(scene({ files, mode, offset }));
      const names = files
        .map((file) => file.path)
        .filter((each) => new RegExp(`${each}( \\(2 matches\\))?$`, 'm').test(text));
      expect(names.length).toBeGreaterThan(90);
      shown.push(...names);
      const next = /Next: offset=(\d+);/.exec(text)?.[1];
      expect(next).toBe(shown.length < files.length ? String(offset + names.length) : undefined);
      if (rendering?.step === 'smaller-page') {
        expect(text).toContain(`[Too long: this page ends after ${names.length} files.]`);
        expect(text).toContain(`[and ${300 - names.length} other files with `);
        expect(Array.from(rendering.lines.keys())).toEqual(names);
      }
      offset += names.length;
    }
    expect(shown).toEqual(files.map((file) => file.path));
  });

  it('does not tell a page where it shows other things than the matches of one', () => {
    const { text, step } = answerOf(scene({ files: plainFiles(300, { matches: 3, width: 1 }), hasLines: false }));
    expect(step).toBe('files');
    expect(text).toMatch(/\[and \d+ other files with [\d,]+ matches\]/);
    expect(text).not.toContain('offset');
  });

  it('says when there was no time to read the lines', () => {
    const { text, step } = answerOf(scene({ files: plainFiles(2, { matches: 3, width: 1 }), hasLines: false }));
    expect(step).toBe('files');
    expect(text).toContain('no time left to read the lines');
    expect(text).toContain('/w/src/part0/file0.ts (3 matches)');
  });

  it('says that an offset is past the end, with the total', () => {
    const { text } = answerOf(scene({ files: plainFiles(2, { matches: 3, width: 1 }), offset: 10, limit: 4 }));
    expect(text).toContain('Found 6 matches in 2 files for "x" in /w.');
    expect(text).toContain('[offset=10 is past the end: there are 6 matches. The last page has offset=2.]');
    expect(text).not.toContain('No matches');
    const one = scene({ files: plainFiles(1, { matches: 1, width: 1 }), offset: 10 });
    expect(answerOf(one).text).toContain('[offset=10 is past the end: there is 1 match. ');
    expect(answerOf({ ...one, mode: 'files' }).text).toContain('[offset=10 is past the end: there is 1 file. ');
  });

  it('has no exact totals where some files were not searched to their end', () => {
    const { answer, findings } = answerOf(scene({ files: plainFiles(1, { matches: 1, width: 1 }) }));
    const notSearched = { ...NOTHING_LEFT_OUT, failed: 19, failures: ['a: match limit exceeded'] };
    const outcome = { ...answer.outcome, notSearched };
    const { text } = composeAnswer({ ...answer, outcome }, findings);
    expect(text).toMatch(/^Found at least 1 match in at least 1 file for "x"/);
    expect(text).toContain('(Searched 9 files.)');
    const past = composeAnswer({ ...answer, outcome, offset: 3, pageSize: 0 }, undefined).text;
    expect(past).toContain('there is at least 1 match. ');
    const nothing = { ...outcome, files: [], total: 0 };
    expect(composeAnswer({ ...answer, outcome: nothing }, undefined).text).toContain(
      'No matches found for "x" in /w as far as files could be searched: 9 files searched, 19 could not be.\n',
    );
    expect(summaryOf(nothing)).toBe('No matches found as far as files could be searched');
    const skipped = { ...NOTHING_LEFT_OUT, binary: 3, gitIgnored: 2, tooLarge: 1 };
    expect(summaryOf({ ...outcome, notSearched: skipped })).toBe('Found 1 match in 1 file');
  });

  it('tells the pages of files, and puts the number first where numbers are asked for', () => {
    const files = plainFiles(5, { matches: 1_200, width: 1 });
    const { text } = answerOf(scene({ files, mode: 'count', offset: 1, limit: 2 }));
    expect(text).toContain(
      '\n\n1,200 /w/src/part1/file1.ts\n1,200 /w/src/part2/file2.ts\n[and 3 other files with 3,600 matches]\n\n[Page: 2-3 of 5 files. Next: offset=3; ',
    );
    expect(answerOf(scene({ files, mode: 'files', offset: 3, limit: 2 })).text).toContain(
      '[Page: 4-5 of 5 files; these are the last.]',
    );
  });
});

describe('context by itself', () => {
  it('is given to one match, less of it to two or three, none to more', () => {
    expect([1, 2, 3, 4, 100].map((total) => contextFor(total).before)).toEqual([20, 8, 8, 0, 0]);
    expect(contextFor(1)).toEqual({ before: 20, after: 20 });
  });
});
