import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { LanguageServersOptions } from '../lsp/language-servers.js';
import { readServerSpecs } from '../lsp/server-spec.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { decide } from '../policy/decide.js';
import type { PolicyContext } from '../policy/verdict.js';
import { createLanguageProject, textOf, type LanguageProject } from '../testing/language-project.js';
import { LspTool, type LspToolParams } from './lsp.js';

const SCRIPT = fileURLToPath(new URL('../lsp/misbehaving-server.mjs', import.meta.url));
const HOVER = { operation: 'hover', filePath: 'a.odd', line: 1, character: 1 } as const;
const RENAME = { operation: 'rename', filePath: 'a.odd', line: 1, character: 1, newName: 'other' } as const;

const projects: LanguageProject[] = [];
afterEach(async () => {
  for (const project of projects.splice(0)) await project.remove();
});

async function open(options: Partial<LanguageServersOptions> = {}): Promise<LanguageProject> {
  const entry = { command: process.execPath, args: [SCRIPT, 'fine'], extensionToLanguage: { '.odd': 'odd' } };
  const own = readServerSpecs({ odd: entry });
  const project = await createLanguageProject({ 'a.odd': 'fine\n' }, { ...options, own });
  projects.push(project);
  return project;
}

async function decided(project: LanguageProject, params: LspToolParams, mode: ApprovalMode, ...deny: string[]) {
  const root = project.workspace.root;
  const rules = deny.map((text) => ({ list: 'deny' as const, text, origin: 'test' }));
  const context = { mode, rules, roots: [root], home: '/nowhere' } as unknown as PolicyContext;
  const effects = (await new LspTool(project.config).build(params).effects?.()) ?? [];
  return decide({ toolName: LspTool.Name, effects }, context).decision;
}

const { PLAN, DEFAULT, AUTO_EDIT, YOLO } = ApprovalMode;

describe('the start of a language server', { timeout: 30_000 }, () => {
  it.each([
    [PLAN, 'deny'],
    [DEFAULT, 'ask'],
    [AUTO_EDIT, 'ask'],
    [YOLO, 'allow'],
  ] as const)('is decided on in %s mode: %s', async (mode, expected) => {
    const project = await open({ isAgreed: async () => false });
    for (const params of [HOVER, RENAME, { operation: 'workspaceSymbol', query: 'x' } as const])
      expect(await decided(project, params, mode)).toBe(expected);
    expect(project.servers.running()).toEqual([]);
  });

  it('goes without a question, in plan mode too, where the folder was trusted with it', async () => {
    const project = await open({ isAgreed: async () => true });
    for (const mode of [PLAN, DEFAULT, AUTO_EDIT, YOLO]) expect(await decided(project, HOVER, mode)).toBe('allow');
    expect(await decided(project, HOVER, YOLO, 'lsp')).toBe('deny');
  });

  it('is no question while the server runs', async () => {
    const project = await open({ isAgreed: async () => false });
    expect(await project.ask(HOVER)).toContain('asked fine');
    for (const mode of [PLAN, DEFAULT]) expect(await decided(project, HOVER, mode)).toBe('allow');
  });

  it('is all that a first change does: what it changes is not known before', async () => {
    const project = await open({ isAgreed: async () => false });
    const [end] = await project.call(['lsp', RENAME]);
    expect(end === undefined ? '' : textOf(end)).toContain('nothing was changed yet. Send the same call again');
    expect(project.servers.running()).toHaveLength(1);
  });

  it('is not made by an edit', async () => {
    const project = await open({ isAgreed: async () => false, diagnostics: 'always' });
    const edit = { file_path: project.workspace.path('a.odd'), content: 'BAD new\n' };
    await project.call(['read_file', { absolute_path: edit.file_path }], ['write_file', edit]);
    expect(project.servers.running()).toEqual([]);
  });
});
