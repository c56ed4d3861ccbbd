import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, realpath, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));
const GENERATE = fileURLToPath(new URL('../scripts/generate-docs.mjs', import.meta.url));

const ITEM = /^- \[([^\]]+)\]\(([^)]+)\): (.+)$/;
const index = readFile(path.join(DOCS, 'llms.txt'), 'utf8');

async function linksOf(text: string): Promise<string[]> {
  return Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, target = '']) => target);
}

async function pages(): Promise<string[]> {
  const all = await readdir(DOCS, { recursive: true });
  return all.filter((file) => file.endsWith('.md')).map((file) => file.split(path.sep).join('/'));
}

describe('the index for models', () => {
  it('has every page of the documentation, each once (S144)', async () => {
    expect((await linksOf(await index)).toSorted()).toEqual((await pages()).toSorted());
  });

  it('leads to files that are there (S144)', async () => {
    for (const link of await linksOf(await index))
      expect((await stat(path.join(DOCS, link))).isFile(), link).toBe(true);
  });

  it('is a title, a summary in a quote, and sections of links with a sentence each (S144)', async () => {
    const [title, summary, about = '', ...sections] = (await index).trimEnd().split('\n\n');
    expect(title).toMatch(/^# \S+$/);
    expect(summary).toMatch(/^> .+\.$/);
    expect(about).not.toMatch(/^[#>-]/);
    expect(sections.length).toBeGreaterThan(4);
    expect(sections.length % 2).toBe(0);
    for (const [position, section] of sections.entries()) {
      if (position % 2 === 0) expect(section).toMatch(/^## .+$/);
      else for (const line of section.split('\n')) expect(line.replace(ITEM, '$3')).toMatch(/^\S.{10,}[.!?…]$/);
    }
  });
});

describe('the check of the generated documentation', () => {
  let folder: string;
  let docs: string;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-docs-')));
    docs = path.join(folder, 'docs');
    await cp(DOCS, docs, { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const check = (...options: string[]): Promise<string> =>
    new Promise((resolve) => {
      execFile(process.execPath, [GENERATE, '--docs', docs, ...options], (_error, _stdout, stderr) => resolve(stderr));
    });

  it('is content with what is there', async () => {
    expect(await check('--check')).toBe('');
  });

  it('finds a tool without a page, a page without a tool, what is stale in a page, and what the index lacks (S141, S144)', async () => {
    const edit = path.join(docs, 'tools', 'edit.md');
    const text = await readFile(edit, 'utf8');
    await writeFile(edit, text.replace('What the model is told', 'What it is told'));
    expect(await readFile(edit, 'utf8')).not.toBe(text);
    await unlink(path.join(docs, 'tools', 'glob.md'));
    await writeFile(path.join(docs, 'tools', 'dig.md'), '# dig\n\nDigs.\n');
    await writeFile(path.join(docs, 'guide', 'beds.md'), '# Beds\n\nAbout beds.\n');
    const found = (await check('--check')).trimEnd().split('\n');
    expect(found.toSorted()).toEqual([
      'docs/llms.txt is not current: run node scripts/generate-docs.mjs',
      'docs/reference/tools.md is not current: run node scripts/generate-docs.mjs',
      'docs/tools/dig.md is of no tool: remove it',
      'docs/tools/edit.md is not current: run node scripts/generate-docs.mjs',
      'docs/tools/glob.md is missing: write it, as the others are',
    ]);
  });

  it('is content again once all of it was made anew', async () => {
    await unlink(path.join(docs, 'tools', 'dig.md'));
    await cp(path.join(DOCS, 'tools', 'glob.md'), path.join(docs, 'tools', 'glob.md'));
    expect(await check()).toBe('');
    expect(await check('--check')).toBe('');
    expect(await readFile(path.join(docs, 'llms.txt'), 'utf8')).toContain('- [Beds](guide/beds.md): About beds.\n');
  });
});
