import { describe, expect, it } from 'vitest';
import { pathOf, uriOf, wordColumns } from './places.js';
import { callTiesOf, enclosing, foundSymbolsOf, hoverText, placesOf, symbolsOf } from './shapes.js';

const range = (line: number, end = line) => ({ start: { line, character: 0 }, end: { line: end, character: 9 } });

describe('answers of servers', () => {
  it('that are places have one form, each place once', () => {
    const uri = uriOf('/p/a.ts');
    const link = { targetUri: uri, targetRange: range(1, 5), targetSelectionRange: range(2) };
    expect(placesOf([{ uri, range: range(2) }, link, { uri: 'zip:x', range: range(1) }, null, 'x'])).toEqual([
      { path: '/p/a.ts', range: range(2) },
    ]);
    expect(placesOf({ uri, range: range(3) })).toHaveLength(1);
    expect(placesOf(null)).toEqual([]);
  });

  it('that are symbols are sorted and nested, flat or not', () => {
    const tree = symbolsOf([
      { name: 'b', kind: 12, range: range(5, 8), selectionRange: range(5) },
      {
        name: 'a',
        kind: 5,
        range: range(1, 4),
        selectionRange: range(1),
        children: [{ name: 'm()', kind: 6, range: range(2, 3), selectionRange: range(2) }],
      },
    ]);
    expect(tree.map(({ name }) => name)).toEqual(['a', 'b']);
    const flat = symbolsOf([
      { name: 'm()', kind: 6, location: { uri: 'file:///p/a', range: range(2, 3) } },
      { name: 'a', kind: 5, location: { uri: 'file:///p/a', range: range(1, 4) } },
    ]);
    expect(flat).toMatchObject([{ name: 'a', children: [{ name: 'm()' }] }]);
    expect(enclosing(tree, { line: 3, character: 1 })).toEqual(['a', 'm']);
    expect(enclosing(tree, { line: 2, character: 0 })).toEqual(['a']);
    expect(enclosing(tree, { line: 20, character: 0 })).toEqual([]);
  });

  it('that are hovers are text in all four forms', () => {
    expect(hoverText({ contents: 'a' })).toBe('a');
    expect(hoverText({ contents: { kind: 'markdown', value: 'b' } })).toBe('b');
    expect(hoverText({ contents: ['', { language: 'ts', value: 'c' }] })).toBe('```ts\nc\n```');
    expect(hoverText({ contents: [''] })).toBe('');
    expect(hoverText(null)).toBe('');
  });

  it('that say a call several times say it once', () => {
    const from = { name: 'f', kind: 12, uri: uriOf('/p/a.ts'), range: range(1), selectionRange: range(1) };
    const ties = callTiesOf([
      { from, fromRanges: [range(2), range(2)] },
      { from, fromRanges: [range(3)] },
    ]);
    expect(ties).toHaveLength(1);
    expect(ties[0]?.calls).toHaveLength(2);
  });

  it('that are symbols without a range begin where their file does', () => {
    const found = foundSymbolsOf([{ name: 'x', kind: 1, location: { uri: uriOf('/p/a.ts') } }]);
    expect(found[0]?.range.start).toEqual({ line: 0, character: 0 });
  });

  it('name files with spaces, other letters and escapes', () => {
    expect(pathOf(uriOf('/p/a b/ü#%.ts'))).toBe('/p/a b/ü#%.ts');
    expect(pathOf('file:///p/%40scope/x.ts')).toBe('/p/@scope/x.ts');
    expect(pathOf('file:///p/%zz')).toBeUndefined();
  });

  it('point at whole words', () => {
    expect(wordColumns('square(squared, square)', 'square')).toEqual([0, 16]);
    expect(wordColumns('$a + a', 'a')).toEqual([5]);
    expect(wordColumns('x', '')).toEqual([]);
  });
});
