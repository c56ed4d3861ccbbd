import { realpathSync } from 'node:fs';
import type { FileChanges } from '../files/file-changes.js';
import { FileVersions } from '../files/file-versions.js';
import { LocalFileSystem } from '../files/local-file-system.js';
import { IgnoreRules } from '../files/ignore-rules.js';
import { GIT_IGNORE, QWEN_IGNORE } from '../files/ignore-stack.js';
import { LineIndexes } from '../files/line-index.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import type { FileService, FileSystemService, WorkspaceContext } from '../files/workspace-types.js';
import { HostedChanges } from '../journal/hosted-changes.js';
import { WorkspaceChanges } from '../journal/workspace-changes.js';
import type { ApprovalMode } from '../policy/approval-mode.js';
import { SearchIndex } from '../search/search-index.js';
import type { RunCommand } from '../process/command-types.js';
import type { ToolRuntime } from '../runtime.js';
import { builtinTools } from '../tools/builtin-tools.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import type { BaseTool } from '../tools/tools.js';

export interface ConfigOptions {
  /** Existing folders, absolute; the first is the target folder. */
  readonly roots: readonly string[];
  /** The project's own temp folder, existing and absolute. */
  readonly tempDir: string;
  /** Where changes are written down so that they can be undone: absolute, made when it is first needed. */
  readonly journalDir: string;
  readonly approvalMode: ApprovalMode;
  readonly runCommand: RunCommand;
  readonly childEnvironment: Readonly<Record<string, string>>;
  /** S67: an editor's or a remote host's files in place of the local ones. */
  readonly fileSystem?: FileSystemService;
  /** False: a file that git ignores is not read even when it is named (K21). Default true. */
  readonly readGitIgnored?: boolean;
  /** The file of the person's own excludes for git, absolute (see `userExcludesFile`). */
  readonly userExcludes?: string | undefined;
  /** Tools beside the built-in ones. */
  readonly extraTools?: (config: Config) => readonly BaseTool[];
}

/** The specification's façade over the services that tools ask for (S18). It holds them; it decides nothing. */
export class Config implements ToolRuntime {
  private readonly toolRegistry = new ToolRegistry();
  readonly #gate: WorkspaceGate;
  readonly #gitIgnore: IgnoreRules;
  readonly #fileSystem: FileSystemService;
  readonly #changes: FileChanges;
  readonly #versions = new FileVersions();
  readonly #lineIndexes = new LineIndexes();
  readonly #searchIndex: SearchIndex;
  readonly #options: ConfigOptions;
  #approvalMode: ApprovalMode;

  constructor(options: ConfigOptions) {
    const roots = options.roots.map((root) => realpathSync.native(root));
    const ignore = new IgnoreRules(QWEN_IGNORE, roots);
    this.#gate = new WorkspaceGate({ roots: options.roots, tempDir: options.tempDir, ignore });
    this.#gitIgnore = new IgnoreRules(GIT_IGNORE, roots, options.userExcludes);
    this.#searchIndex = new SearchIndex({
      userExcludes: options.userExcludes,
      git: {
        searchPath: options.childEnvironment['PATH'] ?? '',
        notBelow: this.#gate.roots,
        tempDir: this.#gate.tempDir,
      },
    });
    this.#fileSystem = options.fileSystem ?? new LocalFileSystem(this.#gate);
    const versions = this.#versions;
    this.#changes =
      options.fileSystem === undefined
        ? new WorkspaceChanges({
            gate: this.#gate,
            versions,
            journalDir: options.journalDir,
            userExcludes: options.userExcludes,
          })
        : new HostedChanges(options.fileSystem, versions);
    this.#options = options;
    this.#approvalMode = options.approvalMode;
    this.initializeTools();
  }

  private initializeTools(): void {
    for (const tool of builtinTools(this)) this.toolRegistry.registerTool(tool);
    for (const tool of this.#options.extraTools?.(this) ?? []) this.toolRegistry.registerTool(tool);
  }

  getToolRegistry(): ToolRegistry {
    return this.toolRegistry;
  }

  getWorkspaceContext(): WorkspaceContext {
    const gate = this.#gate;
    return { getDirectories: () => gate.roots, isPathWithinWorkspace: (path) => gate.contains(path) };
  }

  getFileService(): FileService {
    return {
      shouldQwenIgnoreFile: (path) => this.#gate.check(path)?.code === 'path_ignored',
      shouldGitIgnoreFile: (path) => this.#gitIgnore.isIgnored(path, false),
      refuseGitIgnored: (path) => {
        if (this.#options.readGitIgnored !== false) return null;
        if (!this.#gitIgnore.isIgnored(this.#gate.resolve(path).path, false)) return null;
        return { code: 'path_ignored', message: `Path is ignored by .gitignore: ${path}` };
      },
    };
  }

  getFileSystemService(): FileSystemService {
    return this.#fileSystem;
  }

  getWorkspaceGate(): WorkspaceGate {
    return this.#gate;
  }

  getFileChanges(): FileChanges {
    return this.#changes;
  }

  getFileVersions(): FileVersions {
    return this.#versions;
  }

  getLineIndexes(): LineIndexes {
    return this.#lineIndexes;
  }

  getSearchIndex(): SearchIndex {
    return this.#searchIndex;
  }

  /** Ends the threads that searches started. */
  async close(): Promise<void> {
    await this.#searchIndex.close();
  }

  getApprovalMode(): ApprovalMode {
    return this.#approvalMode;
  }

  setApprovalMode(mode: ApprovalMode): void {
    this.#approvalMode = mode;
  }

  getCommandRunner(): RunCommand {
    return this.#options.runCommand;
  }

  getChildEnvironment(): Readonly<Record<string, string>> {
    return this.#options.childEnvironment;
  }

  getTempDir(): string {
    return this.#gate.tempDir;
  }

  getTargetDir(): string {
    return this.#gate.roots[0] ?? this.#gate.tempDir;
  }
}
