import { describe, expect, it } from 'vitest';
import { listPages } from './list-pages.js';

function list(pages: readonly unknown[], limits: { readonly mostPages?: number; readonly mostEntries?: number } = {}) {
  let at = 0;
  return listPages({
    key: 'tools',
    mostPages: limits.mostPages ?? 1000,
    mostEntries: limits.mostEntries ?? 50_000,
    isFatal: (error) => error instanceof RangeError,
    page: async () => {
      const page = pages[at++];
      if (page instanceof Error) throw page;
      return page;
    },
  });
}
const tool = (name: string): { readonly name: string } => ({ name });

describe('a list in pages', () => {
  it('is put together in order, with doubles', async () => {
    const { entries, problems } = await list([
      { tools: [tool('a'), tool('b')], nextCursor: '1' },
      { tools: [tool('a')], nextCursor: '' },
    ]);
    expect(entries).toEqual([tool('a'), tool('b'), tool('a')]);
    expect(problems).toEqual([]);
  });

  it('stops where it would begin again', async () => {
    const page = { tools: [tool('a')], nextCursor: 'x' };
    const { entries, problems } = await list([page, page, page, page]);
    expect(entries).toHaveLength(2);
    expect(problems).toEqual(['The list names the same next page again; it was read as far as page 2.']);
  });

  it('has limits', async () => {
    const pages = Array.from({ length: 10 }, (_, index) => ({
      tools: [tool('a'), tool('b')],
      nextCursor: String(index),
    }));
    expect((await list(pages, { mostPages: 3 })).problems[0]).toContain('more than 3 pages');
    const few = await list(pages, { mostEntries: 5 });
    expect(few.entries).toHaveLength(5);
    expect(few.problems[0]).toContain('more than 5 entries');
  });

  it('tells what is no entry, and does not tell it a thousand times', async () => {
    const { entries, problems } = await list([{ tools: [tool('a'), ...Array.from({ length: 1000 }, () => null)] }]);
    expect(entries).toEqual([tool('a')]);
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toContain('980 more');
  });

  it.each([[{}], [null], ['text'], [{ tools: 'none' }]])('is empty where there is none: %j', async (page) => {
    expect(await list([page])).toEqual({ entries: [], problems: ['Page 1 has no list `tools`.'], ttlMs: 0 });
  });

  it('keeps what came before a failure, unless all is lost', async () => {
    const first = { tools: [tool('a')], nextCursor: '1', ttlMs: 1000 };
    expect(await list([first, new Error('broken')])).toMatchObject({ entries: [tool('a')], ttlMs: 0 });
    await expect(list([new Error('broken')])).rejects.toThrow('broken');
    await expect(list([first, new RangeError('lost')])).rejects.toThrow('lost');
  });

  it('lasts as long as its shortest page', async () => {
    const pages = [
      { tools: [], nextCursor: '1', ttlMs: 5000 },
      { tools: [], ttlMs: 1000 },
    ];
    expect((await list(pages)).ttlMs).toBe(1000);
    expect((await list([{ tools: [], ttlMs: 1e12 }])).ttlMs).toBe(86_400_000);
  });
});
