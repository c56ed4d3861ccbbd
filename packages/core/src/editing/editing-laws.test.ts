import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EditPlan, EditStep } from './edit-plan.js';
import { foldCharacters, foldText } from './fold-characters.js';
import { findTarget } from './find-target.js';
import { planEdits } from './plan-edits.js';

function step(oldText: string, newText: string): EditStep {
  return { oldText, newText, replaceAll: false };
}

function edit(text: string, oldText: string, newText: string): EditPlan {
  return planEdits({ text, steps: [step(oldText, newText)] });
}

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'total', 'items');
const number = fc.constantFrom('0', '1', '42', '3.14');
const quoted = fc.constantFrom('"one"', "'two'", '“three”', '‘four’', '"it’s"');
const other = fc.constantFrom('…', '—', '\u00a0', 'cafe\u0301', '\\n', '&lt;', '<', 'é');
/** A statement with its indentation, white space at its end, and line ending. */
const line = fc
  .record({
    depth: fc.nat(3),
    tokens: fc.array(fc.oneof(word, number, quoted, other), { minLength: 1, maxLength: 4 }),
    trail: fc.constantFrom('', '', ' ', '\t'),
    ending: fc.constantFrom('\n', '\n', '\r\n'),
  })
  .map(({ depth, tokens, trail, ending }) => ({
    indent: '\t'.repeat(depth),
    content: `${tokens.join(' ')};`,
    trail,
    ending,
  }));
/** No two lines are alike. */
const file = fc
  .array(line, { minLength: 2, maxLength: 10 })
  .map((lines) => lines.map((one, index) => ({ ...one, content: `${one.content} // n${index}.` })));
type Line = typeof line extends fc.Arbitrary<infer T> ? T : never;

function textOf(lines: readonly Line[]): string {
  return lines.map(({ indent, content, trail, ending }) => indent + content + trail + ending).join('');
}

/** How models misquote lines. */
const blur = fc.constantFrom<(lines: readonly Line[]) => string>(
  (lines) => lines.map(({ indent, content }) => `${indent}${content}\n`).join(''),
  (lines) => lines.map(({ indent, content }) => `${indent.replaceAll('\t', '    ')}${content}\n`).join(''),
  (lines) => lines.map(({ indent, content }) => `${indent}${foldCharacters(content)}\n`).join(''),
  (lines) => lines.map(({ indent, content }) => `  ${indent}${foldCharacters(content)}\n`).join(''),
  (lines) => lines.map(({ indent, content }, index) => `${index + 7}→${indent}${content}\n`).join(''),
  (lines) => JSON.stringify(lines.map(({ indent, content }) => `${indent}${content}\n`).join('')).slice(1, -1),
);
const misquoted = fc.tuple(file, fc.nat(), fc.nat(), blur).map(([lines, from, length, spoil]) => {
  const first = from % lines.length;
  const part = lines.slice(first, first + 1 + (length % 4));
  return { lines, first, part, text: textOf(lines), oldText: spoil(part) };
});

describe('laws of editing', () => {
  it('changes no byte outside of the matched lines, at any tier (S85)', () => {
    const tiers = new Map<string, number>();
    fc.assert(
      fc.property(misquoted, ({ lines, first, part, text, oldText }) => {
        const target = findTarget({ text, oldText, newText: '', replaceAll: false });
        const plan = edit(text, oldText, '');
        if (plan.outcome !== 'edit' || target.found !== 'one-or-all') return;
        const [{ tier } = { tier: '' }] = plan.steps;
        tiers.set(tier, (tiers.get(tier) ?? 0) + 1);
        const before = textOf(lines.slice(0, first));
        const after = textOf(lines.slice(first + part.length));
        expect(plan.newContent.startsWith(before)).toBe(true);
        expect(plan.newContent.endsWith(after)).toBe(true);
        expect(text.length - plan.newContent.length).toBeLessThanOrEqual(textOf(part).length);
      }),
      { numRuns: 2000 },
    );
    for (const tier of ['exact', 'line-endings', 'trailing-space', 'indentation', 'look-alikes', 'line-numbers']) {
      expect(tiers.get(tier) ?? 0).toBeGreaterThan(5);
    }
  });

  it('keeps every line that the edit only repeats, byte for byte', () => {
    let landed = 0;
    fc.assert(
      fc.property(misquoted, ({ lines, first, part, text, oldText }) => {
        if (oldText.includes('→') || !oldText.includes('\n')) return;
        const plan = edit(text, oldText, `${oldText}added();\n`);
        if (plan.outcome !== 'edit') return;
        landed += 1;
        const [written = '', ...more] = plan.newContent.split('added();');
        expect(more).toHaveLength(1);
        expect(written.trimEnd()).toBe(textOf(lines.slice(0, first + part.length)).trimEnd());
        expect((more[0] ?? '').replace(/^\r?\n/, '')).toBe(textOf(lines.slice(first + part.length)));
      }),
      { numRuns: 1000 },
    );
    expect(landed).toBeGreaterThan(200);
  });

  it('never lands where a word, a number or a string differs', () => {
    fc.assert(
      fc.property(misquoted, fc.nat(), ({ text, oldText }, at) => {
        const tokens = [...oldText.matchAll(/alpha|beta|gamma|delta|total|items|42|3\.14|one|two|three|four/g)];
        const token = tokens[at % Math.max(1, tokens.length)];
        if (token === undefined) return;
        const changed = `${oldText.slice(0, token.index)}${token[0].replace(/.$/, 'Z9')}${oldText.slice(token.index + token[0].length)}`;
        expect(edit(text, changed, 'new();\n').outcome).toBe('failed');
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses near-duplicates: lines that a tier cannot tell apart', () => {
    fc.assert(
      fc.property(misquoted, ({ text, oldText }) => {
        const plan = edit(text + text, oldText, 'new();\n');
        expect(plan.outcome === 'failed' || plan.steps[0]?.tier === 'exact').toBe(true);
        if (plan.outcome === 'edit') expect((text + text).split(oldText)).toHaveLength(2);
      }),
      { numRuns: 1000 },
    );
  });

  it('suggests what applies when it is sent back (S92)', () => {
    let suggested = 0;
    fc.assert(
      fc.property(misquoted, fc.nat(), fc.constantFrom('x', 'A', ' ', '\\'), ({ text, oldText }, at, noise) => {
        const place = at % oldText.length;
        const wrong = oldText.slice(0, place) + noise + oldText.slice(place + 1);
        const plan = edit(text, wrong, 'brand new text');
        if (plan.outcome === 'edit' || plan.failure.reason !== 'not-found') return;
        const { suggestion } = plan.failure.miss;
        if (suggestion === undefined) return;
        suggested += 1;
        expect(edit(text, suggestion, 'brand new text')).toMatchObject({ steps: [{ tier: 'exact', count: 1 }] });
      }),
      { numRuns: 2000 },
    );
    expect(suggested).toBeGreaterThan(300);
  });

  it('takes the same text in its place for no change', () => {
    fc.assert(
      fc.property(misquoted, ({ text, oldText }) => {
        expect(edit(text, oldText, oldText)).toMatchObject({ outcome: 'failed', failure: { reason: 'no-change' } });
      }),
    );
  });

  it('gives the same text for independent edits in any order', () => {
    fc.assert(
      fc.property(file, fc.nat(), fc.nat(), (lines, one, two) => {
        const numbered = lines.map((entry, index) => ({ ...entry, content: `${entry.content} // ${index}#` }));
        const [first, second] = [numbered[one % lines.length], numbered[two % lines.length]];
        if (first === undefined || second === undefined || first === second) return;
        const steps = [step(first.content, 'first();\nmore();'), step(second.content, 'second();')];
        const text = textOf(numbered);
        const forward = planEdits({ text, steps });
        const backward = planEdits({ text, steps: steps.toReversed() });
        expect(forward).toMatchObject({ outcome: 'edit' });
        if (forward.outcome !== 'edit' || backward.outcome !== 'edit') return;
        expect(backward.newContent).toBe(forward.newContent);
        expect(backward.changed).toEqual(forward.changed);
      }),
    );
  });

  it('folds a text as its characters, with places that lead back', () => {
    const unit = fc.constantFrom(
      'a',
      'e\u0301',
      '“',
      '…',
      '\u200b',
      '\u00a0',
      '（',
      '😀',
      '\n',
      '\udc80',
      'é',
      '\u1112\u1161',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
        const folded = foldText(text);
        expect(folded.text).toBe(foldCharacters(text));
        for (let index = 0; index <= folded.text.length; index += 1) {
          const place = folded.toOriginal(index);
          expect(folded.text.startsWith(foldCharacters(text.slice(0, place)))).toBe(true);
        }
      }),
    );
  });
});

describe('cost of editing', () => {
  it('is linear for lines that repeat themselves, and for a large file', () => {
    const repeated = 'same();  \n'.repeat(200_000);
    const started = performance.now();
    const failed = edit(repeated, `${'same();\n'.repeat(10_000)}other();\n`, 'x\n');
    expect(failed).toMatchObject({ failure: { reason: 'not-found' } });
    expect(edit(repeated, 'same();\n'.repeat(10_000), 'x\n')).toMatchObject({ failure: { reason: 'several' } });
    const large = `${'const value = “compute”;\r\n'.repeat(300_000)}last(‘one’);\r\n`;
    expect(edit(large, "last('one');\n", "last('two');\n")).toMatchObject({ steps: [{ tier: 'look-alikes' }] });
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
