import { readlinkSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Effect } from '../effects/effect.js';
import type { FolderHandle } from '../files/workspace-gate.js';
import type { Refusal } from '../files/workspace-types.js';
import type { ToolRuntime } from '../runtime.js';
import { folderRules } from '../search/folder-rules.js';
import { createGlobMatcher } from '../search/glob-match.js';
import { missingPathFailure } from '../search/missing-path.js';
import { count, inFolderPhrase, onOneLine } from '../search/search-text.js';
import { byName } from '../search/walk.js';
import { JudgedPaths } from './judged-paths.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
} from './tools.js';

export interface ListDirectoryToolParams {
  path: string;
  ignore?: string[];
  respect_git_ignore?: boolean;
}

export interface ListedEntry {
  readonly name: string;
  readonly kind: 'directory' | 'file' | 'special';
  /** What a symbolic link says it leads to. */
  readonly target?: string;
  readonly note?: string;
}

/** `data` of a result. */
export interface ListDirectoryData {
  readonly path: string;
  readonly entries: readonly ListedEntry[];
  readonly leftOut: { readonly gitIgnore: number; readonly qwenIgnore: number; readonly ignore: number };
}

class ListDirectoryInvocation extends RunInvocation<ListDirectoryToolParams> {
  readonly #config: ToolRuntime;
  readonly #judged: JudgedPaths;

  constructor(config: ToolRuntime, params: ListDirectoryToolParams) {
    super(params);
    this.#config = config;
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
  }

  getDescription(): string {
    const { path } = this.params;
    const root = this.#config.getWorkspaceGate().roots[0] ?? '';
    return inFolderPhrase(path, root).replace(/^ in /, '') || onOneLine(path);
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.params.path }];
  }

  effects(): Effect[] {
    return this.#judged.state([{ kind: 'read', path: this.params.path }]);
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const gate = this.#config.getWorkspaceGate();
    const { path } = this.params;
    const { kind } = gate.resolve(path);
    if (kind === 'missing') throw await missingPathFailure(gate, path);
    if (kind === 'file') {
      throw new ToolError(
        ToolErrorType.PATH_IS_NOT_A_DIRECTORY,
        `Path is a file, not a folder: ${path}. Use ${ToolNames.READ_FILE} to read it.`,
      );
    }
    const data = await gate.withFolder(
      path,
      async (folder) => this.#list(folder, signal),
      this.#judged.expectation(path),
    );
    const folders = data.entries.filter((entry) => entry.kind === 'directory').length;
    const others = data.entries.length - folders;
    return {
      llmContent: textOf(data, folders, others),
      returnDisplay: `Listed ${count(folders, 'folder')} and ${count(others, 'file')}`,
      data,
    };
  }

  async #list(folder: FolderHandle, signal: AbortSignal): Promise<ListDirectoryData> {
    const { path } = folder.resolved;
    const rules = folderRules(path, this.#config.getWorkspaceGate().roots);
    const isUnwanted = nameFilter(this.params.ignore ?? []);
    const leftOut = { gitIgnore: 0, qwenIgnore: 0, ignore: 0 };
    const entries: ListedEntry[] = [];
    for (const entry of await folder.list()) {
      signal.throwIfAborted();
      const isDirectory = entry.isDirectory();
      const described = describeEntry(entry, folder, (target) => this.#refusalOf(target));
      if (described === 'ignored' || rules.qwenIgnores(entry.name, isDirectory)) leftOut.qwenIgnore++;
      else if (isUnwanted(entry.name)) leftOut.ignore++;
      else if (this.params.respect_git_ignore !== false && rules.gitIgnores(entry.name, isDirectory))
        leftOut.gitIgnore++;
      else entries.push(described);
    }
    return { path, entries: entries.sort(foldersFirst), leftOut };
  }

  #refusalOf(path: string): string | undefined {
    return this.#config.getWorkspaceGate().check(path)?.code;
  }
}

/** Glob patterns for names; the last one that matches decides, `!pattern` keeps. */
function nameFilter(patterns: readonly string[]): (name: string) => boolean {
  const rules = patterns
    .filter((pattern) => pattern.trim() !== '')
    .map((pattern) => {
      const keeps = pattern.startsWith('!');
      const glob = (keeps ? pattern.slice(1) : pattern).replace(/^\/+|\/+$/g, '');
      return { keeps, matches: glob === '' ? () => false : createGlobMatcher(glob, { anyDepth: true }) };
    });
  return (name) => rules.findLast((rule) => rule.matches(name))?.keeps === false;
}

/** A link is shown with where it leads, unless that place is hidden by `.qwenignore`. */
function describeEntry(
  entry: Dirent,
  folder: FolderHandle,
  refusalOf: (path: string) => string | undefined,
): ListedEntry | 'ignored' {
  const { name } = entry;
  if (entry.isDirectory()) return { name, kind: 'directory' };
  if (entry.isFile()) return { name, kind: 'file' };
  if (!entry.isSymbolicLink()) return { name, kind: 'special', note: specialName(entry) };
  const at = join(folder.workingDirectory, name);
  const target = attempt(() => readlinkSync(at)) ?? '?';
  const refusal = refusalOf(join(folder.resolved.path, name));
  if (refusal === 'path_ignored') return 'ignored';
  // What lies outside is not looked at: not even whether it exists.
  if (refusal !== undefined) return { name, kind: 'file', target, note: 'leads outside the workspace' };
  const stat = attempt(() => statSync(at));
  if (stat === undefined) return { name, kind: 'file', target, note: 'broken link' };
  return { name, kind: stat.isDirectory() ? 'directory' : 'file', target };
}

function specialName(entry: Dirent): string {
  if (entry.isFIFO()) return 'FIFO';
  if (entry.isSocket()) return 'socket';
  return entry.isCharacterDevice() || entry.isBlockDevice() ? 'device' : 'special file';
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** S114. */
function foldersFirst(a: ListedEntry, b: ListedEntry): number {
  return Number(b.kind === 'directory') - Number(a.kind === 'directory') || byName(a, b);
}

function textOf({ path, entries, leftOut }: ListDirectoryData, folders: number, others: number): string {
  const parts: string[] = [];
  if (leftOut.gitIgnore > 0) parts.push(`${leftOut.gitIgnore} by .gitignore`);
  if (leftOut.qwenIgnore > 0) parts.push(`${leftOut.qwenIgnore} by .qwenignore`);
  if (leftOut.ignore > 0) parts.push(`${leftOut.ignore} by ignore`);
  const note = parts.length === 0 ? '' : `\n(Left out: ${parts.join(', ')}.)`;
  const where = onOneLine(path);
  if (entries.length === 0) {
    return parts.length === 0
      ? `The folder is empty: ${where}`
      : `Nothing to show in ${where}: every entry is left out.${note}`;
  }
  return `${where} (${count(folders, 'folder')}, ${count(others, 'file')}):\n${entries.map(lineOf).join('\n')}${note}`;
}

function lineOf({ name, kind, target, note }: ListedEntry): string {
  const mark = kind === 'directory' ? '[DIR] ' : '';
  const link = target === undefined ? '' : ` -> ${onOneLine(target)}`;
  return `${mark}${onOneLine(name)}${link}${note === undefined ? '' : ` (${note})`}`;
}

/** Lists one folder (S113–S117). */
export class LSTool extends BaseDeclarativeTool<ListDirectoryToolParams, ToolResult> {
  static readonly Name = ToolNames.LS;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      LSTool.Name,
      ToolDisplayNames.LS,
      'Lists the files and folders directly in one folder, folders first, marked [DIR]. Entries ignored by .gitignore or .qwenignore are left out and counted.',
      Kind.Read,
      {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Absolute path of the folder.' },
          ignore: {
            type: 'array',
            items: { type: 'string' },
            description: 'Glob patterns of names to leave out, e.g. ["*.log", "node_modules"].',
          },
          respect_git_ignore: {
            type: 'boolean',
            description: 'false also lists what .gitignore hides. Default: true.',
          },
        },
        required: ['path'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override validateToolParamValues(params: ListDirectoryToolParams): Refusal | null {
    return this.#config.getWorkspaceGate().check(params.path);
  }

  protected createInvocation(params: ListDirectoryToolParams): ToolInvocation<ListDirectoryToolParams, ToolResult> {
    return new ListDirectoryInvocation(this.#config, params);
  }
}
