import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { GrepTool, type GrepData, type GrepToolParams } from './grep.js';

const { config, workspace, remove, reset } = await createTempConfig();
afterAll(remove);
beforeEach(reset);

const { signal } = new AbortController();

interface Answer {
  readonly text: string;
  readonly data: GrepData;
}

async function grep(engine: 'auto' | 'javascript', params: GrepToolParams): Promise<Answer> {
  const { llmContent, data } = await new GrepTool(config, { engine }).execute(params, signal);
  return { text: typeof llmContent === 'string' ? llmContent : '', data: data as GrepData };
}

/** The lines that match on all pages, one after the other. */
async function matchesOnPages(engine: 'auto' | 'javascript', params: GrepToolParams): Promise<number[]> {
  const lines: number[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { text, data } = await grep(engine, { ...params, offset });
    expect(text).not.toContain('changed while it was searched');
    lines.push(...data.files.flatMap((file) => file.matches ?? []).map(({ line }) => line));
    const next = /Next: offset=(\d+)/.exec(text)?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  return lines;
}

describe.each(['auto', 'javascript'] as const)('pages deep in one file (%s)', (engine) => {
  it('show every match once, whatever context is asked for', async () => {
    const log = Array.from({ length: 20_000 }, (_, at) =>
      at % 50 === 0 ? `ERROR ${at}` : `INFO request ${at} handled`,
    );
    await workspace.write({ 'app.log': `${log.join('\n')}\n` });
    const wanted = Array.from({ length: 400 }, (_, at) => at * 50 + 1);
    for (const context of [0, 6, 20, 50])
      expect([context, await matchesOnPages(engine, { pattern: 'ERROR', path: 'app.log', context })]).toEqual([
        context,
        wanted,
      ]);
  });

  it('show every match that spans lines', async () => {
    await workspace.write({ blocks: 'start\nmid\nend\nother\n'.repeat(3_000) });
    const params = { pattern: 'start\\nmid\\nend', multiline: true, path: 'blocks' };
    for (const offset of [0, 1_000, 2_000, 2_999]) {
      const { text, data } = await grep(engine, { ...params, offset });
      expect(text).not.toContain('changed while it was searched');
      expect(data.files[0]?.matches?.[0]?.line).toBe(4 * offset + 1);
    }
  });

  it('show a long line around the first match of the page', async () => {
    const line = `${'x'.repeat(3_000)}a1${'y'.repeat(3_000)}a2${'z'.repeat(3_000)}a3`;
    await workspace.write({ long: `start\n${line}\nend\n` });
    const params = { pattern: 'a\\d', multiline: true, path: 'long', limit: 1, context: 1 };
    for (const [offset, column] of [3_001, 6_003, 9_005].entries()) {
      const { text, data } = await grep(engine, { ...params, offset });
      expect(data.files[0]?.matches).toMatchObject([{ line: 2, column }]);
      expect(data.files[0]?.matches[0]?.text).toContain(`a${offset + 1}`);
      expect(text).toContain('\n3- end');
    }
  });

  it('show all lines of a long match', async () => {
    await workspace.write({ gap: `a\n${'\n'.repeat(2_500)}b\n` });
    const { text } = await grep(engine, { pattern: 'a\\s+b', multiline: true, path: 'gap' });
    expect(text).toContain('\n2502: b\n');
  });
});
