import type { GitUser } from './files/ignore-settings.js';
import type { ReadRules } from './effects/withheld.js';
import type { FileChanges } from './files/file-changes.js';
import type { FileVersions } from './files/file-versions.js';
import type { ShownTexts } from './files/host-files.js';
import type { LineIndexes } from './files/line-index.js';
import type { FileService, FileSystemService, WorkspaceContext } from './files/workspace-types.js';
import type { WorkspaceGate } from './files/workspace-gate.js';
import type { LanguageServers } from './lsp/language-servers.js';
import type { Memory } from './memory/memory.js';
import type { Planning } from './planning/planning.js';
import type { ApprovalCeiling, ApprovalMode } from './policy/approval-mode.js';
import type { CommandViewer } from './process/command-viewer.js';
import type { RunCommand } from './process/command-types.js';
import type { JobRegistry } from './process/jobs/job-registry.js';
import type { ShellOptions } from './process/shell-options.js';
import type { SandboxStatus } from './sandbox/sandbox-types.js';
import type { Secrets } from './secrets/secrets.js';
import type { SearchIndex } from './search/search-index.js';
import type { Skills } from './skills/skills.js';
import type { Subagents } from './subagents/subagent-types.js';
import type { WebSearch } from './web/search/web-search.js';
import type { WebOptions } from './web/web-options.js';

/**
 * The services a tool may ask for. `Config` is the specification's name for the object that has them;
 * the built-in tools take this interface, so that nothing below `config/` knows it.
 */
export interface ToolRuntime {
  getWorkspaceContext(): WorkspaceContext;
  getFileService(): FileService;
  getFileSystemService(): FileSystemService;
  getWorkspaceGate(): WorkspaceGate;
  /** Undefined where no editor has files open. */
  getShownTexts(): ShownTexts | undefined;
  /** The one way in which tools change files. */
  getFileChanges(): FileChanges;
  /** Which version of a file which agent has seen. */
  getFileVersions(): FileVersions;
  /** What is known of where lines begin in large files. */
  getLineIndexes(): LineIndexes;
  /** What is remembered of the workspace so that the next search is fast. */
  getSearchIndex(): Promise<SearchIndex>;
  /** Whose configuration of git counts beside that of repositories. */
  getGitUser(): GitUser | undefined;
  /** What rules keep tools from reading; undefined where nobody told: then a tool cannot leave it out. */
  getReadRules(): ReadRules | undefined;
  getApprovalMode(): ApprovalMode;
  /** @throws Failure `mode_not_permitted` for a mode above the ceiling */
  setApprovalMode(mode: ApprovalMode): void;
  /** Undefined when every mode may be chosen. */
  getApprovalCeiling(): ApprovalCeiling | undefined;
  getCommandRunner(): RunCommand;
  /** What runs in the background of this session. */
  getJobs(): JobRegistry;
  /** Undefined where nobody shows commands while they run. */
  getCommandViewer(): CommandViewer | undefined;
  getShellOptions(): ShellOptions;
  /** Task lists, plans, and whether anybody can be asked. */
  getPlanning(): Planning;
  /** What is remembered across sessions. */
  getMemory(): Memory;
  /** Hides secrets in what is written; undefined where nothing is hidden. */
  getSecrets(): Secrets | undefined;
  /** What the person and the project keep for kinds of work. */
  getSkills(): Skills;
  /** Undefined where nobody said how the web is searched. */
  getWebSearch(): WebSearch | undefined;
  /** Undefined where language servers are switched off, or cannot be used. */
  getLanguageServers(): LanguageServers | undefined;
  /** Whether commands run in a sandbox, found out when it is first asked for. */
  getSandboxStatus(): Promise<SandboxStatus>;
  /** The variables a child process gets. */
  getChildEnvironment(): Readonly<Record<string, string>>;
  /** Who takes work from the agent; undefined where no agent is at work. */
  getSubagents(): Subagents | undefined;
  /** What reaching the web goes by. */
  getWebOptions(): WebOptions;
  /** Returns true if git's read-only commands start no program in the folder's repository and show no history from elsewhere. */
  isTrustedRepository(folder: string): boolean;
  /** The project's own temp folder: absolute, canonical, exists, readable through the gate. */
  getTempDir(): string;
  /** The first workspace root. */
  getTargetDir(): string;
}
