import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { GrepTool, type GrepData, type GrepOptions, type GrepToolParams } from './grep.js';
import type { ToolResult } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
afterEach(reset);
afterAll(remove);

const engines = ['ripgrep', 'javascript'] as const;

async function grep(params: GrepToolParams, options: GrepOptions = {}): Promise<ToolResult> {
  return new GrepTool(config, options).execute(params, new AbortController().signal);
}

const textOf = ({ llmContent }: ToolResult): string =>
  typeof llmContent === 'string' ? llmContent : JSON.stringify(llmContent);
const dataOf = (result: ToolResult): GrepData => result.data as GrepData;
const shownOf = (result: ToolResult): string[] =>
  dataOf(result).files.flatMap(({ path, matches }) => matches.map(({ line }) => `${path}:${line}`));

describe.each(engines)('a page of matches that may span lines, with %s', (engine) => {
  it('has the lines of its own matches where it is shortened, and says which they are', async () => {
    const lines = Array.from({ length: 14 }, (_, at) => `hit ${at + 1} ${'w'.repeat(450)}\n`).join('');
    await workspace.write({ 'a.txt': lines, 'b.txt': lines, 'c.txt': lines, 'd.txt': lines });
    const shown: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const result = await grep({ pattern: 'hit', multiline: true, offset }, { engine });
      const page = shownOf(result);
      const end: number = dataOf(result).next ?? 56;
      expect(page.length).toBe(end - offset);
      for (const { first, last, lines: held } of labelled(textOf(result))) expect(held).toBe(last - first + 1);
      if (offset === 0) expect(textOf(result)).toContain(`[Too long: this page ends after ${end} matches.]`);
      shown.push(...page);
      offset = dataOf(result).next;
    }
    expect(shown.length).toBe(56);
    expect(new Set(shown).size).toBe(56);
  });

  it('shows the line of a match of which an earlier page has shown another', async () => {
    await workspace.write({ 'c.txt': 'foo foo foo\n', 'd.txt': 'foo foo\nfoo\n' });
    const page = async (path: string, limit: number, offset: number): Promise<string[]> =>
      shownOf(await grep({ pattern: 'foo', multiline: true, path, limit, offset }, { engine })).map((each) =>
        each.slice(each.lastIndexOf(':') + 1),
      );
    for (const offset of [0, 1, 2]) expect(await page('c.txt', 1, offset)).toEqual(['1']);
    expect(await page('d.txt', 2, 1)).toEqual(['1', '2']);
    expect(await page('d.txt', 1, 2)).toEqual(['2']);
  });

  it('shows the lines of all of its matches, however few have something in them', async () => {
    await workspace.write({ 'a.js': 'if (a) {\n\n  b;\n\n}\n' });
    const page = async (pattern: string, limit: number, offset: number): Promise<string[]> =>
      shownOf(await grep({ pattern, multiline: true, limit, offset, context: 0 }, { engine })).map((each) =>
        each.slice(each.lastIndexOf(':') + 1),
      );
    expect(await page('\\s*$', 200, 0)).toEqual(['1', '3', '5']);
    expect(await page('[^a-z]*\\B', 200, 0)).toEqual(['1', '2', '3', '4', '5']);
    expect([await page('\\s*$', 1, 0), await page('\\s*$', 1, 1), await page('\\s*$', 1, 2)]).toEqual([
      ['1'],
      ['3'],
      ['5'],
    ]);
  });

  it('shows the line in which its first match begins', async () => {
    await workspace.write({ 'x.txt': 'x a\nb x a\nb x a\nb\n' });
    const page = async (offset: number): Promise<string> =>
      textOf(await grep({ pattern: 'a\\nb', multiline: true, limit: 1, offset, context: 0 }, { engine }));
    expect(await page(0)).toContain('x.txt\n1: x a\n2: b x a\n[match 1 of 3 in this file]');
    expect(await page(1)).toContain('x.txt\n2: b x a\n3: b x a\n[match 2 of 3 in this file]');
    expect(await page(2)).toContain('x.txt\n3: b x a\n4: b\n[match 3 of 3 in this file]');
  });

  it('shows as much as fits of a match that is too long, and says what reads on', async () => {
    const long = `start\n${'and what is between\n'.repeat(1_500)}stop\n`;
    const wide = `start\n${`${'wide '.repeat(20)}\n`.repeat(300)}stop\n`;
    await workspace.write({ 'one.txt': long, 'two.txt': wide.repeat(2) });
    const params = { pattern: 'start.*?stop', multiline: true, path: 'one.txt' };
    for (const limit of [1, 200]) {
      const text = textOf(await grep({ ...params, limit }, { engine }));
      const [, next] =
        /\[Too long: the match itself does not fit(?:, without context)?\. read_file with offset=(\d+) shows/.exec(
          text,
        ) ?? [];
      expect(text).toContain(`\n${Number(next) - 1}: and what is between\n[first lines of match 1 of 1 in this file]`);
      expect(text).not.toContain('smaller limit');
    }
    const first = await grep({ ...params, path: 'two.txt' }, { engine });
    expect(textOf(first)).toContain('[first lines of match 1 of 2 in this file]');
    expect(dataOf(first)).toMatchObject({ step: 'first-lines', next: 1 });
    const second = textOf(await grep({ ...params, path: 'two.txt', offset: 1 }, { engine }));
    expect(second).toContain('two.txt\n303: start\n');
    expect(second).toContain('[first lines of match 2 of 2 in this file]');
  });
});

interface Block {
  readonly first: number;
  readonly last: number;
  readonly lines: number;
}

/** The blocks of an answer that say which matches they have. */
function labelled(text: string): Block[] {
  return text.split('\n\n').flatMap((block) => {
    const [label, first, last] = /^\[matches (\d+)-(\d+) of \d+ in this file\]$/m.exec(block) ?? [];
    return label === undefined
      ? []
      : [{ first: Number(first), last: Number(last), lines: block.match(/^\d+: /gm)?.length ?? 0 }];
  });
}

it.each(engines)(
  'pages of matches that span lines show all lines of their matches, and no other, with %s',
  async (engine) => {
    const patterns = ['a', 'a\\nb', 'a[^c]*?b', 'b\\s+a', 'a b|b\\na', 'c\\n'];
    const text = fc
      .array(fc.constantFrom('a', 'b', ' ', '\n', 'c'), { minLength: 1, maxLength: 40 })
      .map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom(...patterns),
        fc.integer({ min: 1, max: 3 }),
        async (content, pattern, limit) => {
          await workspace.write({ 'p.txt': content });
          const spans = Array.from(content.matchAll(new RegExp(pattern, 'g')), ({ index, 0: { length } }) => ({
            from: lineAt(content, index),
            to: lineAt(content, index + length - 1),
          }));
          const tool = new GrepTool(config, { engine });
          for (let offset = 0; offset < spans.length; offset += limit) {
            const params = { pattern, multiline: true, path: 'p.txt', limit, offset, context: 0 };
            const lines = shownOf(await tool.execute(params, new AbortController().signal)).map((each) =>
              Number(each.slice(each.lastIndexOf(':') + 1)),
            );
            const wanted = new Set(
              spans
                .slice(offset, offset + limit)
                .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at)),
            );
            expect([content, lines]).toEqual([content, Array.from(wanted)]);
          }
        },
      ),
      { numRuns: 20, examples: [['a\nb\na\nb\n', 'a\\nb', 1]] },
    );
  },
  60_000,
);

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
