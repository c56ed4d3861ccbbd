import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { tidyTemp } from './tidy-temp.js';

let temp: TempWorkspace;
const NOW = Date.parse('2026-01-31T00:00:00Z');
const id = (digit: number): string => `shell-00000000-0000-0000-0000-00000000000${digit}.txt`;

beforeEach(async () => {
  temp = await createTempWorkspace();
});
afterEach(() => temp.remove());

function put(name: string, days: number, bytes = 10): void {
  writeFileSync(join(temp.root, name), 'x'.repeat(bytes));
  const seconds = NOW / 1000 - days * 86_400;
  utimesSync(join(temp.root, name), seconds, seconds);
}

describe('the outputs of earlier sessions', () => {
  it('go when they are a week old, and nothing else does', async () => {
    for (const name of [id(1), 'output-0123456789ab.txt', 'settings.json', 'shell-x.txt']) put(name, 8);
    put(id(2), 6);
    await tidyTemp(temp.root, NOW);
    expect(readdirSync(temp.root).sort()).toEqual(['settings.json', id(2), 'shell-x.txt']);
  });

  it('go when they are too much, the oldest first, but none of the last day', async () => {
    put(id(1), 0.1, 100);
    put(id(2), 0.2, 100);
    put(id(3), 2, 100);
    put(id(4), 3, 100);
    await tidyTemp(temp.root, NOW, { bytes: 300 });
    expect(readdirSync(temp.root).sort()).toEqual([id(1), id(2), id(3)]);
    await tidyTemp(temp.root, NOW, { bytes: 50 });
    expect(readdirSync(temp.root).sort()).toEqual([id(1), id(2)]);
  });

  it('are left alone where there are none', async () => {
    await expect(tidyTemp(join(temp.root, 'missing'), NOW)).resolves.toBeUndefined();
  });
});
