import { randomBytes } from 'node:crypto';
import { readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
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

describe('what JavaScript cannot do, or not in time, in texts that are decoded', () => {
  const long = `caf\xe9 ${'e'.repeat(3000)}\n`;
  const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

  it('is left to ripgrep, quickly, and the total is exact', { timeout: 30_000 }, async () => {
    const names = Array.from({ length: 8 }, (_, at) => `latin${at}.txt`);
    const entries = Object.fromEntries(names.map((name) => [name, bytes(`${long}caf\xe9 x = 1\n`)]));
    const temp = await workspaceOf({ ...entries, 'ok.txt': 'x = 1\n' });
    const start = performance.now();
    const text = await said(temp, { pattern: 'e.*e.*e.*zz$|x = 1' }, 'ripgrep');
    expect(performance.now() - start).toBeLessThan(8_000);
    expect(text).toContain('Found 9 matches in 9 files');
    expect(text).not.toContain('could not be');
    expect(text).toContain('latin7.txt\n2: café x = 1');
  });

  it('is left to ripgrep where a line is too long', { timeout: 60_000 }, async () => {
    const line = Buffer.concat([Buffer.alloc(14_000_000, 'e'), bytes('\n\xff e qq\n')]);
    const temp = await workspaceOf({ 'big.txt': line, 'ok.txt': 'e qq\n' });
    const text = await said(temp, { pattern: 'e.*qq' }, 'ripgrep');
    expect(text).toContain('Found 2 matches in 2 files');
    expect(text).toContain('big.txt\n1- eee');
    expect(text).toContain('\n2: ÿ e qq');
  });

  it.each<[string, Partial<GrepToolParams>, string]>([
    ['\\K', { pattern: 'a\\Kb' }, '4: ab\n'],
    ['recursion', { pattern: '(?:a(?R)?b)' }, '4: ab\n'],
    ['a pattern over lines', { pattern: 'c\\Kd\\n\\Kaab', multiline: true }, '3: aabb'],
    ['a pattern over lines that shows later pages', { pattern: 'a\\Kb', multiline: true, offset: 1 }, '4: ab'],
    ['an end of the line', { pattern: 'a\\Kb$' }, '4: ab'],
  ])('%s is found in files of all encodings, with lines of every end', async (_name, params, line) => {
    const body = 'caf\xe9\ncd\naabb\nab\n';
    const [unix, dos] = [body, body.replaceAll('\n', '\r\n')];
    const texts = { unix, dos, mixed: `${unix}${dos}`, mixedToo: `${dos}${unix}`, last: unix.slice(0, -1) };
    const temp = await workspaceOf({
      ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}.latin`, bytes(text)])),
      ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}.utf8`, text])),
    });
    for (const name of readdirSync(temp.workspace.root)) utimesSync(temp.workspace.path(name), 9_000, 9_000);
    const [inLatin = '', inUtf8 = ''] = await Promise.all(
      ['latin', 'utf8'].map(async (encoding) => {
        const text = await said(
          temp,
          { context: 1, ...params, pattern: params.pattern ?? '', glob: `*.${encoding}` },
          'ripgrep',
        );
        return text.replaceAll(`.${encoding}`, '');
      }),
    );
    expect(inLatin).toContain(line);
    expect(inLatin).toBe(inUtf8);
  });

  it('is found around the match in a line of any length, and by its place', { timeout: 30_000 }, async () => {
    const line = `${'x'.repeat(12_000_000)}ab${'y'.repeat(1_000)}\n`;
    const temp = await workspaceOf({ 'a.latin': bytes(`caf\xe9\n${line}`), 'a.utf8': `café\n${line}` });
    const [one, other] = [
      await said(temp, { pattern: 'a\\Kb', path: 'a.latin' }, 'ripgrep'),
      await said(temp, { pattern: 'a\\Kb', path: 'a.utf8' }, 'ripgrep'),
    ];
    expect(one).toContain('[long line cut; match at column 12,000,002 of 12,001,002]');
    expect(one.replaceAll('a.latin', 'a.utf8')).toBe(other);
  });

  it('is refused where ripgrep refuses it too', async () => {
    const temp = await workspaceOf({ 'latin.txt': bytes('caf\xe9\r\nab\n') });
    for (const pattern of ['a\\K(b', 'a(?=b)(']) {
      const text = await said(temp, { pattern }, 'ripgrep');
      expect(text).toMatch(/\^/);
      expect(text).not.toContain('Found');
    }
  });

  it('ends with the caller', { timeout: 30_000 }, async () => {
    const temp = await workspaceOf({ 'latin.txt': bytes(`caf\xe9 ${'a'.repeat(5_000)}!\n`.repeat(40)) });
    const start = performance.now();
    const run = new GrepTool(temp.config, { engine: 'ripgrep' }).execute(
      { pattern: '(?:a+)+b(?=x)' },
      AbortSignal.timeout(700),
    );
    await run.catch(() => undefined);
    expect(performance.now() - start).toBeLessThan(6_000);
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

describe('lines that could not be read', () => {
  it.each(ENGINES)('are told with the reason: %s', async (engine) => {
    const { config, workspace } = await workspaceOf({ 'latin.txt': latin('needle\n') });
    const invocation = new GrepTool(config, { engine }).build({ pattern: 'needle' });
    const { llmContent } = await invocation.execute(new AbortController().signal, () =>
      writeFileSync(workspace.path('latin.txt'), Buffer.alloc(100)),
    );
    expect(llmContent).toContain(
      `${workspace.path('latin.txt')}\n[its lines could not be read: it changed while it was searched]`,
    );
  });
});
