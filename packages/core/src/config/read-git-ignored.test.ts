import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { CommandSupervisor } from '../process/command-supervisor.js';
import { JobRegistry } from '../process/jobs/job-registry.js';
import type { ToolResult } from '../tools/tools.js';
import { Config } from './config.js';

const MARK = 'marked-content';

let root: string;
let tempDir: string;
const supervisor = new CommandSupervisor();

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-ignored-')));
  tempDir = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-ignored-tmp-')));
  mkdirSync(join(root, 'out'));
  writeFileSync(join(root, '.gitignore'), 'out/\n*.log\n');
  writeFileSync(join(root, 'out/a.txt'), `one\n${MARK}\n`);
  writeFileSync(join(root, 'b.log'), `one\n${MARK}\n`);
  writeFileSync(join(root, 'plain.txt'), 'one\n');
  symlinkSync('b.log', join(root, 'link.txt'));
});
afterEach(() => {
  for (const folder of [root, tempDir]) rmSync(folder, { recursive: true, force: true });
});

const caller = (readGitIgnored: boolean): ((tool: string, params: object) => Promise<ToolResult>) => {
  const config = new Config({
    roots: [root],
    tempDir,
    journalDir: join(tempDir, 'journal'),
    approvalMode: ApprovalMode.DEFAULT,
    runCommand: supervisor.run,
    jobs: new JobRegistry(supervisor.start),
    childEnvironment: {},
    readGitIgnored,
  });
  const signal = new AbortController().signal;
  return async (tool, params) => {
    const result = await config.getToolRegistry().getTool(tool)?.execute(params, signal);
    if (result === undefined) throw new Error(`no tool ${tool}`);
    return result;
  };
};

/** Calls that show what is in an ignored file. */
const showing = (): readonly (readonly [string, object])[] => [
  ['read_file', { absolute_path: join(root, 'b.log') }],
  ['read_file', { absolute_path: join(root, 'link.txt') }],
  ['read_file', { absolute_path: join(root, 'out/a.txt') }],
  ['read_many_files', { paths: ['b.log', 'out/a.txt'] }],
  ['read_many_files', { paths: ['out'] }],
  ['read_many_files', { paths: ['out/*.txt', 'plain.txt'] }],
  ['grep_search', { pattern: 'marked', include_ignored: true }],
  ['grep_search', { pattern: 'marked', include_ignored: true, output_mode: 'count' }],
  ['grep_search', { pattern: 'marked', path: 'b.log' }],
  ['grep_search', { pattern: 'marked', path: 'out' }],
  ['grep_search', { pattern: 'marked', path: 'out/a.txt', output_mode: 'files' }],
  ['edit', { file_path: join(root, 'b.log'), old_string: 'one', new_string: 'two' }],
  ['edit', { file_path: join(root, 'b.log'), old_string: 'marked-contend', new_string: 'two' }],
  ['write_file', { file_path: join(root, 'b.log'), content: 'new\n' }],
  ['apply_patch', { patch: '*** Begin Patch\n*** Update File: b.log\n@@\n-one\n+two\n*** End Patch\n' }],
];

describe('files.readGitIgnored: false', () => {
  it('keeps the content of what git ignores from every tool that shows content (K21)', async () => {
    const call = caller(false);
    for (const [tool, params] of showing()) {
      const { llmContent, returnDisplay, error } = await call(tool, params);
      const shown = JSON.stringify([llmContent, returnDisplay, error]);
      expect([tool, params, shown]).toEqual([tool, params, expect.not.stringContaining(MARK)]);
      expect([tool, params, shown]).toEqual([tool, params, expect.stringMatching(/ignored by \.?git|path ignored/)]);
      expect(shown).not.toMatch(/include_ignored=true|Found 1/);
    }
    expect(readFileSync(join(root, 'b.log'), 'utf8')).toBe(`one\n${MARK}\n`);
  });

  it('names the setting where a file is refused', async () => {
    const { error } = await caller(false)('edit', {
      file_path: join(root, 'b.log'),
      old_string: 'one',
      new_string: 'x',
    });
    expect(error?.type).toBe('path_ignored');
    expect(error?.message).toMatch(/^Path is ignored by git: .*b\.log\. .*files\.readGitIgnored/);
  });

  it('lets no search say that something ignored would match', async () => {
    const { llmContent } = await caller(false)('grep_search', { pattern: 'marked' });
    expect(llmContent).toContain('No matches found');
    expect(llmContent).not.toContain('ignored by .gitignore ha');
  });

  it('keeps nothing else, and lets new files be written where git ignores them', async () => {
    const call = caller(false);
    expect((await call('read_file', { absolute_path: join(root, 'plain.txt') })).error).toBeUndefined();
    expect((await call('write_file', { file_path: join(root, 'new.log'), content: 'x\n' })).error).toBeUndefined();
    expect((await call('grep_search', { pattern: 'one', include_ignored: true })).llmContent).toContain('plain.txt');
  });
});

it('readGitIgnored: true shows them to every one of these tools', async () => {
  const call = caller(true);
  for (const [tool, params] of showing().slice(0, 12)) {
    const { error, data } = await call(tool, params);
    expect([tool, params, error, data]).toEqual([tool, params, undefined, expect.anything()]);
  }
});
