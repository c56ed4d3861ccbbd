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
      text: 'Compare @"/w/a b.ts" with [x](https://example.org/x) and @src/c.ts.',
      attach: ['/w/a b.ts', 'src/c.ts'],
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
});
