import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { LanguageServers, type LanguageServersOptions } from '../lsp/language-servers.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { CommandSupervisor } from '../process/command-supervisor.js';
import { runCalls } from '../scheduler/scheduler.js';
import { withAfterBatch } from '../scheduler/after-batch.js';
import { DEFAULT_OUTPUT_LIMITS, NO_AGENT } from '../scheduler/services.js';
import type { CallEvent } from '../scheduler/call-events.js';
import { LspTool, type LspToolParams } from '../tools/lsp.js';
import { toParts } from '../tools/tool-result.js';
import { createTempConfig, type TempConfig } from './temp-config.js';
import type { WorkspaceEntry } from './temp-workspace.js';

/** The project's own packages, as a project has them installed. */
const MODULES = dirname(dirname(createRequire(import.meta.url).resolve('typescript-language-server/package.json')));

export function installed(name: string): WorkspaceEntry {
  return { linkTo: join(MODULES, name) };
}

/** TypeScript up to 6 and the server for it. */
export const WITH_TSSERVER: Readonly<Record<string, WorkspaceEntry>> = {
  'node_modules/typescript': installed('typescript'),
  'node_modules/.bin/typescript-language-server': installed('typescript-language-server/lib/cli.mjs'),
};

/** TypeScript 7, which is a server itself. */
export const WITH_NATIVE: Readonly<Record<string, WorkspaceEntry>> = { 'node_modules/typescript': installed('tsc7') };

export const WITH_PYRIGHT: Readonly<Record<string, WorkspaceEntry>> = {
  'node_modules/.bin/pyright-langserver': installed('pyright/langserver.index.js'),
};

/** `TENON_TEST_CLANGD`, or the one on PATH; undefined where there is none. */
export function findClangd(): string | undefined {
  const given = process.env['TENON_TEST_CLANGD'];
  if (given !== undefined && given !== '') return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'clangd')).find((file) => existsSync(file));
}

export interface LanguageProject extends TempConfig {
  readonly servers: LanguageServers;
  /** The answer's text; the error's message after `ERROR code: `. */
  ask(params: LspToolParams): Promise<string>;
  /** One call through its whole life, everything allowed; the end event of each. */
  call(...calls: readonly (readonly [tool: string, params: object])[]): Promise<readonly CallEnd[]>;
}

export type CallEnd = Extract<CallEvent, { readonly type: 'tool-call-end' }>;

/** A temp workspace with language servers that may run in it. */
export async function createLanguageProject(
  entries: Readonly<Record<string, WorkspaceEntry>>,
  options: Partial<LanguageServersOptions> = {},
): Promise<LanguageProject> {
  const supervisor = new CommandSupervisor();
  const made: LanguageServers[] = [];
  const temp = await createTempConfig({
    entries: { '.git/HEAD': '', '.gitignore': 'node_modules\n', ...entries },
    approvalMode: ApprovalMode.YOLO,
    languageServers: (config) => {
      const servers = new LanguageServers({
        roots: config.getWorkspaceContext().getDirectories(),
        isTrusted: true,
        start: supervisor.connect,
        environment: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: config.getTempDir() },
        node: process.execPath,
        readText: async (path) =>
          config
            .getFileSystemService()
            .readTextFile(path)
            .then(({ text }) => text)
            .catch(() => undefined),
        ...options,
      });
      made.push(servers);
      return servers;
    },
  });
  const { config } = temp;
  const [servers] = made;
  if (servers === undefined) throw new Error('The language servers were not made.');
  const tool = new LspTool(config);
  let calls = 0;
  return {
    ...temp,
    servers,
    ask: async (params) => {
      const { llmContent, error } = await tool.execute(params, new AbortController().signal);
      if (error !== undefined) return `ERROR ${error.type}: ${error.message}`;
      return toParts(llmContent)
        .map((part) => ('text' in part ? part.text : ''))
        .join('');
    },
    call: async (...requests) => {
      const services = {
        registry: config.getToolRegistry(),
        gate: config.getWorkspaceGate(),
        policyContext: () => ({
          mode: config.getApprovalMode(),
          rules: [],
          roots: config.getWorkspaceContext().getDirectories(),
          home: '/nowhere',
          controlFolders: [],
        }),
        shell: 'bash' as const,
        grant: async () => undefined,
        approver: undefined,
        spill: async () => Promise.resolve(''),
        limits: DEFAULT_OUTPUT_LIMITS,
        caller: () => NO_AGENT,
      };
      const batch = requests.map(([toolName, params]) => {
        calls += 1;
        return { callId: `call-${calls}`, toolName, argumentsText: JSON.stringify(params) };
      });
      const { signal } = new AbortController();
      const events = runCalls(batch, services, signal);
      const edits = config.getEditWatch();
      const ends: CallEnd[] = [];
      for await (const event of edits === undefined ? events : withAfterBatch(events, edits, signal))
        if (event.type === 'tool-call-end') ends.push(event);
      return ends;
    },
    remove: async () => {
      await servers.close();
      supervisor.endAll();
      await temp.remove();
    },
  };
}

export function textOf({ content }: CallEnd): string {
  return content.map((part) => ('text' in part ? part.text : '')).join('');
}
