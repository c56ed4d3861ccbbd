import { realpathSync } from 'node:fs';
import type { GitUser } from '../files/ignore-settings.js';
import type { ReadRules } from '../effects/withheld.js';
import type { FileChanges } from '../files/file-changes.js';
import { FileVersions } from '../files/file-versions.js';
import type { HostFiles, ShownTexts } from '../files/host-files.js';
import { LocalFileSystem } from '../files/local-file-system.js';
import { IgnoreRules } from '../files/ignore-rules.js';
import { GIT_IGNORE, QWEN_IGNORE } from '../files/ignore-stack.js';
import { LineIndexes } from '../files/line-index.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import type { FileService, FileSystemService, WorkspaceContext } from '../files/workspace-types.js';
import { FollowedChanges } from '../journal/followed-changes.js';
import { HostBuffers } from '../journal/host-buffers.js';
import { HostedChanges } from '../journal/hosted-changes.js';
import { NewChanges } from '../journal/new-changes.js';
import { WorkspaceChanges } from '../journal/workspace-changes.js';
import type { LanguageServers } from '../lsp/language-servers.js';
import { EditWatch } from '../lsp/edit-watch.js';
import { WatchedChanges } from '../lsp/watched-changes.js';
import type { Memory, MemorySettings } from '../memory/memory.js';
import { Planning, type PlanningOptions } from '../planning/planning.js';
import { isLooserMode, type ApprovalCeiling, type ApprovalMode } from '../policy/approval-mode.js';
import { NO_SANDBOX, type SandboxStatus } from '../sandbox/sandbox-types.js';
import type { Secrets } from '../secrets/secrets.js';
import type { SearchIndex } from '../search/search-index.js';
import type { SkillSettings } from '../skills/skill-places.js';
import { Skills } from '../skills/skills.js';
import type { RunCommand } from '../process/command-types.js';
import type { CommandViewer } from '../process/command-viewer.js';
import type { JobRegistry } from '../process/jobs/job-registry.js';
import { SHELL_OPTIONS, type ShellOptions } from '../process/shell-options.js';
import type { ToolRuntime } from '../runtime.js';
import { builtinTools } from '../tools/builtin-tools.js';
import type { OfferedTools } from '../tools/offered-tools.js';
import { SkillTool } from '../tools/skill.js';
import { ToolRegistry, type AnyTool } from '../tools/tool-registry.js';
import type { RepositoryTrust } from '../trust/repository-trust.js';
import type { Subagents } from '../subagents/subagent-types.js';
import { Failure } from '../util/failure.js';
import type { WebSearch } from '../web/search/web-search.js';
import type { WebOptions } from '../web/web-options.js';
import { openMemory } from './open-memory.js';

export interface ConfigOptions {
  /** Existing folders, absolute; the first is the target folder. */
  readonly roots: readonly string[];
  /** The project's own temp folder, existing and absolute. */
  readonly tempDir: string;
  /** Where changes are written down so that they can be undone: absolute, made when it is first needed. */
  readonly journalDir: string;
  /** Where searches keep what they know of the project for later processes: absolute, made when it is needed; nothing is kept without it. */
  readonly searchDir?: string | undefined;
  readonly approvalMode: ApprovalMode;
  /** No mode above it can be chosen. */
  readonly approvalCeiling?: ApprovalCeiling;
  readonly runCommand: RunCommand;
  readonly jobs: JobRegistry;
  readonly shell?: Partial<ShellOptions>;
  /** Absent: commands run as they are. */
  readonly sandboxStatus?: () => Promise<SandboxStatus>;
  readonly childEnvironment: Readonly<Record<string, string>>;
  /** S67: an editor's or a remote host's files in place of the local ones. */
  readonly fileSystem?: FileSystemService;
  /** An editor that has files of this machine open; unused beside `fileSystem`. */
  readonly hostFiles?: HostFiles;
  /** Shows commands that calls wait for while they run. */
  readonly commandViewer?: CommandViewer;
  /** False: no tool shows what is in files that git ignores, not even when they are named (K21). Default true. */
  readonly readGitIgnored?: boolean;
  /** Whose configuration of git counts beside that of repositories. */
  readonly gitUser?: GitUser | undefined;
  /** Returns true for folders of repositories in which read-only commands start no program. Default: false for all. */
  readonly isTrustedRepository?: RepositoryTrust;
  /** The rules by which calls are judged, so that searches leave out what may not be read. */
  readonly readRules?: ReadRules;
  /** Context files and saved facts. Default: those of the roots and above them, and none of the person's own. */
  readonly memory?: MemoryPlaces;
  /** Skills. Default: none of the person's own, and those of the roots are withheld. */
  readonly skills?: SkillSettings & { readonly home?: string; readonly userHome?: string };
  /** Default: nobody can be asked, and plans are not kept as files. */
  readonly planning?: PlanningOptions;
  /** How the web is searched; closed with this. Absent: not at all. */
  readonly webSearch?: WebSearch;
  /** Who takes work from the agent. Absent: nobody does. */
  readonly subagents?: Subagents;
  /** Servers of languages, for files of this machine. Absent: none. */
  readonly languageServers?: (config: Config) => LanguageServers | undefined;
  /** What reaching the web goes by. Default: its own limits, no proxy, nothing that is not public. */
  readonly web?: WebOptions;
  /** What hides secrets. Absent: nothing is hidden. */
  readonly secrets?: Secrets;
  /** Tools beside the built-in ones. */
  readonly extraTools?: (config: Config) => readonly AnyTool[];
  /** Which tools are let in, now and later. */
  readonly offered?: OfferedTools;
}

export interface MemoryPlaces extends MemorySettings {
  /** Tenon's own folder, existing and absolute. */
  readonly home?: string;
  readonly userHome?: string;
  /** Variables whose values, where they are secrets, are not remembered. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The specification's façade over the services that tools ask for (S18). It holds them; it decides nothing. */
export class Config implements ToolRuntime {
  private readonly toolRegistry: ToolRegistry;
  readonly #gate: WorkspaceGate;
  readonly #gitIgnore: IgnoreRules;
  readonly #fileSystem: FileSystemService;
  readonly #buffers: HostBuffers | undefined;
  readonly #changes: FileChanges;
  readonly #languageServers: LanguageServers | undefined;
  readonly #edits: EditWatch | undefined;
  readonly #versions = new FileVersions((path, agent) => {
    this.#memory.noteTouched(path, agent);
    this.#skills.noteTouched(path, agent);
  });
  readonly #lineIndexes = new LineIndexes();
  readonly #memory: Memory;
  readonly #skills: Skills;
  readonly #planning: Planning;
  #searchIndex: Promise<SearchIndex> | undefined;
  readonly #options: ConfigOptions;
  #approvalMode: ApprovalMode;

  constructor(options: ConfigOptions) {
    const roots = options.roots.map((root) => realpathSync.native(root));
    const ignore = new IgnoreRules(QWEN_IGNORE, roots);
    const { tempDir, readRules } = options;
    this.#gitIgnore = new IgnoreRules(GIT_IGNORE, roots, options.gitUser);
    const unread = options.readGitIgnored === false ? this.#gitIgnore : undefined;
    const alsoFolders = (): readonly string[] => this.#skills.openFolders();
    this.#gate = new WorkspaceGate({ roots: options.roots, tempDir, ignore, unread, alsoFolders });
    this.#skills = new Skills({
      home: undefined,
      userHome: undefined,
      ...options.skills,
      roots,
      tempDir,
      ignore,
      readRules,
    });
    const local = options.fileSystem ?? new LocalFileSystem(this.#gate);
    const { hostFiles } = options;
    this.#buffers =
      options.fileSystem === undefined && hostFiles !== undefined
        ? new HostBuffers(local, this.#gate, hostFiles)
        : undefined;
    this.#fileSystem = this.#buffers ?? local;
    const versions = this.#versions;
    const changes =
      options.fileSystem === undefined
        ? new WorkspaceChanges({
            gate: this.#gate,
            versions,
            journalDir: options.journalDir,
            gitUser: options.gitUser,
          })
        : new HostedChanges(options.fileSystem, versions);
    this.#options = options;
    // They read the machine's own files, so that they are of no use for those of another host.
    this.#languageServers = options.fileSystem === undefined ? options.languageServers?.(this) : undefined;
    this.#languageServers?.follow(new NewChanges(options.journalDir));
    this.#edits = this.#languageServers === undefined ? undefined : new EditWatch(this.#languageServers);
    const watched = this.#edits === undefined ? changes : new WatchedChanges(changes, this.#edits);
    this.#changes = this.#buffers === undefined ? watched : new FollowedChanges(watched, this.#buffers);
    this.#approvalMode = permitted(options.approvalMode, options.approvalCeiling);
    this.#planning = new Planning(options.planning);
    this.#memory = openMemory({
      ...options,
      gate: this.#gate,
      project: { gate: this.#gate, files: this.#fileSystem, changes: this.#changes },
      versions,
      ignore,
      gitIgnore: this.#gitIgnore,
    });
    this.toolRegistry = new ToolRegistry(options.offered, this);
    this.initializeTools();
  }

  private initializeTools(): void {
    for (const tool of builtinTools(this)) this.toolRegistry.registerChecked(tool);
    for (const tool of this.#options.extraTools?.(this) ?? []) this.toolRegistry.registerTool(tool);
    this.#skills.onChange(() => this.toolRegistry.registerChecked(new SkillTool(this)));
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
      shouldGitIgnoreFolder: (path, from) => this.#gitIgnore.isShutOff(path, from),
    };
  }

  getFileSystemService(): FileSystemService {
    return this.#fileSystem;
  }

  getWorkspaceGate(): WorkspaceGate {
    return this.#gate;
  }

  getShownTexts(): ShownTexts | undefined {
    return this.#buffers;
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

  /** One for the session, opened when it is first asked for. */
  async getSearchIndex(): Promise<SearchIndex> {
    this.#searchIndex ??= this.#openSearchIndex();
    return this.#searchIndex;
  }

  async #openSearchIndex(): Promise<SearchIndex> {
    const { SearchIndex } = await import('../search/search-index.js');
    return new SearchIndex({
      gitUser: this.#options.gitUser,
      folder: this.#options.searchDir,
      git: {
        searchPath: this.#options.childEnvironment['PATH'] ?? '',
        notBelow: this.#gate.roots,
        tempDir: this.#gate.tempDir,
      },
    });
  }

  getGitUser(): GitUser | undefined {
    return this.#options.gitUser;
  }

  /** Ends what runs in the background, and the threads that searches started. */
  async close(): Promise<void> {
    await this.#options.jobs.close();
    await this.#languageServers?.close();
    await (await this.#searchIndex)?.close();
    await this.#options.webSearch?.close();
  }

  getWebSearch(): WebSearch | undefined {
    return this.#options.webSearch;
  }

  getSubagents(): Subagents | undefined {
    return this.#options.subagents;
  }

  getLanguageServers(): LanguageServers | undefined {
    return this.#languageServers;
  }

  /** What becomes of files for which language servers are there; undefined without any. */
  getEditWatch(): EditWatch | undefined {
    return this.#edits;
  }

  getSkills(): Skills {
    return this.#skills;
  }

  getSecrets(): Secrets | undefined {
    return this.#options.secrets;
  }

  getMemory(): Memory {
    return this.#memory;
  }

  getReadRules(): ReadRules | undefined {
    return this.#options.readRules;
  }

  getApprovalMode(): ApprovalMode {
    return this.#approvalMode;
  }

  setApprovalMode(mode: ApprovalMode): void {
    const next = permitted(mode, this.#options.approvalCeiling);
    this.#planning.noteMode(this.#approvalMode, next);
    this.#approvalMode = next;
  }

  getPlanning(): Planning {
    return this.#planning;
  }

  getApprovalCeiling(): ApprovalCeiling | undefined {
    return this.#options.approvalCeiling;
  }

  getCommandRunner(): RunCommand {
    return this.#options.runCommand;
  }

  getJobs(): JobRegistry {
    return this.#options.jobs;
  }

  getCommandViewer(): CommandViewer | undefined {
    return this.#options.commandViewer;
  }

  getShellOptions(): ShellOptions {
    return { ...SHELL_OPTIONS, ...this.#options.shell };
  }

  async getSandboxStatus(): Promise<SandboxStatus> {
    return (await this.#options.sandboxStatus?.()) ?? NO_SANDBOX;
  }

  getChildEnvironment(): Readonly<Record<string, string>> {
    return this.#options.childEnvironment;
  }

  getWebOptions(): WebOptions {
    return this.#options.web ?? {};
  }

  isTrustedRepository(folder: string): boolean {
    return this.#options.isTrustedRepository?.(folder, (path) => this.#gate.contains(path)) === true;
  }

  getTempDir(): string {
    return this.#gate.tempDir;
  }

  getTargetDir(): string {
    return this.#gate.roots[0] ?? this.#gate.tempDir;
  }
}

function permitted(mode: ApprovalMode, ceiling: ApprovalCeiling | undefined): ApprovalMode {
  if (ceiling === undefined || !isLooserMode(mode, ceiling.mode)) return mode;
  const message = `The mode ${mode} is not permitted: the ${ceiling.origin} allow ${ceiling.mode} at most.`;
  throw new Failure('mode_not_permitted', message);
}
