import { expect, it } from 'vitest';
import { memoryText } from './memory.js';

const nothing = {
  files: [],
  leftOut: [],
  usedBytes: 0,
  maxBytes: 32_768,
  isTrusted: false,
  fileNames: ['TENON.md', 'AGENTS.md'],
  saved: { project: '/work/TENON.md', global: '/home/me/.tenon/TENON.md' },
};

it('says what is looked for and where facts are saved when there is nothing yet', () => {
  expect(memoryText(nothing)).toBe(
    'No context files. Looked for: TENON.md, AGENTS.md.\nFacts are saved in /work/TENON.md and /home/me/.tenon/TENON.md.\n',
  );
});

it('lists files with their sizes, what is left out and why, and whose words they are', () => {
  const text = memoryText({
    ...nothing,
    usedBytes: 1500,
    files: [
      { path: '/work/AGENTS.md', role: 'root', bytes: 1, shown: 'whole' },
      { path: '/work/a.md', role: 'root', bytes: 40_000, shown: 'cut', importedBy: '/work/AGENTS.md' },
    ],
    leftOut: [{ path: '/etc/x.md', importedBy: '/work/a.md', why: 'it lies outside of /work' }],
  });
  expect(text.split('\n').slice(0, 6)).toEqual([
    'Told with every request: 1,500 bytes of at most 32,768 bytes.',
    '  /work/AGENTS.md (1 byte)',
    '  /work/a.md (40,000 bytes, cut, imported by /work/AGENTS.md)',
    'What the project says is told as information only: the folder is not trusted.',
    'Left out:',
    '  /etc/x.md, imported by /work/a.md: it lies outside of /work',
  ]);
});
