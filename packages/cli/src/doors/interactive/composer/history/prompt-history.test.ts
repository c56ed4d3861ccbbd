import { appendFileSync, chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createTempWorkspace, type TempWorkspace } from '@tenon/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEPT_ENTRIES } from './history-file.js';
import { HistorySearch } from './history-search.js';
import { PromptHistory } from './prompt-history.js';

let folder: TempWorkspace;
let file: string;

beforeEach(async () => {
  folder = await createTempWorkspace();
  file = folder.path('history.jsonl');
});

afterEach(async () => folder.remove());

async function add(history: PromptHistory, ...texts: string[]): Promise<void> {
  for (const text of texts) history.add(text);
  await history.settled();
}

describe('earlier prompts', () => {
  it('are there in the next session, newest first and each once, in a file of the owner alone', async () => {
    await add(new PromptHistory({ file }), 'one', 'two\nlines', 'one');
    expect(new PromptHistory({ file }).entries()).toEqual(['one', 'two\nlines']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('do not hold what begins with a blank, nothing, or the same again', async () => {
    const history = new PromptHistory({ file });
    await add(history, ' secret', '', '  ', 'kept', 'kept');
    expect(history.entries()).toEqual(['kept']);
    expect(readFileSync(file, 'utf8')).not.toContain('secret');
  });

  it('come from all sessions that run; what this one prompted is the newest for it', async () => {
    const [a, b] = [new PromptHistory({ file }), new PromptHistory({ file })];
    await add(a, 'from a');
    await add(b, 'from b');
    expect(a.entries()).toEqual(['from a', 'from b']);
    expect(b.entries()).toEqual(['from b', 'from a']);
  });

  it('are all kept when many write at once', async () => {
    const many = Array.from({ length: 8 }, () => new PromptHistory({ file }));
    await Promise.all(
      many.map(async (history, who) => add(history, ...Array.from({ length: 5 }, (_, i) => `${who}-${i}`))),
    );
    expect(new PromptHistory({ file }).entries().length).toBe(40);
  });

  it('lose only the line that is damaged', async () => {
    await add(new PromptHistory({ file }), 'before');
    appendFileSync(file, '{"time":"2026-01-01","text":"cut');
    await add(new PromptHistory({ file }), 'after');
    expect(new PromptHistory({ file }).entries()).toEqual(['after', 'before']);
  });

  it('become fewer once there are far too many; the newest stay', async () => {
    const lines = Array.from({ length: 2 * KEPT_ENTRIES + 1 }, (_, i) => JSON.stringify({ text: `prompt ${i}` }));
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    const history = new PromptHistory({ file });
    expect(history.entries().length).toBe(KEPT_ENTRIES);
    await history.settled();
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBe(KEPT_ENTRIES);
    expect(history.entries()[0]).toBe(`prompt ${2 * KEPT_ENTRIES}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('are not read from a file that others may write or a link leads to, which is told once', async () => {
    await add(new PromptHistory({ file }), 'one');
    chmodSync(file, 0o666);
    const problems: string[] = [];
    const history = new PromptHistory({ file, onProblem: (problem) => problems.push(problem) });
    expect(history.entries()).toEqual([]);
    expect(problems.length).toBe(1);
    const link = folder.path('link.jsonl');
    symlinkSync(file, link);
    const linked = new PromptHistory({ file: link, onProblem: (problem) => problems.push(problem) });
    await add(linked, 'through the link');
    expect(readFileSync(file, 'utf8')).not.toContain('through the link');
    expect(linked.entries()).toEqual(['through the link']);
    expect(problems.length).toBe(2);
  });

  it('are remembered without a file, and very long ones without being written', async () => {
    const history = new PromptHistory({ file });
    await add(history, 'x'.repeat(300_000));
    expect(history.entries().length).toBe(1);
    expect(existsSync(file) && readFileSync(file, 'utf8') !== '').toBe(false);
    const without = new PromptHistory();
    without.add('one');
    expect(without.entries()).toEqual(['one']);
  });
});

describe('looking for an earlier prompt', () => {
  const entries = ['fix the Parser', 'write tests', 'parse the log\nand the parser', 'begin'];

  it('goes to older ones and back, without regard to case unless there is a capital letter', () => {
    const search = new HistorySearch(entries);
    expect(search.found).toBeUndefined();
    search.setQuery('parser');
    expect(search.found).toBe('fix the Parser');
    expect(search.matches).toEqual([{ from: 8, to: 14 }]);
    search.older();
    expect(search.found).toBe('parse the log\nand the parser');
    search.newer();
    expect(search.found).toBe('fix the Parser');
    search.setQuery('Parser');
    search.older();
    expect([search.found, search.isFailed]).toEqual(['fix the Parser', true]);
  });

  it('stays where it is while the text becomes longer and fits, and begins anew for another text', () => {
    const search = new HistorySearch(entries);
    search.setQuery('parse');
    search.older();
    search.setQuery('parser');
    expect(search.found).toBe('parse the log\nand the parser');
    search.setQuery('pars');
    expect(search.found).toBe('fix the Parser');
    search.setQuery('nowhere');
    expect([search.found, search.isFailed]).toEqual([undefined, true]);
  });
});
