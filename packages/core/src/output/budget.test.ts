import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitToBudget, isSurelyWithin, type BudgetPart, type BudgetRequest } from './budget.js';
import { estimateTokens } from './estimate-tokens.js';

const limits = { maxBytes: 2000, maxTokens: 1000, maxMediaBytes: 100 };

function request(content: BudgetRequest['content'], changes: Partial<BudgetRequest> = {}): BudgetRequest {
  return {
    content,
    ...limits,
    spill: async () => '/tmp/t/out-1.txt',
    openWith: ['read_file', 'grep_search'],
    ...changes,
  };
}

function textOf(parts: readonly BudgetPart[]): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');

describe('fitToBudget', () => {
  it('leaves what fits as it is', async () => {
    expect(await fitToBudget(request('short'))).toEqual([{ text: 'short' }]);
  });

  it('keeps head and tail in whole lines and names the file with all of it', async () => {
    let saved = '';
    const spill = async (text: string): Promise<string> => {
      saved = text;
      return '/tmp/t/out-7.txt';
    };
    const text = lines(5000);
    const result = textOf(await fitToBudget(request(text, { spill })));
    expect(saved).toBe(text);
    const notice =
      /\[… (\d+) bytes \((\d+) lines\) left out here\. All of it is in (\S+)\. Open it with read_file or grep_search\. …\]/.exec(
        result,
      );
    expect(notice?.[3]).toBe('/tmp/t/out-7.txt');
    const [head = '', tail = ''] = result.split(/\n\[….*…\]\n/);
    expect(text.startsWith(head) && head.endsWith('\n')).toBe(true);
    expect(text.endsWith(tail) && tail.startsWith('line ')).toBe(true);
    expect(Number(notice?.[1])).toBe(text.length - head.length - tail.length);
    expect(Number(notice?.[2])).toBe(5000 - head.split('\n').length - tail.split('\n').length + 2);
  });

  it('cuts one endless line by characters, wherever the limits fall in them', async () => {
    for (let more = 0; more < 8; more += 1) {
      const bounds = { maxBytes: limits.maxBytes + more };
      const result = textOf(await fitToBudget(request('😀'.repeat(5000), bounds)));
      expect(result).toMatch(/^(😀)+\n\[….*…\]\n(😀)+$/u);
    }
  });

  it('says so when the rest cannot be saved', async () => {
    const spill = (): Promise<string> => Promise.reject(new Error('no space left'));
    expect(textOf(await fitToBudget(request(lines(5000), { spill })))).toContain(
      'could not be saved to a file: no space left',
    );
  });

  it('replaces media over the limit by a note and keeps the others', async () => {
    const small = { inlineData: { data: 'A'.repeat(80), mimeType: 'image/png' } };
    const large = { inlineData: { data: 'A'.repeat(120), mimeType: 'image/gif' } };
    const result = await fitToBudget(request(['see', large, small]));
    expect(result).toEqual([
      { text: 'see' },
      { text: expect.stringContaining('image/gif of 90 bytes left out') },
      small,
    ]);
  });

  it('never exceeds its limits, whatever comes in', async () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc
        .string({ unit: fc.constantFrom('1', 'x', '\n', '😀', '\ud83d', 'é', '漢', '  '), maxLength: 3000 })
        .map((text) => ({ text })),
      fc.nat(300).map((length) => ({ inlineData: { data: 'A'.repeat(length), mimeType: 'image/png' } })),
    );
    const limit = fc.record({ maxBytes: fc.nat(3000), maxTokens: fc.nat(800), maxMediaBytes: fc.nat(400) });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), limit, async (content, bounds) => {
        const parts = await fitToBudget(request(content, bounds));
        const texts = parts.flatMap((one) => ('text' in one ? [one.text] : []));
        const media = parts.flatMap((one) => ('inlineData' in one ? [one.inlineData.data] : []));
        expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(bounds.maxBytes);
        expect(texts.reduce((sum, text) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(bounds.maxTokens);
        expect(media.join('').length).toBeLessThanOrEqual(bounds.maxMediaBytes);
      }),
      { numRuns: 500 },
    );
  });

  it('takes 50 MB in its stride', async () => {
    const text = lines(4_000_000);
    const started = performance.now();
    const result = textOf(await fitToBudget(request(text)));
    expect(result.length).toBeLessThan(2000);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});

describe('estimateTokens', () => {
  it('is never more for two texts joined than for both apart', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(estimateTokens(a + b)).toBeLessThanOrEqual(estimateTokens(a) + estimateTokens(b));
      }),
    );
  });

  it('counts ideographs and emoji as tokens of their own, words as parts of one', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('漢字漢字')).toBeGreaterThanOrEqual(4);
    expect(estimateTokens('function')).toBeLessThanOrEqual(3);
  });
});

describe('isSurelyWithin', () => {
  it('is true only of what fits as it is (law)', async () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 12 });
    const small = fc.record({ maxBytes: fc.nat(600), maxTokens: fc.nat(300), maxMediaBytes: fc.nat(100) });
    await fc.assert(
      fc.asyncProperty(texts, small, async (list, within) => {
        const parts = list.map((text) => ({ text }));
        if (isSurelyWithin(parts, within)) expect(await fitToBudget(request(parts, within))).toEqual(parts);
      }),
      { numRuns: 500 },
    );
  });

  it('is true of an ordinary short result, and of none with media', () => {
    expect(isSurelyWithin([{ text: 'short' }, { text: 'x'.repeat(300) }], limits)).toBe(true);
    expect(isSurelyWithin([{ inlineData: { data: '', mimeType: 'image/png' } }], limits)).toBe(false);
    expect(isSurelyWithin([{ text: '\u{1f600}'.repeat(400) }], limits)).toBe(false);
  });
});
