import type { FileChanges } from './files/file-changes.js';
import type { FileVersions } from './files/file-versions.js';
import type { LineIndexes } from './files/line-index.js';
import type { FileService, FileSystemService, WorkspaceContext } from './files/workspace-types.js';
import type { WorkspaceGate } from './files/workspace-gate.js';
import type { ApprovalMode } from './policy/approval-mode.js';
import type { RunCommand } from './process/command-types.js';
import type { SearchIndex } from './search/search-index.js';

/**
 * The services a tool may ask for. `Config` is the specification's name for the object that has them;
 * the built-in tools take this interface, so that nothing below `config/` knows it.
 */
export interface ToolRuntime {
  getWorkspaceContext(): WorkspaceContext;
  getFileService(): FileService;
  getFileSystemService(): FileSystemService;
  getWorkspaceGate(): WorkspaceGate;
  /** The one way in which tools change files. */
  getFileChanges(): FileChanges;
  /** Which version of a file which agent has seen. */
  getFileVersions(): FileVersions;
  /** What is known of where lines begin in large files. */
  getLineIndexes(): LineIndexes;
  /** What is remembered of the workspace so that the next search is fast. */
  getSearchIndex(): SearchIndex;
  getApprovalMode(): ApprovalMode;
  setApprovalMode(mode: ApprovalMode): void;
  getCommandRunner(): RunCommand;
  /** The variables a child process gets. */
  getChildEnvironment(): Readonly<Record<string, string>>;
  /** The project's own temp folder: absolute, canonical, exists, readable through the gate. */
  getTempDir(): string;
  /** The first workspace root. */
  getTargetDir(): string;
}
