import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../output/estimate-tokens.js';
import { Failure } from '../util/failure.js';
import { readSections, type Section, type SectionPlace } from './read-sections.js';

const { signal } = new AbortController();

const line = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll('\n', ' '));

describe('readSections', () => {
  it('never gives more than its budget, and what is read on joins up to all there is', async () => {
    const sections = fc.array(fc.array(line, { maxLength: 8 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sections, fc.integer({ min: 60, max: 400 }), async (pages, maxBytes) => {
        const texts: string[] = pages.map(() => '');
        let place: SectionPlace | undefined = { section: 1, offset: 0, column: 0 };
        for (let step = 0; place !== undefined && step < 2000; step += 1) {
          const { section, offset, column }: SectionPlace = place;
          const limits = { maxBytes, maxTokens: 150 };
          const answer = await readSections({
            first: section,
            last: pages.length,
            offset,
            column,
            section: async (number) => ({ title: `s${number}`, lines: pages[number - 1] ?? [] }),
            signal,
            ...limits,
          });
          expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxBytes);
          expect(estimateTokens(answer.text)).toBeLessThanOrEqual(150);
          collect(answer.text, texts, column > 0);
          place = answer.next;
        }
        expect(place).toBeUndefined();
        expect(texts).toEqual(pages.map((lines) => lines.map((one) => `${Buffer.from(one).toString()}\n`).join('')));
      }),
      { numRuns: 150 },
    );
  });

  it('keeps what was read when a later section cannot be read, and says where to go on', async () => {
    const section = async (number: number): Promise<Section> => {
      if (number === 2) throw new Failure('read_content_failure', 'damaged');
      return { title: `s${number}`, lines: ['text'] };
    };
    const request = { last: 3, offset: 0, column: 0, section, signal, maxBytes: 999, maxTokens: 999 };
    expect(await readSections({ ...request, first: 1 })).toMatchObject({
      text: '--- s1 ---\ntext',
      last: 1,
      next: { section: 2, offset: 0, column: 0 },
    });
    await expect(readSections({ ...request, first: 2 })).rejects.toThrow('damaged');
  });
});

/** Adds what an answer shows to the texts of its sections. */
function collect(text: string, texts: string[], goesOn: boolean): void {
  let number = 0;
  let isFirst = goesOn;
  for (const shown of text.split('\n')) {
    const title = /^--- s(\d+) ---$/.exec(shown)?.[1];
    if (title !== undefined) number = Number(title);
    else {
      const before = texts[number - 1] ?? '';
      texts[number - 1] = `${isFirst ? before.slice(0, -1) : before}${shown}\n`;
      isFirst = false;
    }
  }
}
