import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileSystemService, WriteReport } from '../files/workspace-types.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { CommandSupervisor } from '../process/command-supervisor.js';
import { JobRegistry } from '../process/jobs/job-registry.js';
import { checkSchema } from '../schema/check-schema.js';
import { builtinTools } from '../tools/builtin-tools.js';
import { ToolDisplayNames, ToolNames } from '../tools/tool-names.js';
import { BaseDeclarativeTool, Kind, type ToolInvocation, type ToolResult } from '../tools/tools.js';
import { Config, type ConfigOptions } from './config.js';

let root: string;
let tempDir: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-config-')));
  tempDir = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-config-tmp-')));
});
afterEach(() => {
  for (const folder of [root, tempDir]) rmSync(folder, { recursive: true, force: true });
});

const supervisor = new CommandSupervisor();

const configOf = (more: Partial<ConfigOptions> = {}): Config =>
  new Config({
    roots: [root],
    tempDir,
    journalDir: join(tempDir, 'journal'),
    approvalMode: ApprovalMode.DEFAULT,
    runCommand: supervisor.run,
    jobs: new JobRegistry(supervisor.start),
    childEnvironment: {},
    ...more,
  });

it('registers tools of its own whose parameter schemas are sound', () => {
  const tools = configOf().getToolRegistry().getAllTools();
  expect(tools.length).toBeGreaterThan(15);
  for (const tool of tools) expect([tool.name, ...checkSchema(tool.schema)]).toEqual([tool.name]);
});

class ExtraTool extends BaseDeclarativeTool<object, ToolResult> {
  constructor(readonly config: Config) {
    super('extra', 'Extra', '', Kind.Other, { type: 'object' });
  }
  protected createInvocation(): ToolInvocation<object, ToolResult> {
    throw new Error('not called here');
  }
}

describe('Config', () => {
  it('registers the built-in tools and those of the embedder (S4, S18, S49, S129, S136)', () => {
    const config = configOf({ extraTools: (runtime) => [new ExtraTool(runtime)] });
    const names = config
      .getToolRegistry()
      .getAllTools()
      .map((tool) => tool.name);
    const builtIn = builtinTools(config).map((tool) => tool.name);
    expect(builtIn.slice(0, 3)).toEqual(['read_file', 'read_many_files', 'list_directory']);
    expect(names.filter((name) => builtIn.includes(name))).toEqual(builtIn);
    expect(names).toContain('extra');
  });

  it('names every built-in tool in ToolNames and ToolDisplayNames (S17, S48)', () => {
    const names: readonly string[] = Object.values(ToolNames);
    const displayNames: readonly string[] = Object.values(ToolDisplayNames);
    for (const tool of configOf().getToolRegistry().getAllTools()) {
      expect(names).toContain(tool.name);
      expect(displayNames).toContain(tool.displayName);
    }
    expect(ToolNames.READ_FILE).toBe('read_file');
    expect(ToolDisplayNames.READ_FILE).toBe('ReadFile');
  });

  it('answers the questions that a tool asks about a path (S61, S62)', () => {
    writeFileSync(join(root, '.qwenignore'), 'secret\n');
    writeFileSync(join(root, '.gitignore'), 'dist\n');
    const config = configOf();
    expect(config.getWorkspaceContext().isPathWithinWorkspace(join(root, 'a'))).toBe(true);
    expect(config.getWorkspaceContext().isPathWithinWorkspace('/etc/passwd')).toBe(false);
    expect(config.getFileService().shouldQwenIgnoreFile(join(root, 'secret'))).toBe(true);
    expect(config.getFileService().shouldQwenIgnoreFile(join(root, 'dist'))).toBe(false);
    expect(config.getFileService().shouldGitIgnoreFile(join(root, 'dist'))).toBe(true);
  });

  it('lets an editor put its own file system in place, and every write goes through it (S67)', async () => {
    const written: string[] = [];
    const fileSystem: FileSystemService = {
      readTextFile: async () => ({ text: 'old\n', encoding: 'utf-8', bom: false, hash: 'h' }),
      writeTextFile: async (path, content): Promise<WriteReport> => {
        written.push(`${path}=${content}`);
        return { path, created: false, bytes: content.length };
      },
    };
    const registry = configOf({ fileSystem }).getToolRegistry();
    const file = join(root, 'a.txt');
    const signal = new AbortController().signal;
    const write = await registry.getTool('write_file')?.execute({ file_path: file, content: 'new\n' }, signal);
    const edit = await registry
      .getTool('edit')
      ?.execute({ file_path: file, old_string: 'old', new_string: 'changed' }, signal);
    expect([write?.error, edit?.error]).toEqual([undefined, undefined]);
    expect(written).toEqual([`${file}=new\n`, `${file}=changed\n`]);
  });

  it('refuses to read what git ignores where the setting says so, and reads it otherwise (K21)', async () => {
    writeFileSync(join(root, '.gitignore'), '*.log\n');
    writeFileSync(join(root, 'a.log'), 'x\n');
    const read = (config: Config) =>
      config
        .getToolRegistry()
        .getTool('read_file')
        ?.execute({ absolute_path: join(root, 'a.log') }, new AbortController().signal);
    expect((await read(configOf()))?.error).toBeUndefined();
    expect((await read(configOf({ readGitIgnored: false })))?.error).toEqual({
      message: expect.stringContaining(`Path is ignored by git: ${join(root, 'a.log')}. The setting `),
      type: 'path_ignored',
    });
  });

  it('takes no mode above the ceiling, neither at first nor later', () => {
    const approvalCeiling = { mode: ApprovalMode.DEFAULT, origin: 'managed settings (/m.json:1:2)' };
    const config = configOf({ approvalCeiling, approvalMode: ApprovalMode.PLAN });
    config.setApprovalMode(ApprovalMode.DEFAULT);
    const message = 'The mode yolo is not permitted: the managed settings (/m.json:1:2) allow default at most.';
    expect(() => config.setApprovalMode(ApprovalMode.YOLO)).toThrow(message);
    expect(config.getApprovalMode()).toBe('default');
    expect(() => configOf({ approvalCeiling, approvalMode: ApprovalMode.AUTO_EDIT })).toThrow('not permitted');
  });

  it('keeps the approval mode (S55)', () => {
    const config = configOf();
    config.setApprovalMode(ApprovalMode.AUTO_EDIT);
    expect(config.getApprovalMode()).toBe('auto_edit');
  });
});
