import { afterEach, describe, expect, it } from 'vitest';
import type { ContextReport } from '@tenon/core';
import { contextLines } from './context.js';
import { costLines } from './cost.js';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

afterEach(async () => bench?.close());

const REPORT: ContextReport = {
  window: 100_000,
  used: 41_500,
  compactsAt: 80_000,
  parts: [
    { kind: 'tools', name: 'edit', tokens: 1_000 },
    { kind: 'tools', name: 'grep\u001b[2J', tokens: 2_000 },
    { kind: 'system', name: '', tokens: 500 },
    { kind: 'results', name: 'read_file', tokens: 38_000 },
  ],
};

describe('/context', () => {
  it('shows a bar for each kind, the largest first, and what it is made of', () => {
    const lines = contextLines(REPORT, { columns: 80, unicode: true });
    expect(lines[0]).toBe('About 41,500 of 100,000 tokens are used (42 %).');
    expect(lines[1]).toBe(`  results of calls     38,000  ${'█'.repeat(11)}${'░'.repeat(19)} 38 %`);
    expect(lines[2]).toBe('       38,000  read_file');
    expect(lines.slice(3, 6).join('\n')).toContain(String.raw`grep\u{1b}[2J`);
    expect(lines.at(-2)).toContain('free');
    expect(lines.at(-1)).toContain('From 80,000 on');
  });

  it('uses ASCII where there is nothing else, and fits into 40 columns', () => {
    const lines = contextLines({ ...REPORT, parts: REPORT.parts.slice(2) }, { columns: 40, unicode: false });
    expect(lines.every((line) => /^[\x20-\x7e]*$/.test(line))).toBe(true);
    const bars = lines.filter((line) => line.includes('%') && line.startsWith('  '));
    expect(bars.map((line) => line.length).every((length) => length <= 41)).toBe(true);
  });

  it('counts what it does not list', () => {
    const parts = Array.from({ length: 12 }, (_, index) => ({
      kind: 'tools' as const,
      name: `t${index}`,
      tokens: index + 1,
    }));
    const lines = contextLines({ window: 1000, used: 78, parts }, { columns: 80, unicode: true });
    expect(lines.filter((line) => /^ +\d+  t\d+$/.test(line))).toHaveLength(8);
    expect(lines.join('\n')).toContain('10  4 others');
  });

  it('tells of a real session', async () => {
    bench = await createCommandBench({ turns: [{ text: 'Hello.' }] });
    await bench.prompt('Hi');
    const shown = await bench.say('/context');
    for (const kind of ['system prompt', 'tools', 'your words', 'answers', 'free'])
      expect(shown).toContain(`  ${kind}`);
  });
});

describe('/cost', () => {
  it('tells what the session and its last prompt used', async () => {
    const usage = { inputTokens: 1_200, outputTokens: 30, cachedInputTokens: 200 };
    bench = await createCommandBench({
      turns: [
        { text: 'One.', usage },
        { text: 'Two.', usage: { inputTokens: 2_000, outputTokens: 40 } },
      ],
    });
    await bench.prompt('Hi');
    await bench.prompt('Again');
    const shown = await bench.say('/cost');
    expect(shown).toContain('input     3,200 tokens, of which 200 from the cache\n');
    expect(shown).toContain('requests  2\n');
    expect(shown).toMatch(/The last prompt \(1 turn, 0 calls\)\n {2}input +2,000 tokens\n {2}output +40 tokens/);
    expect(shown).toContain('model.prices');
  });

  it('tells the cost where prices are known', () => {
    const lines = costLines(
      { inputTokens: 7000, cachedInputTokens: 6000, cacheWriteTokens: 1, outputTokens: 1, requests: 1, cost: 0.01234 },
      undefined,
    );
    expect(lines.join('\n')).toContain('cost      0.0123, by the prices of the settings');
    expect(lines.join('\n')).toContain('7,000 tokens, of which 6,000 from the cache, 1 written to it');
  });
});
