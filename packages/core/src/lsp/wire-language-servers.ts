import type { FileSystemService, WorkspaceContext } from '../files/workspace-types.js';
import { foreignEnvironment } from '../process/foreign-environment.js';
import type { StartPiped } from '../process/piped-process.js';
import { errorMessage, Failure } from '../util/failure.js';
import { LanguageServers, type DiagnosticsAfterEdits } from './language-servers.js';
import { readServerSpecs, type ServerSpecs } from './server-spec.js';

/** What a door hands in. */
export interface LanguageServersWanted {
  readonly enabled?: boolean;
  readonly isTrusted: boolean;
  readonly isAgreed?: () => Promise<boolean>;
  /** `lsp.servers` as written: unchecked. */
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly diagnostics?: DiagnosticsAfterEdits;
  readonly idleMs?: number;
}

/** What servers see of a workspace. */
export interface ServedWorkspace {
  getWorkspaceContext(): WorkspaceContext;
  getFileSystemService(): FileSystemService;
}

export interface WiredLanguageServers {
  /** For `Config`. */
  readonly config: { readonly languageServers?: (workspace: ServedWorkspace) => LanguageServers };
  /** What is wrong in the settings, for the person. */
  readonly notices: readonly string[];
}

/** The language servers of a session; none where nobody said that the folder is trusted. */
export function wireLanguageServers(
  wanted: LanguageServersWanted | undefined,
  start: StartPiped,
  environment: Readonly<Record<string, string>>,
): WiredLanguageServers {
  if (wanted === undefined || wanted.enabled === false) return { config: {}, notices: [] };
  const { isTrusted, isAgreed, servers = {}, diagnostics, idleMs } = wanted;
  const { own, notices } = ownServers(servers);
  const languageServers = (workspace: ServedWorkspace): LanguageServers =>
    new LanguageServers({
      roots: workspace.getWorkspaceContext().getDirectories(),
      isTrusted,
      ...(isAgreed !== undefined && { isAgreed }),
      start,
      environment: foreignEnvironment(environment, {}),
      node: process.execPath,
      readText: async (path) => readText(workspace, path),
      own,
      ...(diagnostics !== undefined && { diagnostics }),
      ...(idleMs !== undefined && { idleMs }),
    });
  return { config: { languageServers }, notices };
}

/** One that is wrong does not keep the others from being used. */
function ownServers(servers: Readonly<Record<string, unknown>>): {
  readonly own: ServerSpecs;
  readonly notices: readonly string[];
} {
  const specs: ServerSpecs['specs'][number][] = [];
  const disabled: string[] = [];
  const notices: string[] = [];
  for (const [name, value] of Object.entries(servers)) {
    try {
      const read = readServerSpecs({ [name]: value });
      specs.push(...read.specs);
      disabled.push(...read.disabled);
    } catch (thrown) {
      // A server that was to be replaced is not used either.
      disabled.push(name);
      notices.push(`A language server of the settings is not used: ${errorMessage(thrown)}`);
    }
  }
  return { own: { specs, disabled }, notices };
}

async function readText(workspace: ServedWorkspace, path: string): Promise<string | undefined> {
  try {
    return (await workspace.getFileSystemService().readTextFile(path)).text;
  } catch (thrown) {
    // What is no text, is too large, is gone or may not be read is nothing that a server is told.
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}
