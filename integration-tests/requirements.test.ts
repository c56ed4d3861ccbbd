import { afterAll, describe, expect, it } from 'vitest';
import { citationsIn, idsIn, type Citation } from './requirement-citations.js';
import { REQUIREMENTS, type Requirement } from './requirements.js';
import { readSourceFiles } from './source-files.js';

const COUNT = 144;
const DOCUMENTS = /^[A-E](?:,[A-E])*$/;

const citations: readonly Citation[] = ['packages', 'integration-tests', 'examples']
  .flatMap((folder) => readSourceFiles(folder, /\.test\.tsx?$/))
  // This file cites ids that do not exist, to show that they are found.
  .filter(({ path }) => path !== 'integration-tests/requirements.test.ts')
  .flatMap(({ path, text }) => citationsIn(path, text));

const known = (list: readonly Requirement[]): ReadonlySet<string> => new Set(list.map(({ id }) => id));
const cited = (list: readonly Citation[]): ReadonlySet<string> => new Set(list.map(({ id }) => id));

/** Requirements that claim to be done and that no test cites. */
function unproven(list: readonly Requirement[], by: readonly Citation[]): string[] {
  return list
    .filter(({ id, state }) => state === 'done' && !cited(by).has(id))
    .map(({ id, sentence }) => `${id}: ${sentence}`);
}

/** Tests that cite what the specification does not have. */
function unknown(list: readonly Requirement[], by: readonly Citation[]): string[] {
  return by.filter(({ id }) => !known(list).has(id)).map(({ id, path, line }) => `${path}:${line} cites ${id}`);
}

describe('the requirements', () => {
  it('are S1 to S144, each once and in order', () => {
    expect(REQUIREMENTS.map(({ id }) => id)).toEqual(Array.from({ length: COUNT }, (_, index) => `S${index + 1}`));
  });

  it('name their documents and say something of their own', () => {
    for (const { id, source, sentence } of REQUIREMENTS) {
      expect(source, id).toMatch(DOCUMENTS);
      expect(sentence, id).toMatch(/^\S.{10,}\.$/);
    }
  });

  it('that are done are cited by a test', () => {
    expect(unproven(REQUIREMENTS, citations)).toEqual([]);
  });

  it('are the only ones that tests cite', () => {
    expect(unknown(REQUIREMENTS, citations)).toEqual([]);
  });

  afterAll(() => {
    const done = REQUIREMENTS.filter(({ id, state }) => state === 'done' && cited(citations).has(id));
    // Straight to the stream: the line is the report of this file, and a reporter must not fold it away.
    process.stdout.write(`requirements: ${done.length} of ${REQUIREMENTS.length} proven\n`);
  });
});

describe('the check of the requirements', () => {
  const one: Requirement = { id: 'S1', source: 'A', sentence: 'Something holds.', state: 'done' };
  const proof: Citation = { id: 'S1', path: 'a.test.ts', line: 1, title: 'holds (S1)' };

  it('finds what claims to be done without a proof, and ids that do not exist', () => {
    expect(unproven([one], [])).toEqual(['S1: Something holds.']);
    expect(unproven([one], [proof])).toEqual([]);
    expect(unproven([{ ...one, state: 'planned' }], [])).toEqual([]);
    expect(unknown([one], [{ ...proof, id: 'S145', line: 7 }])).toEqual(['a.test.ts:7 cites S145']);
    expect(unknown([one], [proof])).toEqual([]);
  });

  it('reads single ids, lists and ranges in parentheses', () => {
    expect(idsIn('a fact (S1)')).toEqual(['S1']);
    expect(idsIn('a fact (S1, S20; K12)')).toEqual(['S1', 'S20']);
    expect(idsIn('a fact (S60–S63) and another (S70-S71)')).toEqual(['S60', 'S61', 'S62', 'S63', 'S70', 'S71']);
    expect(idsIn('a fact about S1 and (AS3)')).toEqual([]);
    expect(idsIn('a slip (S9–S7)')).toEqual(['S9', 'S7']);
  });

  it('reads titles of tests that run, and nothing else', () => {
    const of = (text: string): string[] => citationsIn('a.test.ts', text).map(({ id, line }) => `${id}@${line}`);
    expect(of("describe('x', () => {\n  it('fact (S1)', () => {});\n});")).toEqual(['S1@2']);
    expect(of("test.each([1])('fact (S2)', () => {});\nit.runIf(linux)(`fact ${n} (S3)`, () => {});")).toEqual([
      'S2@1',
      'S3@2',
    ]);
    expect(
      of("// it('fact (S4)')\nconst title = 'fact (S5)';\nother('fact (S6)');\ndescribe('group (S7)', () => {});"),
    ).toEqual([]);
    expect(of("it.skip('fact (S8)', () => {});\nit.todo('fact (S9)');")).toEqual([]);
    expect(of("describe.skip('x', () => { it('fact (S10)', () => {}); });")).toEqual([]);
  });
});
