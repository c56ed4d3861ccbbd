import { chmodSync, readFileSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import type { SearchTargets } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { createRipgrepEngine } from './create-ripgrep-engine.js';

const workspace = await createTempWorkspace();
afterAll(async () => workspace.remove());
const never = new AbortController().signal;

const LINES = ['return x', 'return', 'end'];
const FED = `${LINES.join('\n')}\n`;
const RETURNED = `${LINES.join('\r\n')}\r\n`;
const MIXED = 'return\r\nreturn x\nreturn\nend\r\nreturn';
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'all/fed': FED,
  'all/returned': RETURNED,
  'all/mixed': MIXED,
  'all/none': 'x\r\ny\n',
  'all/wide': Buffer.from(`\ufeff${RETURNED}`, 'utf16le'),
  'all/odd': `${RETURNED}\0`,
  'all/open': 'x\r\nreturn',
  fed: FED,
  returned: RETURNED,
  mixed: MIXED,
};
const NAMES = ['fed', 'returned', 'mixed', 'none', 'wide', 'odd', 'open'];
beforeAll(async () => workspace.write(FILES));

interface EngineOptions {
  readonly how?: Partial<SearchPattern>;
  readonly program?: string;
}

function engineFor(
  pattern: string,
  { how, program = rgPath }: EngineOptions = {},
): ReturnType<typeof createRipgrepEngine> {
  const wanted = { pattern, caseSensitive: true, fixedStrings: false, multiline: false, ...how };
  const folder = { path: workspace.root, workingDirectory: workspace.root };
  return createRipgrepEngine({ program, pattern: wanted, folder, env: {} });
}

/** All that is told, in any order. */
async function told(pattern: string, targets: SearchTargets, options?: EngineOptions): Promise<string[]> {
  const all: string[] = [];
  await engineFor(pattern, options).countAnything(
    targets,
    {
      counted: (path, matches) => void all.push(`${path} ${matches}`),
      odd: (path) => void all.push(`${path} odd`),
      failed: (path, reason) => void all.push(`${path} ${reason}`),
    },
    never,
  );
  return all.toSorted();
}

const WHOLE: SearchTargets = {
  folders: [{ folder: 'all', names: NAMES, isWhole: true }],
  files: ['fed', 'returned', 'mixed', 'gone'],
};

describe('with what only PCRE2 takes, ripgrep', () => {
  it.each([false, true])(
    'counts in each file once, whatever ends its lines (known to be text: %s)',
    async (areText) => {
      const files = NAMES.filter((name) => name !== 'odd' || !areText).map((name) => `all/${name}`);
      const targets: SearchTargets = areText ? { ...WHOLE, folders: [], files: [...files, ...WHOLE.files] } : WHOLE;
      const expected = [
        'all/fed 1',
        'all/mixed 3',
        ...(areText ? [] : ['all/odd odd']),
        'all/open 1',
        'all/returned 1',
        'all/wide 1',
        'fed 1',
        'gone …',
        'mixed 3',
        'returned 1',
      ];
      const found = await told('return(?!\\s)', { ...targets, areText });
      expect(found.map((each) => each.replace(/^gone .+/, 'gone …'))).toEqual(expected);
      expect(await told('end(?=\\s)', { ...WHOLE, files: [] })).toEqual(['all/odd odd']);
    },
  );

  it('shows the first lines of a file with both ends, and those around them', async () => {
    const shown: string[] = [];
    const show = async (pattern: string, maxMatches: number): Promise<string> => {
      const request = { files: [{ path: 'mixed', maxMatches }], before: 1, after: 1 };
      await engineFor(pattern).lines(
        request,
        {
          found: (_path, { lines, matches }) =>
            void shown.push(
              `${matches}: ${lines.map(({ line, column, text }) => `${line}${column === undefined ? '-' : `:${column}:`}${text}`).join(', ')}`,
            ),
          failed: (path, reason) => void shown.push(`${path} ${reason}`),
        },
        never,
      );
      return shown.splice(0).join('; ');
    };
    expect(await show('return(?!\\s)', 9)).toBe('3: 1:1:return, 2-return x, 3:1:return, 4-end, 5:1:return');
    expect(await show('return(?!\\s)', 2)).toBe('2: 1:1:return, 2-return x, 3:1:return, 4-end');
    expect(await show('(?=e)(?:return|end)$', 9)).toBe('1: 3-return, 4:1:end, 5-return');
    expect(await show('(?=[re])(?:return|end)(?!\\s)', 2)).toBe('2: 1:1:return, 2-return x, 3:1:return, 4-end');
  });

  it('points at what is wrong with the pattern as it was written', async () => {
    await expect(told('(?=a)a**', { folders: [], files: ['mixed'] })).rejects.toThrow(/\n {2}\(\?=a\)a\*\*\n {9}\^/);
  });
});

it('is started no more often for what its default engine takes', async () => {
  await workspace.write({ rg: `#!/bin/sh\necho x >> '${workspace.path('starts')}'\nexec '${rgPath}' "$@"\n` });
  chmodSync(workspace.path('rg'), 0o755);
  const starts = async (pattern: string, how: Partial<SearchPattern> = {}): Promise<number> => {
    await workspace.write({ starts: '' });
    await told(
      pattern,
      { folders: [], files: ['fed', 'mixed'], areText: true },
      { how, program: workspace.path('rg') },
    );
    return readFileSync(workspace.path('starts'), 'utf8').length / 2;
  };
  expect(await starts('return\\b.{3,9}')).toBe(1);
  expect(await starts('a(?=b)', { fixedStrings: true })).toBe(1);
  expect(await starts('a(?=b)', { multiline: true })).toBe(1);
  expect(await starts('a(?=b)')).toBe(5);
});
