import { describe, expect, it } from 'vitest';
import { parsePatch } from './parse-patch.js';
import { planPatch } from './plan-patch.js';

/** The text of the file after the hunks, and how they were matched; or why it cannot be done. */
function patched(
  text: string,
  ...body: string[]
): { readonly text: string; readonly tiers: readonly string[] } | string {
  const parsed = parsePatch(['*** Begin Patch', '*** Update File: a.ts', ...body, '*** End Patch'].join('\n'));
  if (!parsed.ok) return parsed.fault.message;
  const files = new Map([['a.ts', { text, trustHints: true }]]);
  const plan = planPatch({ patch: parsed.patch, keyOf: (path) => path, files });
  if (plan.ok) return { text: plan.files[0]?.proposed ?? '', tiers: plan.files[0]?.tiers ?? [] };
  const [problem] = plan.problems;
  return problem?.reason === 'hunk' ? problem.lost.located.found : (problem?.reason ?? '');
}

describe('hunks that are not to the letter', () => {
  const text = 'class A {\n    one() {\n        return “1”;\n    }\n}\n';

  it('are indented by the unit of the file (S97)', () => {
    const old = ['@@', ' \tone() {', '+\t\tsetUp();', '-\t\treturn “1”;', '+\t\treturn “2”;'];
    expect(patched(text, ...old)).toEqual({
      text: 'class A {\n    one() {\n        setUp();\n        return “2”;\n    }\n}\n',
      tiers: ['indentation'],
    });
  });

  it('may differ in indentation and in look-alikes together', () => {
    expect(patched(text, '@@', ' one() {', '-    return "1";', '+    return "2";')).toEqual({
      text: text.replace('1', '2'),
      tiers: ['indented-look-alikes'],
    });
  });

  it('may lack the indentation of their first line alone', () => {
    expect(patched(text, '@@', ' one() {', '-        return “1”;', '+        return 1;')).toEqual({
      text: text.replace('“1”', '1'),
      tiers: ['first-indentation'],
    });
    expect(patched(text, '@@', ' return “1”;', '+        more();')).toBe('nowhere');
  });

  it('keep the line ends of the file, whatever those of the patch are (S89)', () => {
    const mixed = 'a\r\nb\nc\r\n';
    expect(patched(mixed, '@@', ' a\r', '-b\r', '+B\r', '+B2\r', ' c\r')).toMatchObject({ text: 'a\r\nB\nB2\nc\r\n' });
    expect(patched(text.replaceAll('\n', '\r\n'), '@@', '     one() {', '+        two();')).toMatchObject({
      text: text.replace('{\n        r', '{\n        two();\n        r').replaceAll('\n', '\r\n'),
    });
  });
});

describe('hunks of a file with bytes that are no text', () => {
  const text = 'caf\udce9 noir\nth\udce8\nlait\n';

  it('are found by what was shown, and keep the bytes', () => {
    const body = ['@@', ' caf\ufffd noir', '-th\ufffd', '+th\ufffd vert', ' lait', '+eau'];
    expect(patched(text, ...body)).toMatchObject({ text: 'caf\udce9 noir\nth\udce8 vert\nlait\neau\n' });
  });

  it('are refused where a new U+FFFD would stand for no known byte, and with half a character', () => {
    expect(patched(text, '@@', '-caf\ufffd noir', '+\ufffd caf\ufffd')).toBe('unwritable');
    expect(patched(text, '@@', ' lait', '+\ud83d')).toBe('omission');
  });
});

describe('a hunk on what an earlier hunk made', () => {
  const text = 'one\ntwo\nthree\nfour\n';

  it('applies to the result, when its lines stand there as they are', () => {
    const body = ['@@', '-one', '+first', '@@', ' first', '+second', ' two', '@@', '-four', '+last'];
    expect(patched(text, ...body)).toEqual({ text: 'first\nsecond\ntwo\nthree\nlast\n', tiers: [] });
  });

  it('is refused when it stands in neither, or in several places of the result', () => {
    expect(patched(text, '@@', '-one', '+first', '@@', '-other', '+x')).toBe('nowhere');
    expect(patched(text, '@@', '-one', '+new', '@@', '-two', '+new', '@@', '-new', '+x')).toBe('nowhere');
  });

  it('never changes a line that two hunks would change', () => {
    expect(patched(text, '@@', '-two', '+2', '@@', '-two', '+zwei')).toBe('nowhere');
  });
});
