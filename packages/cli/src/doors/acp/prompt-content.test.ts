import { describe, expect, it } from 'vitest';
import { clientPaths } from './client-paths.js';
import { readPrompt } from './prompt-content.js';

describe('the blocks of a prompt', () => {
  it('are one text again, with what was pointed at in its place', () => {
    expect(
      readPrompt([
        { type: 'text', text: 'Compare ' },
        { type: 'resource_link', uri: 'file:///w/a%20b.ts#L1-3', name: 'a b.ts' },
        { type: 'text', text: ' with' },
        { type: 'resource_link', uri: 'https://example.org/x', name: 'x' },
        { type: 'text', text: 'and @src/c.ts.' },
      ]),
    ).toEqual({
      text: 'Compare @"/w/a b.ts#L1-3" with [x](https://example.org/x) and @src/c.ts.',
      attach: ['/w/a b.ts#L1-3', 'src/c.ts'],
      content: [],
    });
  });

  it('hold a buffer as it was sent, and not the file below it as well', () => {
    const resource = { uri: 'file:///w/a.ts', text: 'unsaved' };
    expect(readPrompt([{ type: 'resource', resource }])).toEqual({
      text: '@/w/a.ts',
      attach: [],
      content: [{ text: '--- /w/a.ts ---\nunsaved' }],
    });
  });

  it.each([
    ['#L10', '10'],
    ['#L10-20', '10-20'],
    ['#L10-L20', '10-20'],
    ['#L10:20', '10-20'],
    ['?symbol=run#L10:20', '10-20'],
    ['#L10C5-L20C3', '10-20'],
    ['#L10,5-20,3', '10-20'],
    ['#L10,5-L20,3', '10-20'],
    ['#10', '10'],
    ['#10-20', '10-20'],
    ['#10,5', '10'],
    ['#10,5-20,3', '10-20'],
    ['#L20-10', '10-20'],
    ['#L10-10', '10'],
    ['#line=9,20', '10-20'],
    ['?line=10', '10'],
    ['?lines=10-20', '10-20'],
    ['?start=10&end=20', '10-20'],
    ['?startLine=10&endLine=20', '10-20'],
    ['?start_line=10&end_line=20', '10-20'],
    ['', undefined],
    ['#heading', undefined],
    ['#L0', undefined],
    ['?line=x', undefined],
    ['?symbol=run', undefined],
  ])('tell of the lines that are selected: %s', (written, lines) => {
    const uri = `file:///w/a.ts${written}`;
    const name = lines === undefined ? '/w/a.ts' : `/w/a.ts#L${lines}`;
    expect(readPrompt([{ type: 'resource_link', uri, name: 'a.ts' }])).toEqual({
      text: `@${name}`,
      attach: [name],
      content: [],
    });
    expect(readPrompt([{ type: 'resource', resource: { uri, text: 'selected' } }])).toEqual({
      text: `@${name}`,
      attach: [],
      content: [{ text: `--- ${name} ---\nselected` }],
    });
  });

  it('are refused as bad parameters: nothing at all, sound, pictures that no model can see, data that is none', () => {
    const wrong = [
      [],
      [{ type: 'text', text: '  ' }],
      [{ type: 'audio', data: '', mimeType: 'audio/wav' }],
      [{ type: 'image', data: 'AAAA', mimeType: 'image/tiff' }],
      [{ type: 'image', data: 'not base64!', mimeType: 'image/png' }],
    ] as const;
    for (const blocks of wrong) expect(() => readPrompt(blocks)).toThrow(expect.objectContaining({ code: -32602 }));
  });
});

describe('paths for an editor', () => {
  it('are below the folder as it opened that, the innermost first, and others stay as they are', () => {
    const { toClient } = clientPaths([
      { given: '/link', canonical: '/real' },
      { given: '/inner', canonical: '/real/inner' },
    ]);
    expect(['/real', '/real/a', '/real/inner/b', '/realm/c'].map(toClient)).toEqual([
      '/link',
      '/link/a',
      '/inner/b',
      '/realm/c',
    ]);
  });

  it.each([
    ['/w/src/a.ts', 'src/a.ts'],
    ['Explain @/w/src/a.ts#L10-20, please', 'Explain @src/a.ts#L10-20, please'],
    ['@"/w/two words.md"', '@"two words.md"'],
    ['/real/a.ts and /w/b.ts', 'a.ts and b.ts'],
    ['list /w', 'list w'],
    ['list /w/', 'list w'],
    ['in /w: 3', 'in w: 3'],
    ['/way/x', '/way/x'],
    ['x/w/y', 'x/w/y'],
    ['/home/ann/notes.md', '~/notes.md'],
    ['/home/ann', '~'],
    ['/home/anna/x', '/home/anna/x'],
    ['/etc/hosts', '/etc/hosts'],
  ])('are written short in titles: %s', (text, short) => {
    expect(clientPaths([{ given: '/w', canonical: '/real' }], '/home/ann').inTitle(text)).toBe(short);
  });
});
