import { mkdirSync, readFileSync } from 'node:fs';
import { createTempConfig, createTempWorkspace, type TempConfig, type TempWorkspace } from '@tenon/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTheme } from '../themes/create-theme.js';
import type { Composer } from './composer.js';
import { bindKeys } from './key-bindings.js';
import { PromptHistory } from './history/prompt-history.js';
import { openComposer } from './open-composer.js';

let temp: TempConfig;
let base: TempWorkspace;
let stop: AbortController;
let redraws: number;
let told: string[];

beforeEach(async () => {
  temp = await createTempConfig({ entries: { 'src/composer.ts': '', 'src/other.ts': '' } });
  base = await createTempWorkspace();
  mkdirSync(base.path('tmp'));
  stop = new AbortController();
  redraws = 0;
  told = [];
});

afterEach(async () => {
  stop.abort();
  await temp.remove();
  await base.remove();
});

function open(): Composer {
  const theme = createTheme('no-colour', 'none');
  const config = {
    getSearchIndex: async () => temp.config.getSearchIndex(),
    getWorkspaceGate: () => temp.config.getWorkspaceGate(),
  };
  return openComposer({
    agent: () => ({ config, servers: undefined }),
    history: new PromptHistory({ file: base.path('history.jsonl') }),
    stage: { theme: () => theme, redraw: () => (redraws += 1), lend: async (work) => work() },
    editText: async (text, name) => `${text} edited as ${name}\n`,
    signal: stop.signal,
    bindings: bindKeys(),
    unicode: true,
    onSubmit: ({ text }) => told.push(text),
    onAction: (action) => told.push(action),
  });
}

function type(composer: Composer, text: string): void {
  for (const char of text) composer.onKey({ name: char, text: char, raw: char });
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

it('offers the files of the workspace as soon as they are listed, without a key', async () => {
  const composer = open();
  type(composer, '@comp');
  expect(composer.render({ columns: 80, rows: 24 }).lines).toEqual(['› @comp']);
  const before = redraws;
  await until(() => redraws > before && composer.render({ columns: 80, rows: 24 }).lines.length > 1);
  expect(composer.render({ columns: 80, rows: 24 }).lines).toEqual(['› @comp', '❯ src/composer.ts']);
});

it('keeps what is sent for later sessions of the project', async () => {
  const composer = open();
  type(composer, 'hello');
  composer.onKey({ name: 'enter', text: '', raw: '\r' });
  expect(told).toEqual(['hello']);
  const file = base.path('history.jsonl');
  await until(() => {
    try {
      return readFileSync(file, 'utf8').endsWith('\n');
    } catch {
      return false;
    }
  });
  const later = open();
  later.onKey({ name: 'up', text: '', raw: '' });
  expect(later.text).toBe('hello');
});

it('opens the editor of the person on what is typed', async () => {
  const composer = open();
  type(composer, 'draft');
  composer.onKey({ name: 'ctrl+g', text: '', raw: '\u0007' });
  await until(() => composer.text !== 'draft');
  expect(composer.text).toBe('draft edited as prompt.md');
});
