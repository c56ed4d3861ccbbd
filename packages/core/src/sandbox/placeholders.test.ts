import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { Placeholders, removeLeftPlaceholders } from './placeholders.js';

let workspace: TempWorkspace;
let wanted: string[];
beforeEach(async () => {
  workspace = await createTempWorkspace({ 'w/': '', 'state/': '' });
  wanted = [workspace.path('w/.vscode'), workspace.path('w/.mcp.json')];
});
afterEach(async () => workspace.remove());

const dots = (): string[] => readdirSync(workspace.path('w')).filter((name) => name.startsWith('.'));

it('placeholders are there as long as one command holds them, and written down', () => {
  const placeholders = new Placeholders(workspace.path('state'));
  const first = placeholders.hold(wanted);
  const second = placeholders.hold(wanted);
  expect([first, second]).toEqual([wanted, wanted]);
  expect(readdirSync(workspace.path('state'))).toHaveLength(1);
  placeholders.release(first);
  expect(dots()).toEqual(['.mcp.json', '.vscode']);
  expect(placeholders.isHeld(workspace.path('w/.vscode'))).toBe(true);
  placeholders.release(second);
  expect(dots()).toEqual([]);
  expect(readdirSync(workspace.path('state'))).toEqual([]);
});

it('what somebody filled, replaced or made before is not taken away', async () => {
  const placeholders = new Placeholders(workspace.path('state'));
  mkdirSync(workspace.path('w/.idea'));
  const held = placeholders.hold([...wanted, workspace.path('w/.idea')]);
  expect(held).toEqual(wanted);
  writeFileSync(workspace.path('w/.mcp.json/x'), '{}');
  rmdirSync(workspace.path('w/.vscode'));
  // The new folder mostly gets the old one's number; the clock of a file system goes in steps.
  await sleep(20);
  mkdirSync(workspace.path('w/.vscode'));
  placeholders.release(held);
  expect(dots()).toEqual(['.idea', '.mcp.json', '.vscode']);
});

it('a folder that may not be written needs no guard, nor does one that is missing', () => {
  const placeholders = new Placeholders(workspace.path('state'));
  expect(placeholders.hold([workspace.path('missing/.git/hooks')])).toEqual([]);
});

it('what a killed session left is taken away by the next one, when it is empty still', () => {
  const placeholders = new Placeholders(workspace.path('state'));
  placeholders.hold(wanted);
  const [ledger = ''] = readdirSync(workspace.path('state'));
  removeLeftPlaceholders(workspace.path('state'));
  expect(dots()).toEqual(['.mcp.json', '.vscode']);
  const ended = spawnSync('true').pid;
  spawnSync('mv', [workspace.path(`state/${ledger}`), workspace.path(`state/placeholders-${ended}.json`)]);
  writeFileSync(workspace.path('w/.mcp.json/x'), '{}');
  writeFileSync(workspace.path('state/placeholders-999999999.json'), '[{"path": 1}, nonsense');
  removeLeftPlaceholders(workspace.path('state'));
  expect(dots()).toEqual(['.mcp.json']);
  expect(existsSync(workspace.path(`state/placeholders-${ended}.json`))).toBe(false);
  expect(readdirSync(workspace.path('state'))).toEqual([]);
});
