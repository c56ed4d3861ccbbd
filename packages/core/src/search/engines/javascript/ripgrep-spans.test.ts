import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { countsAndPlaces } from '../../../testing/counts-and-places.js';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import { createRipgrepEngine } from '../ripgrep/create-ripgrep-engine.js';
import { WITHOUT_RIPGREP } from '../pattern-problem.js';
import type { SearchEngine } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { createJavaScriptEngine } from './create-javascript-engine.js';
import { toJavaScriptPattern } from './javascript-pattern.js';

const workspace = await createTempWorkspace();
afterAll(async () => workspace.remove());

const RUNS = 25;
const never = new AbortController().signal;

const TEXTS = ['a', 'b', 'é', ' ', '.', '\\w', '\\W', '\\s', '[^a]', '[^\\n]', '\\n', '\\r', '[\\n ]', '()'];
const PLACES = ['^', '$', '\\b', '\\B', '\\A', '\\z', '\\<', '\\b{end}', '\\b{start-half}', '\\b{end-half}'];
const LOOKS = [
  '(?=a)',
  '(?!b)',
  '(?<=a)',
  '(?<!a)',
  '(?<=\\n)',
  '(?=\\n)',
  '(?<=ab|b)',
  '(?=)',
  '(?>a|ab)',
  '\\K',
  '\\R',
];
const TIMES = ['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,2}?', '{2,}', '{0}'];

/** With places of one engine, or what only PCRE2 knows. */
function patternOf(places: readonly string[]): fc.Arbitrary<string> {
  const times = fc.constantFrom(...TIMES);
  const { branches } = fc.letrec<{ branches: string; part: string }>((tie) => ({
    part: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...TEXTS), times).map(([text, how]) => text + how) },
      { weight: 2, arbitrary: fc.constantFrom(...places) },
      { weight: 2, arbitrary: fc.tuple(tie('branches'), times).map(([inner, how]) => `(?:${inner})${how}`) },
    ),
    branches: fc
      .array(fc.array(tie('part'), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map((all) => all.map((parts) => parts.join('')).join('|')),
  }));
  return branches;
}
const pattern = fc.oneof(patternOf(PLACES), patternOf([...LOOKS, '^', '$', '\\b', '\\B']));

const text = fc
  .array(fc.constantFrom('a', 'b', 'ab', ' ', '-', 'é', '😀', '\r', '\n', '\n', '\r\n', ' b'.repeat(70)), {
    minLength: 1,
    maxLength: 16,
  })
  .map((parts) => parts.join(''));

/** Counts, places and columns; undefined where not all of it can be told. */
async function answer(engine: SearchEngine, files: readonly string[]): Promise<object | undefined> {
  try {
    const told = await countsAndPlaces(engine, files, never);
    return Object.keys(told).some((key) => key.endsWith(' failed')) ? undefined : told;
  } catch (thrown) {
    // ripgrep 15 breaks down where a match ends behind the lines in which it looks for it.
    if (String(thrown).includes('panicked')) return undefined;
    throw thrown;
  }
}

/** JavaScript has no way to match the same. */
function isRefused(wanted: SearchPattern): boolean {
  try {
    toJavaScriptPattern(wanted);
    return false;
  } catch (thrown) {
    return String(thrown).includes(WITHOUT_RIPGREP);
  }
}

describe('matches that may span lines', () => {
  it('are the same with ripgrep and without it, also those of nothing', async () => {
    await fc.assert(
      fc.asyncProperty(pattern, fc.tuple(text, text, text), async (source, texts) => {
        const wanted = { pattern: source, caseSensitive: true, fixedStrings: false, multiline: true };
        fc.pre(!isRefused(wanted));
        const files = Object.fromEntries(texts.map((content, at) => [String(at), content]));
        await workspace.write(files);
        const folder = { path: workspace.root, workingDirectory: workspace.root };
        const [ripgrep, javascript] = await Promise.all([
          answer(createRipgrepEngine({ program: rgPath, pattern: wanted, folder, env: {} }), Object.keys(files)),
          answer(createJavaScriptEngine({ pattern: wanted, folder }), Object.keys(files)),
        ]);
        fc.pre(ripgrep !== undefined);
        expect(javascript).toEqual(ripgrep);
      }),
      { numRuns: RUNS, endOnFailure: true, interruptAfterTimeLimit: 15_000 },
    );
  }, 60_000);
});
