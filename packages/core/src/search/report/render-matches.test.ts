import { describe, expect, it } from 'vitest';
import { renderFile, renderFileWithin, withContext, type PagedFile } from './render-matches.js';
import { toShownLine, type ShownLine } from './shown-line.js';

/** `10:` is a line that matches, `11-` one that does not. */
function linesOf(...marks: string[]): ShownLine[] {
  return marks.map((mark) => {
    const line = Number(mark.slice(0, -1));
    return { line, ...(mark.endsWith(':') && { column: 1 }), text: `text ${line}`, cutBefore: 0, cutAfter: 0 };
  });
}

const marksOf = (lines: readonly ShownLine[]): string[] =>
  lines.map(({ line, column }) => `${line}${column === undefined ? '-' : ':'}`);

function fileOf(lines: readonly ShownLine[], changes: Partial<PagedFile> = {}): PagedFile {
  const matches = lines.filter(({ column }) => column !== undefined).length;
  return { path: '/w/a.ts', total: matches, first: 0, matches, lines, ...changes };
}

describe('a file of an answer', () => {
  it('has matching lines and lines around them, with a mark for what is between', () => {
    const lines = linesOf('4-', '5:', '6-', '9-', '10:');
    expect(renderFile(fileOf(lines), true).text).toBe(
      '/w/a.ts\n4- text 4\n5: text 5\n6- text 6\n--\n9- text 9\n10: text 10',
    );
    expect(renderFile(fileOf(linesOf('5:', '10:')), false).text).toBe('/w/a.ts\n5: text 5\n10: text 10');
  });

  it('says which of its matches it shows, unless all', () => {
    const lines = linesOf('5:', '10:');
    expect(renderFile(fileOf(lines, { total: 1_200, first: 20 }), false).text).toContain(
      '\n[matches 21-22 of 1,200 in this file]',
    );
    expect(renderFile(fileOf(linesOf('5:'), { total: 2 }), false).text).toContain('\n[match 1 of 2 in this file]');
    expect(renderFile(fileOf([], { total: 2 }), false).text).toContain('[changed while it was searched');
    const failed = { ...fileOf([], { total: 2 }), failure: 'permission denied' };
    expect(renderFile(failed, false).text).toContain('\n[its lines could not be read: permission denied]');
  });

  it('is cut after whole lines, and keeps its first', () => {
    const file = fileOf(linesOf('1:', '2:', '3:'));
    expect(renderFileWithin(file, 0, false).text).toBe('/w/a.ts\n1: text 1\n[match 1 of 3 in this file]');
    expect(renderFileWithin(file, 20, false).text).toBe(
      '/w/a.ts\n1: text 1\n2: text 2\n[matches 1-2 of 3 in this file]',
    );
    expect(renderFileWithin(file, 1_000, false).text).toBe('/w/a.ts\n1: text 1\n2: text 2\n3: text 3');
    expect(renderFileWithin(file, 0, true).text).toContain('[first lines of matches 1-3 of 3 in this file]');
  });

  it('tells of a cut line where its match stands', () => {
    const text = `${'a'.repeat(4_000)}x${'b'.repeat(999)}`;
    const match = toShownLine({ line: 7, column: 4_001, text, start: 0, length: text.length });
    expect(renderFile(fileOf([match]), false).text).toMatch(
      /^\/w\/a\.ts\n7: …a+xb+… \[long line cut; match at column 4,001 of 5,000\]$/,
    );
    const around = toShownLine({ line: 8, text, start: 0, length: text.length });
    expect(renderFile(fileOf([match, around]), true).text).toMatch(/\n8- a+… \[long line cut; 5,000 characters\]$/);
  });

  it('is named in one line, whatever its name is', () => {
    const name = (path: string): string => renderFile(fileOf([], { path }), false).text.split('\n')[0] ?? '';
    expect(name('/w/x:12:y')).toBe('"/w/x:12:y"');
    expect(name('/w/a\nb')).toBe('"/w/a\\nb"');
    expect(name('/w/a\udcff')).toBe('"/w/a\\udcff"');
    expect(name('/w/a:b c')).toBe('/w/a:b c');
  });
});

describe('lines', () => {
  it('are given up from the outside of the context', () => {
    const lines = linesOf('1-', '2-', '3:', '4-', '5-', '6-', '7:', '8-');
    expect(marksOf(withContext(lines, { before: 1, after: 0 }))).toEqual(['2-', '3:', '6-', '7:']);
    expect(marksOf(withContext(lines, { before: 0, after: 2 }))).toEqual(['3:', '4-', '5-', '7:', '8-']);
    expect(marksOf(withContext(lines, { before: 0, after: 0 }))).toEqual(['3:', '7:']);
  });
});
