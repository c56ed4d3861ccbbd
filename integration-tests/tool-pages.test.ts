import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApprovalMode, createToolSystem, ToolNames, type ToolSystem } from '@tenon/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplesOf, withPrinted } from './tool-pages/page-examples.js';
import { runExamples } from './tool-pages/page-bench.js';

const FOLDER = fileURLToPath(new URL('../docs/tools/', import.meta.url));
/** With it, the pages get what the examples print, to be read before it is believed. */
const IS_WRITING = process.env['TENON_WRITE_EXAMPLES'] === '1';

const names = Object.entries(Object.getOwnPropertyDescriptors(ToolNames))
  .filter(([key]) => key === key.toUpperCase())
  .map(([, { value }]) => String(value));

const read = (tool: string): Promise<string> => readFile(path.join(FOLDER, `${tool}.md`), 'utf8');

describe('the pages of the tools', () => {
  it('are one for each tool, and no other (S141)', async () => {
    const pages = (await readdir(FOLDER)).filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3));
    expect(pages.toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('%s: what the examples print is what the page says (S141)', async (name) => {
    const page = await read(name);
    const examples = examplesOf(page).filter(({ kind }) => kind !== 'arguments');
    const printed = await runExamples(examples);
    const shown = examples.flatMap((example) => ('prints' in example ? [example] : []));
    if (IS_WRITING) {
      const texts = new Map(shown.map(({ at }, index) => [at, printed[index] ?? '']));
      await writeFile(path.join(FOLDER, `${name}.md`), withPrinted(page, texts));
    } else expect(printed).toEqual(shown.map(({ prints }) => prints));
    expect(shown.length).toBeGreaterThan(0);
  });
});

describe('arguments on the pages', () => {
  let base: string;
  let system: ToolSystem;

  beforeAll(async () => {
    base = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-pages-')));
    const places = { roots: [base], tenonHome: path.join(base, 'home'), userHome: base };
    system = await createToolSystem({ ...places, approvalMode: ApprovalMode.DEFAULT, rules: [], environment: {} });
  });

  afterAll(async () => {
    await system.close();
    await rm(base, { recursive: true, force: true });
  });

  it.each(names)('%s: are taken by the tool, where no example runs with them (S141)', async (name) => {
    for (const example of examplesOf(await read(name))) {
      if (example.kind !== 'arguments') continue;
      const tool = system.config.getToolRegistry().getTool(example.call.tool);
      const args = JSON.parse(JSON.stringify(example.call.args).replaceAll('/home/you/project', base)) as object;
      expect(tool?.validateToolParams(args), JSON.stringify(example.call)).toBe(null);
    }
  });
});
