import { randomBytes } from 'node:crypto';
import { truncateSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { createTempConfig, type TempConfig } from '../testing/temp-config.js';
import type { WorkspaceEntry } from '../testing/temp-workspace.js';
import { GrepTool, type GrepToolParams } from './grep.js';

const MEGABYTES = 1024 * 1024;
const ENGINES = ['ripgrep', 'javascript'] as const;
type Engine = (typeof ENGINES)[number];

let temps: TempConfig[] = [];
afterEach(async () => {
  await Promise.all(temps.splice(0).map(async ({ remove }) => remove()));
  temps = [];
});

async function workspaceOf(entries: Record<string, WorkspaceEntry>): Promise<TempConfig> {
  const temp = await createTempConfig({ entries });
  temps.push(temp);
  return temp;
}

async function said({ config, workspace }: TempConfig, params: GrepToolParams, engine: Engine): Promise<string> {
  const { llmContent } = await new GrepTool(config, { engine }).execute(params, new AbortController().signal);
  return (llmContent as string).replaceAll(`${workspace.root}/`, '');
}

/** Latin-1, with a last line that is no UTF-8. */
const latin = (text: string): Buffer => Buffer.from(`${text}caf\xe9\n`, 'latin1');

describe('a file that is too much for JavaScript', () => {
  it('is left out, with a reason, and ends no search', { timeout: 60_000 }, async () => {
    const line = Buffer.concat([Buffer.alloc(14_000_000, 'e'), Buffer.from('\n\xff\n', 'latin1')]);
    const temp = await workspaceOf({ 'big.txt': line, 'ok.txt': 'e qq\n' });
    const text = await said(temp, { pattern: 'e.*qq', output_mode: 'count' }, 'javascript');
    expect(text).toContain('1 ok.txt');
    expect(text).toContain(
      'big.txt: it, or a line in it, is too long for this pattern without ripgrep: simplify the pattern, or install ripgrep',
    );
  });
});

describe('matches over very many lines', () => {
  const log = Array.from({ length: 120_000 }, (_, at) => `line ${at} of a log that is long enough\n`).join('');

  it.each([
    ['UTF-8', log],
    ['a legacy encoding', latin(log)],
  ])('are shown alike by both engines, also behind others: %s', { timeout: 90_000 }, async (_name, content) => {
    const temp = await workspaceOf({ 'l.log': content });
    for (const params of [
      { pattern: 'line 10 .*\\n' },
      { pattern: 'line [1-4]0000.*?(?=line [2-5]0000)', offset: 1 },
      { pattern: 'line [1-4]0000.*?line [2-5]0001', offset: 2, limit: 1 },
    ]) {
      const [ripgrep, javascript] = [
        await said(temp, { ...params, multiline: true }, 'ripgrep'),
        await said(temp, { ...params, multiline: true }, 'javascript'),
      ];
      expect(ripgrep).toMatch(/^\d+: .*line \d+ of a log/m);
      expect(javascript).toBe(ripgrep);
    }
  });
});

describe('large binary files', () => {
  it.each(ENGINES)('are counted as binary, whatever their lines are: %s', { timeout: 60_000 }, async (engine) => {
    const temp = await workspaceOf({ 'ok.txt': 'x = 1\n' });
    const place = (name: string): string => temp.workspace.path(name);
    writeFileSync(place('disk.img'), '');
    truncateSync(place('disk.img'), 100 * MEGABYTES);
    writeFileSync(place('video.mp4'), Buffer.alloc(70 * MEGABYTES, randomBytes(MEGABYTES)));
    for (const multiline of [false, true]) {
      const text = await said(temp, { pattern: 'x = \\d', multiline }, engine);
      expect(text).toContain('Found 1 match in');
      expect(text).toContain('2 binary');
      expect(text).not.toContain('could not be');
    }
  });

  it.each(ENGINES)('are too large where only their end is none: %s', { timeout: 60_000 }, async (engine) => {
    const temp = await workspaceOf({ 'ok.txt': 'x = 1\n' });
    const late = Buffer.alloc(65 * MEGABYTES, 'a line, or é\r');
    writeFileSync(temp.workspace.path('late.txt'), Buffer.concat([late, Buffer.from([0])]));
    for (const multiline of [false, true]) {
      const text = await said(temp, { pattern: 'x = \\d', multiline }, engine);
      expect(text).toContain('Found 1 match in');
      expect(text).toContain('1 file too large');
    }
  });
});
