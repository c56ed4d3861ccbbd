import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { convertPage, type ConvertLimits } from './convert-page.js';
import { wordsOfMarkup } from './markup-words.js';

let folder: string;
const never = new AbortController().signal;
const task = {
  html: '<p>One &amp; <b>two</b></p><script>evil()</script><p>three</p>',
  url: 'https://a.example/',
  format: 'markdown',
} as const;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-page-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Limits with a thread that runs this. */
function running(code: string, more: Partial<ConvertLimits> = {}): ConvertLimits {
  const worker = join(folder, 'worker.mjs');
  writeFileSync(worker, `import { parentPort, workerData } from 'node:worker_threads';\n${code}`);
  return { inThreadFrom: { chars: 10, depth: 40 }, milliseconds: 5000, megabytes: 64, worker, ...more };
}

describe('a page that is large or deep', () => {
  it('is made out in a thread, with what it is told', async () => {
    const limits = running('parentPort.postMessage({ content: { ...workerData, text: "done" } })');
    expect(await convertPage(task, never, limits)).toMatchObject({ text: 'done', url: task.url, format: 'markdown' });
    const large = { ...limits, inThreadFrom: { chars: 1000, depth: 40 } };
    expect((await convertPage(task, never, large)).text).toContain('**two**');
    expect((await convertPage({ ...task, html: '<div>'.repeat(50) }, never, large)).text).toBe('done');
  });

  it.each([
    ['hangs', 'for (;;);', /^it could not be made out within 0\.3 s$/],
    ['waits for ever', 'setInterval(() => {}, 1000);', /^it could not be made out within 0\.3 s$/],
    ['throws', 'throw new Error("x");', /^it is too tangled/],
    ['leaves', 'process.exit(3);', /^it is too tangled/],
    ['takes all memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length));', /^it is too tangled/],
  ])('is given as its bare words where the thread %s, and that is said', async (_how, code, why) => {
    const milliseconds = why.source.includes('within') ? 300 : 20_000;
    const converted = await convertPage(task, never, running(code, { milliseconds, megabytes: 16 }));
    expect(converted).toMatchObject({ text: 'One & two\n\nthree', isArticle: false });
    expect(converted.isBare).toMatch(why);
  });

  it.each([
    ['signs that begin no tag', '<'.repeat(2_000_000), /^<{1000}/],
    ['the same with blanks', `<p>first</p>${'< '.repeat(1_000_000)}`, /^first\n(?:< ){1000}/],
    ['quotes', '<"'.repeat(500_000), /^(?:<"){1000}/],
    ['references', '&'.repeat(2_000_000), /^&{1000}/],
    ['tags', '<b>a'.repeat(300_000), /^a{1000}/],
    ['empty comments', `${'<!--'.repeat(500_000)}-->last`, /^last$/],
  ])('is given as its bare words, at once, where it is mostly %s', async (_what, html, expected) => {
    const converted = await convertPage({ ...task, html }, never, running('for (;;);'));
    expect(converted.text).toMatch(expected);
    expect(converted.isBare).toMatch(/^it is too tangled/);
  });

  it('fails as the thread says', async () => {
    const limits = running('parentPort.postMessage({ failed: { code: "read_content_failure", message: "too deep" } })');
    await expect(convertPage(task, never, limits)).rejects.toMatchObject({
      code: 'read_content_failure',
      message: 'too deep',
    });
  });

  it('is given up at once with its call, and the thread with it', async () => {
    const ending = new AbortController();
    const began = performance.now();
    setTimeout(() => ending.abort(new Error('enough')), 100);
    await expect(convertPage(task, ending.signal, running('for (;;);'))).rejects.toThrow('enough');
    expect(performance.now() - began).toBeLessThan(1500);
    await expect(convertPage(task, AbortSignal.abort(new Error('before')), running(''))).rejects.toThrow('before');
  });
});

describe('the bare words of a page', () => {
  it.each([
    ['<h1>a</h1>b<br>c', 'a\nb\nc'],
    ['a<!-- <p>no</p> -->b', 'ab'],
    ['<STYLE>p{}</STYLE>x<script src=y>if (a<b) {}</script >y<script>rest', 'xy'],
    ['1 < 2 &lt;3&gt; &#65;&#x42;&nope;&#0;&#xd800;', '1 < 2 <3> AB&nope;\uFFFD\uFFFD'],
    ['<a title="', ''],
    ['<p>  a \t b  </p>\n\n\n\n<p>c', 'a b\n\nc'],
  ])('of %j', (html, text) => {
    expect(wordsOfMarkup(html)).toBe(text);
  });

  it('are had in one pass, whatever the page is', () => {
    for (const piece of ['<', '<!--', '<script>', '<svg></svg', '</', '&#', '<p ', '\n ', '<a>', '</script'])
      expect(timeOf(() => wordsOfMarkup(piece.repeat(200_000)))).toBeLessThan(3000);
    const bits = fc.constantFrom('<', '>', '!--', '-->', 'script', '/', 'p', ' ', '\n', '&', '#', ';', 'x', '"');
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 60 }), (parts) => {
        expect(wordsOfMarkup(parts.join('')).length).toBeLessThanOrEqual(parts.join('').length);
      }),
    );
  });
});

function timeOf(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
