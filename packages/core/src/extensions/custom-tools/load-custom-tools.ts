import { join } from 'node:path';
import type { ToolRuntime } from '../../runtime.js';
import type { BaseTool } from '../../tools/tools.js';
import { listToolFiles, type ToolFolder } from '../../trust/tool-files.js';
import { abortable, timeLimit } from '../../util/abort.js';
import { CustomTool, type ToolSource } from './custom-tool.js';
import { toolsIn } from './find-tools.js';
import type { Guard } from './guard.js';
import { ModuleLoader, loadProblem, type Exports } from './module-loader.js';

export interface LoadOptions {
  readonly folders: readonly ToolFolder[];
  readonly runtime: ToolRuntime;
  readonly guard: Guard;
  readonly isBuiltin: (name: string) => boolean;
  /** For one file. In milliseconds. */
  readonly importMs: number;
}

export interface LoadedTools {
  readonly tools: readonly CustomTool[];
  /** Sentences for the person. */
  readonly problems: readonly string[];
}

/** What one file brought. */
export interface LoadedFile {
  readonly tools: readonly BaseTool[];
  /** Sentences without the file. */
  readonly problems: readonly string[];
  readonly exports: Exports;
}

/** Loads the tools of all folders, the person's own first. One that cannot be used is left out and costs no other. Never throws. */
export async function loadCustomTools(options: LoadOptions): Promise<LoadedTools> {
  const tools = new Map<string, CustomTool>();
  const problems: string[] = [];
  for (const folder of options.folders.toSorted((one, other) => rank(one) - rank(other))) {
    const loader = loaderOf(folder, options);
    const paths = folder.agreed?.map(({ path }) => path) ?? (await listToolFiles(folder.folder));
    for (const path of paths.filter(isEntry)) {
      const { origin, extension } = folder;
      const source = { origin, ...(extension !== undefined && { extension }), file: join(folder.folder, path) };
      const loaded = await loadFile(loader, { folder: folder.folder, path }, options);
      problems.push(...loaded.problems.map((problem) => `${source.file}: ${problem.replace(/\.$/, '')}.`));
      for (const tool of loaded.tools) {
        const taken = takenProblem(tool.name, source, { tools, isBuiltin: options.isBuiltin });
        if (taken.problem !== undefined) problems.push(`${source.file}: ${taken.problem}`);
        if (taken.isFree) tools.set(tool.name, new CustomTool(tool, { ...options, source }));
      }
    }
  }
  return { tools: Array.from(tools.values()), problems };
}

/** Loads the tools of one file that the person names, with whatever it imports from its folder. */
export async function loadToolFile(
  { folder, path }: { readonly folder: string; readonly path: string },
  options: Pick<LoadOptions, 'runtime' | 'guard' | 'importMs'>,
): Promise<LoadedFile> {
  return loadFile(loaderOf({ origin: 'user', folder }, options), { folder, path }, options);
}

/** A module right in the folder, or the index of a folder in it; the others are there to be imported. */
function isEntry(path: string): boolean {
  if (/(?:^|\/)_/.test(path) || path.endsWith('.json')) return false;
  return !path.includes('/') || /^[^/]+\/index\.[^/.]+$/.test(path);
}

function rank({ origin }: ToolFolder): number {
  return origin === 'user' ? 0 : 1;
}

function loaderOf(folder: ToolFolder, { guard, importMs }: Pick<LoadOptions, 'guard' | 'importMs'>): ModuleLoader {
  return new ModuleLoader({
    folder,
    faces: new Map([['@tenon/core', () => import('./author-face.js')]]),
    blockMs: importMs,
    guarded: (work) => guard.run(folder.folder, work),
  });
}

async function loadFile(
  loader: ModuleLoader,
  { folder, path }: { readonly folder: string; readonly path: string },
  { runtime, guard, importMs }: Pick<LoadOptions, 'runtime' | 'guard' | 'importMs'>,
): Promise<LoadedFile> {
  const limit = timeLimit(importMs);
  try {
    const exports = await abortable(loader.load(path), limit);
    return { ...loader.hold(() => guard.run(path, () => toolsIn(exports, runtime))), exports };
  } catch (thrown) {
    const problem = limit.aborted
      ? `it is not loaded after ${importMs / 1000} seconds, and Tenon goes on without it`
      : loadProblem(thrown, folder, path);
    return { tools: [], problems: [problem], exports: {} };
  }
}

interface Taken {
  readonly tools: ReadonlyMap<string, CustomTool>;
  readonly isBuiltin: LoadOptions['isBuiltin'];
}

/** A tool of a project or of an extension replaces nothing; the person's own may stand in for a built-in one. */
function takenProblem(
  name: string,
  { origin, extension }: ToolSource,
  { tools, isBuiltin }: Taken,
): { readonly isFree: boolean; readonly problem?: string } {
  const earlier = tools.get(name)?.source.file;
  if (earlier !== undefined)
    return { isFree: false, problem: `its tool ${name} is left out: ${earlier} has one of that name.` };
  if (!isBuiltin(name)) return { isFree: true };
  const whose = extension === undefined ? 'a project' : 'an extension';
  return origin === 'user' && extension === undefined
    ? { isFree: true, problem: `its tool ${name} stands in for the built-in one of that name.` }
    : {
        isFree: false,
        problem: `its tool ${name} is left out: a tool of ${whose} does not replace a built-in one. Give it another name.`,
      };
}
