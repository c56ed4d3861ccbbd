import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  Failure,
  ToolNames,
  type BaseTool,
  type ServedClient,
  type ServedResource,
  type ServedTool,
  type ServedTools,
  type ServedWorkspace,
} from '@tenon/core';
import { findTool } from '../../find-tool.js';
import { narrowRoots } from './narrow-roots.js';
import { outputSchemaOf } from './output-schemas.js';
import { runServedCall } from './served-call.js';
import { readServedFile } from './served-file.js';
import { hintsOf } from './tool-hints.js';
import type { OpenWorkspace, WorkspacePool } from './workspace-pool.js';

/** They change a mode that belongs to Tenon's own sessions; the client's person chose the mode at the start. */
const NOT_SERVED: ReadonlySet<string> = new Set([ToolNames.ENTER_PLAN_MODE, ToolNames.EXIT_PLAN_MODE]);

/** What tells most of a project, for a person who picks a file from a list. */
const NAMED = [
  'README.md',
  'AGENTS.md',
  'CLAUDE.md',
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'Makefile',
];

/** Owner of the workspace that lists are made of; nothing runs in it. */
const LISTS = 'lists';

export interface ServedToolsOptions {
  readonly pool: WorkspacePool;
  /** Canonical: what clients get at most. */
  readonly roots: readonly [string, ...string[]];
  readonly version: string;
  /** Only these, as a person spells them; empty: all. */
  readonly only: readonly string[];
}

/**
 * Tenon's tools, for clients that come by MCP.
 * @throws ExitFailure when `only` names what there is not
 */
export async function createServedTools(options: ServedToolsOptions): Promise<ServedTools> {
  const { pool, roots } = options;
  const { system } = await pool.open(LISTS, roots);
  const all = system.config.getToolRegistry().getAllTools();
  const only = options.only.map((name) => findTool(name, all).name);
  const served = all.filter(({ name }) => (only.length === 0 ? !NOT_SERVED.has(name) : only.includes(name)));
  const list = served.map(servedTool);
  return {
    info: { name: 'tenon', title: 'Tenon', version: options.version },
    instructions: instructionsFor(roots),
    list: async () => list,
    resources: async ({ folders }) => resourcesOf(await pool.open(LISTS, roots), folders),
    open: async (client) => openWorkspace(client, options),
    release: async (owner) => pool.release(owner),
  };
}

function servedTool(tool: BaseTool): ServedTool {
  const outputSchema = outputSchemaOf(tool.name);
  return {
    name: tool.name,
    title: tool.displayName,
    description: tool.description,
    inputSchema: { ...tool.schema },
    ...(outputSchema !== undefined && { outputSchema }),
    hints: hintsOf(tool),
  };
}

function instructionsFor(roots: readonly string[]): string {
  return [
    `Tools for the files and commands of this machine. Paths are absolute; the workspace lies in ${roots.join(', ')}.`,
    'Calls run by the rules of the user. What needs approval is put to them through this client where it can ask; else the call is denied, and its result names the rule that would allow it. A denied call did not run: do not repeat it as it is.',
    'Changes of files can be taken back by the user with `tenon undo`.',
  ].join('\n');
}

async function openWorkspace(client: ServedClient, { pool, roots }: ServedToolsOptions): Promise<ServedWorkspace> {
  const folders = await foldersFor(client, roots);
  const workspace = await pool.open(client.owner, folders);
  workspace.prepare();
  return {
    folders,
    call: async (call) => {
      const kind = workspace.system.config.getToolRegistry().getTool(call.name)?.kind;
      return workspace.edits.run(kind, async () => runServedCall(workspace.system, workspace.askers, call));
    },
    read: async (file, surroundings) => readServedFile(workspace.system, workspace.askers, file, surroundings),
  };
}

/** No roots at all: the client speaks of no folders, and gets those of the start. */
async function foldersFor({ roots: uris = [] }: ServedClient, roots: readonly string[]): Promise<readonly string[]> {
  if (uris.length === 0) return roots;
  const folders = await narrowRoots(uris, roots);
  if (folders.length > 0) return folders;
  throw new Failure(
    'roots_outside',
    `None of the folders of this client (${uris.join(', ')}) lies in what Tenon was started for (${roots.join(', ')}). The user can start it with --cwd or --add-dir for another folder.`,
  );
}

function resourcesOf({ system }: OpenWorkspace, folders: readonly string[]): ServedResource[] {
  const gate = system.config.getWorkspaceGate();
  return folders.flatMap((folder) =>
    NAMED.map((name) => path.join(folder, name))
      .filter((file) => gate.check(file) === null && gate.resolve(file).kind === 'file')
      .map((file) => ({ uri: pathToFileURL(file).href, name: path.relative(path.dirname(folder), file) })),
  );
}
