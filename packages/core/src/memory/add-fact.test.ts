import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addFact, FACTS_HEADING, factLine, findFact } from './add-fact.js';
import { findImports } from './find-imports.js';

const added = (text: string | null, fact: string): string => {
  const plan = addFact(text, fact);
  if (plan.kind !== 'add') throw new Error(`known: ${plan.line}`);
  return plan.text;
};

describe('a saved fact (S122)', () => {
  it('begins a file', () => {
    expect(added(null, 'Use tabs.')).toBe(`${FACTS_HEADING}\n\n- Use tabs.\n`);
    expect(added('', 'Use tabs.')).toBe(`${FACTS_HEADING}\n\n- Use tabs.\n`);
  });

  it('stands behind what was there, and behind earlier facts', () => {
    const one = added('# Project\n\nText', 'One.');
    expect(one).toBe(`# Project\n\nText\n\n${FACTS_HEADING}\n\n- One.\n`);
    expect(added(one, 'Two.')).toBe(`# Project\n\nText\n\n${FACTS_HEADING}\n\n- One.\n- Two.\n`);
  });

  it('stays in its section', () => {
    const text = `${FACTS_HEADING}\n\n- One.\n\n# Next\n\n- other\n`;
    expect(added(text, 'Two.')).toBe(`${FACTS_HEADING}\n\n- One.\n- Two.\n\n# Next\n\n- other\n`);
    expect(added(`${FACTS_HEADING}\n# Next\n`, 'Two.')).toBe(`${FACTS_HEADING}\n\n- Two.\n\n# Next\n`);
  });

  it('is not put below a heading that is an example', () => {
    const text = `\`\`\`\n${FACTS_HEADING}\n\`\`\`\n`;
    expect(added(text, 'One.')).toBe(`${text}\n${FACTS_HEADING}\n\n- One.\n`);
  });

  it('takes the line endings of the file, and leaves mixed ones as they are', () => {
    expect(added('a\r\nb\r\n', 'One.')).toBe(`a\r\nb\r\n\r\n${FACTS_HEADING}\r\n\r\n- One.\r\n`);
    expect(added('a\r\nb\n', 'One.')).toBe(`a\r\nb\n\n${FACTS_HEADING}\n\n- One.\n`);
  });

  it('is one line without marks of a list, and imports nothing', () => {
    expect(factLine('- first\nsecond\u202e  third ')).toBe('first second third');
    expect(factLine('read @docs/a.md first, ask @bob')).toBe('read `@docs/a.md` first, ask `@bob`');
    expect(findImports(added(null, '@../../secret.md'))).toEqual([]);
  });

  it('imports nothing, however an import may be written (law)', () => {
    expect(factLine('read @"my notes.md" first')).toBe('read `@"my notes.md"` first');
    expect(factLine('read @my\\ notes.md first')).toBe('read `@my\\ notes.md` first');
    const part = fc.oneof(
      fc.constantFrom(
        '@',
        '"',
        '`',
        '\\',
        ' ',
        '(',
        '[',
        ')',
        '*',
        '.',
        ',',
        '<!--',
        '-->',
        '@"a b.md"',
        '@a\\ b.md',
        '@./a.md',
      ),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const plan = addFact('# A\n\nText with one ` mark\n', parts.join(''));
        if (plan.kind === 'add') expect(findImports(plan.text)).toEqual([]);
        expect(findImports(factLine(parts.join('')))).toEqual([]);
      }),
    );
  });

  it('is known already where a line says the same', () => {
    expect(addFact('# A\n\n* `Use` tabs\n', 'use  tabs.')).toEqual({ kind: 'known', line: '* `Use` tabs' });
    expect(findFact('Use tabs or blanks', 'Use tabs')).toBeUndefined();
  });

  it('is found again, leaves every line that was there, and is not added twice', () => {
    const line = fc.stringMatching(/^[#\-a-z `~.]{0,12}$/);
    const text = fc.tuple(fc.array(line), fc.constantFrom('\n', '\r\n')).map(([lines, end]) => lines.join(end));
    fc.assert(
      fc.property(text, fc.stringMatching(/^[A-Z][a-z]{3,10}( [a-z]{2,8}){0,4}$/), (before, fact) => {
        const plan = addFact(before, fact);
        if (plan.kind === 'known') return;
        expect(findFact(plan.text, fact)).toBe(`- ${fact}`);
        expect(addFact(plan.text, fact).kind).toBe('known');
        const kept = plan.text.split(/\r?\n/).filter((each) => each.trim() !== '');
        const lines = before.split(/\r?\n/).filter((each) => each.trim() !== '');
        expect(
          kept.filter((each) => each.trimEnd() !== `- ${fact}` && each !== FACTS_HEADING).map((each) => each.trimEnd()),
        ).toEqual(lines.map((each) => each.trimEnd()));
      }),
    );
  });
});
