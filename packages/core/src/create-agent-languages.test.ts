import { afterAll, afterEach, expect, it } from 'vitest';
import { createToolSystem } from './create-agent.js';
import { openUndo } from './session/open-undo.js';
import { ApprovalMode } from './policy/approval-mode.js';
import type { ToolSystem, ToolSystemOptions } from './agent-types.js';
import { WITH_NATIVE } from './testing/language-project.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';

const home = await createTempWorkspace();
const systems: ToolSystem[] = [];
const workspaces: TempWorkspace[] = [];
afterEach(async () => {
  for (const system of systems.splice(0)) await system.close();
  for (const workspace of workspaces.splice(0)) await workspace.remove();
});
afterAll(async () => home.remove());

const FILES = {
  '.git/HEAD': '',
  '.gitignore': 'node_modules\n',
  'tsconfig.json': '{"compilerOptions": {"strict": true, "types": []}}',
  'a.ts': 'export const alpha = 1;\n',
  'secret.ts': "import { alpha } from './a';\nexport const secret = alpha;\n",
  ...WITH_NATIVE,
};

async function systemWith(more: Partial<ToolSystemOptions>): Promise<{ system: ToolSystem; workspace: TempWorkspace }> {
  const workspace = await createTempWorkspace(FILES);
  const system = await createToolSystem({
    roots: [workspace.root],
    tenonHome: home.root,
    userHome: home.root,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: { PATH: process.env['PATH'], OPENAI_API_KEY: 'sk-secret', AWS_SECRET_ACCESS_KEY: 'secret' },
    lsp: { isTrusted: true },
    ...more,
  });
  systems.push(system);
  workspaces.push(workspace);
  return { system, workspace };
}

let calls = 0;
async function run(system: ToolSystem, params: object): Promise<{ text: string; status: string }> {
  calls += 1;
  const call = { callId: `call-${calls}`, toolName: 'lsp', argumentsText: JSON.stringify(params) };
  for await (const event of system.runCalls([call], new AbortController().signal))
    if (event.type === 'tool-call-end')
      return { text: event.content.map((part) => ('text' in part ? part.text : '')).join(''), status: event.status };
  throw new Error('no end');
}

it('a rename goes through the journal, so that it is taken back as one', { timeout: 60_000 }, async () => {
  const { system, workspace } = await systemWith({});
  const renamed = await run(system, { operation: 'rename', filePath: 'a.ts', symbol: 'alpha', newName: 'omega' });
  expect(renamed.text).toContain('Renamed alpha to omega in 2 files (typescript)');
  expect(await workspace.read('secret.ts')).toContain('omega');
  const undo = openUndo({ roots: [workspace.root], tenonHome: home.root });
  await undo.undo();
  expect(await workspace.read('secret.ts')).toBe(FILES['secret.ts']);
  expect(await workspace.read('a.ts')).toBe(FILES['a.ts']);
});

it('what rules keep from being read is not told, and not changed', { timeout: 60_000 }, async () => {
  const rule = { list: 'deny', text: 'Read(secret.ts)', origin: 'test' } as const;
  const { system, workspace } = await systemWith({ rules: [rule] });
  const uses = await run(system, { operation: 'findReferences', filePath: 'a.ts', symbol: 'alpha' });
  expect(uses.status).toBe('success');
  expect(uses.text).toContain('a.ts:1:14');
  expect(uses.text).not.toContain('secret.ts');
  expect(uses.text).toMatch(/\(\d results? in files that are ignored or kept back by rules not shown\.\)/);
  const renamed = await run(system, { operation: 'rename', filePath: 'a.ts', symbol: 'alpha', newName: 'omega' });
  expect(renamed.status).not.toBe('success');
  expect(await workspace.read('a.ts')).toBe(FILES['a.ts']);
});

it('without a word on trust nothing is started', async () => {
  const { system } = await systemWith({ lsp: { isTrusted: false } });
  expect((await run(system, { operation: 'hover', filePath: 'a.ts', symbol: 'alpha' })).text).toContain('not trusted');
  const { system: off } = await systemWith({ lsp: { isTrusted: true, enabled: false } });
  expect((await run(off, { operation: 'hover', filePath: 'a.ts', symbol: 'alpha' })).text).toContain('switched off');
});

it('a server of the settings that is wrong is told, and the others are used', async () => {
  const { system } = await systemWith({ lsp: { isTrusted: true, servers: { odd: { command: 1 } } } });
  expect(system.notices.join('\n')).toContain('lsp.servers.odd.command must be');
});
