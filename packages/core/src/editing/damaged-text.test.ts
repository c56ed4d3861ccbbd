import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restoreDamage } from './damaged-text.js';
import { isDamaged, shownText } from '../util/shown-text.js';
import type { EditPlan } from './edit-plan.js';
import { planEdits } from './plan-edits.js';

/** The byte 0xE9 of a file that is no sound UTF-8, and another one. */
const E9 = '\udce9';
const E8 = '\udce8';
const SHOWN = '\ufffd';

function plan(text: string, oldText: string, newText: string, replaceAll = false): EditPlan {
  return planEdits({ text, steps: [{ oldText, newText, replaceAll }] });
}

function content(text: string, oldText: string, newText: string, replaceAll = false): string {
  const result = plan(text, oldText, newText, replaceAll);
  return result.outcome === 'edit' ? result.newContent : result.failure.reason;
}

describe('an edit of a file with bytes that are no text', () => {
  const text = `nom: caf${E9}\n  prix: 3\n  lieu: cr${E8}merie ‘A’\nfin\n`;

  it('is found by what was shown in their place, and keeps them (S90)', () => {
    expect(content(text, `nom: caf${SHOWN}\n  prix: 3`, `nom: caf${SHOWN}\n  prix: 4`)).toBe(text.replace('3', '4'));
    expect(content(text, `nom: caf${SHOWN}`, `name: caf${SHOWN}s`)).toBe(
      text.replace(`nom: caf${E9}`, `name: caf${E9}s`),
    );
    expect(content(text, 'prix: 3', 'prix: 4')).toBe(text.replace('3', '4'));
    expect(content(text, `  prix: 3\n  lieu: cr${SHOWN}merie ‘A’`, `  lieu: cr${SHOWN}merie ‘B’`)).toBe(
      text.replace('  prix: 3\n', '').replace('A', 'B'),
    );
  });

  it('keeps them at every tier that relaxes the match', () => {
    expect(content(text, `lieu: cr${SHOWN}merie 'A'`, `lieu: cr${SHOWN}merie 'C'`)).toBe(text.replace('A', 'C'));
    expect(
      content(
        text,
        `    prix: 3\n    lieu: cr${SHOWN}merie ‘A’`,
        `    prix: 3\n    rue: 1\n    lieu: cr${SHOWN}merie ‘A’`,
      ),
    ).toBe(text.replace('3\n', '3\n  rue: 1\n'));
    expect(content(text.replaceAll('\n', '\r\n'), `caf${SHOWN}\n  prix: 3`, `caf${SHOWN}\n  prix: 4`)).toBe(
      text.replace('3', '4').replaceAll('\n', '\r\n'),
    );
  });

  it('may take them away', () => {
    expect(content(text, `caf${SHOWN}`, 'café')).toBe(text.replace(E9, 'é'));
    expect(content(text, `nom: caf${SHOWN}\n`, '')).toBe(text.replace(`nom: caf${E9}\n`, ''));
  });

  it('is refused where it is not clear what an U+FFFD is to be', () => {
    const twice = `${E9} ${E8}\n`;
    expect(plan(twice, `${SHOWN} ${SHOWN}`, SHOWN)).toMatchObject({ failure: { reason: 'omission', line: 1 } });
    expect(plan(text, `caf${SHOWN}`, `caf${SHOWN} th${SHOWN}`)).toMatchObject({ failure: { reason: 'omission' } });
    expect(plan(text, 'prix: 3', `prix: ${SHOWN}`)).toMatchObject({ outcome: 'edit' });
  });

  it('replaces all, each place with its own bytes', () => {
    expect(content(`a${E9}=1\na${E8}=1\n`, `a${SHOWN}=1`, `a${SHOWN}=2`, true)).toBe(`a${E9}=2\na${E8}=2\n`);
    expect(plan(`a${E9}=1\na${E8}=1\n`, `a${SHOWN}=1`, `a${SHOWN}=2`)).toMatchObject({
      failure: { reason: 'several' },
    });
  });

  it('takes no half characters from the new text', () => {
    for (const half of ['\ud83d', '\ude00', E9]) {
      expect(plan('a\n', 'a', `b\n${half}`)).toMatchObject({ failure: { reason: 'omission', line: 2 } });
      expect(planEdits({ text: null, steps: [{ oldText: '', newText: half, replaceAll: false }] })).toMatchObject({
        outcome: 'failed',
      });
    }
    expect(content('a\n', 'a', '😀')).toBe('😀\n');
  });

  it('names a miss with what was shown', () => {
    const result = plan(text, `nom: caf${SHOWN} noir\n  prix: 3\n  lieu: x`, 'y');
    expect(result).toMatchObject({ failure: { reason: 'not-found', miss: { nearest: { firstLine: 0 } } } });
    expect(isDamaged(JSON.stringify(result).replaceAll('\\ud', ''))).toBe(false);
  });
});

describe('the bytes of a place', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', E9, E8, SHOWN, '\n'), maxLength: 12 });

  it('come back to the text that was shown, whatever stood there', () => {
    fc.assert(
      fc.property(line, (original) => {
        expect(restoreDamage(original, shownText(original))).toEqual({ text: original });
      }),
    );
  });

  it('are never others than those that stood there, and only stand for what was shown', () => {
    fc.assert(
      fc.property(line, line, (original, other) => {
        const result = restoreDamage(original, shownText(other));
        if (!('text' in result)) return;
        expect(shownText(result.text)).toBe(shownText(other));
        const had = new Set(original);
        expect(Array.from(result.text).every((one) => !isDamaged(one) || had.has(one))).toBe(true);
      }),
    );
  });
});
