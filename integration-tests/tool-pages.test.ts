import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '@tenon/core';
import { createTempConfig } from '@tenon/core/testing';
import { describe, expect, it } from 'vitest';
import { ownToolNames } from '../packages/core/src/testing/own-tools.js';
import { examplesOf, withPrinted, type Example } from './tool-pages/page-examples.js';
import { runExamples } from './tool-pages/page-bench.js';

const FOLDER = fileURLToPath(new URL('../docs/tools/', import.meta.url));
/** With it, the pages get what the examples print, to be read before it is believed. */
const IS_WRITING = process.env['TENON_WRITE_EXAMPLES'] === '1';

const { config, remove } = await createTempConfig();
const names = ownToolNames(config);
await remove();
const settings: ReadonlySet<string> = new Set(SETTINGS.map(({ key }) => key));

const read = (tool: string): Promise<string> => readFile(path.join(FOLDER, `${tool}.md`), 'utf8');

function calls(example: Example, tool: string): boolean {
  if (example.kind === 'call') return example.call.tool === tool;
  return example.kind === 'command' && example.script.includes(`tenon call ${tool} `);
}

describe('the pages of the tools', () => {
  it('are one for each tool, and no other (S141)', async () => {
    const pages = (await readdir(FOLDER)).filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3));
    expect(names.length).toBeGreaterThan(20);
    expect(pages.toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('%s: what the examples print is what the page says (S141)', async (name) => {
    const page = await read(name);
    const examples = examplesOf(page);
    expect(examples.some((example) => calls(example, name))).toBe(true);
    const printed = await runExamples(examples);
    const shown = examples.flatMap((example) => ('prints' in example ? [example] : []));
    if (IS_WRITING) {
      const texts = new Map(shown.map(({ at }, index) => [at, printed[index] ?? '']));
      await writeFile(path.join(FOLDER, `${name}.md`), withPrinted(page, texts));
    } else expect(printed).toEqual(shown.map(({ prints }) => prints));
  });

  it.each(names)('%s: links lead to files, and settings are ones that there are (S141)', async (name) => {
    const page = await read(name);
    const prose = page.replaceAll(/^(`{3,}).*?^\1$/gms, '');
    const links = Array.from(prose.matchAll(/\]\(([^)#]+)[^)]*\)/g), ([, target = '']) => target);
    expect(links.some((link) => link.startsWith('../guide/'))).toBe(true);
    for (const link of links) expect(existsSync(path.join(FOLDER, link)), link).toBe(true);
    const [, section = ''] = /^## Settings$(.*?)^## /ms.exec(page) ?? [];
    for (const [, key = ''] of section.matchAll(/`([\w.]+)`/g)) expect(settings.has(key), key).toBe(true);
  });
});
