import type { LanguageServers } from '../../lsp/language-servers.js';
import { QueryContext } from '../../lsp/query-context.js';
import type { ToolRuntime } from '../../runtime.js';
import { findFiles } from '../../search/find-files.js';
import { planGlobs } from '../../search/globs/glob-plan.js';
import { NewestFiles } from '../../search/newest-files.js';
import { newWalkCounts } from '../../search/tree/walked-folder.js';
import { outermostRoots } from '../../util/paths-below.js';
import { leadsThroughNoLink } from '../../util/real-path.js';
import { withheldNames } from '../hidden-names.js';
import { LeftOut } from '../left-out.js';
import { ToolError } from '../tool-error.js';
import { ToolNames } from '../tool-names.js';
import { DEFAULT_LIMIT, type LspToolParams } from './lsp-params.js';

/** @throws ToolError `lsp_disabled` */
export function serversOf(config: ToolRuntime): LanguageServers {
  const servers = config.getLanguageServers();
  if (servers !== undefined) return servers;
  throw new ToolError(
    'lsp_disabled',
    'Language servers are switched off (setting lsp.enabled), or cannot be used here.',
  );
}

export function queryContext(config: ToolRuntime, { limit }: LspToolParams, signal: AbortSignal): QueryContext {
  const files = config.getFileService();
  const isWithheld = withheldNames(config, ToolNames.LSP);
  return new QueryContext({
    servers: serversOf(config),
    signal,
    isWithheld: (path) => files.shouldQwenIgnoreFile(path) || isWithheld(path),
    isIgnored: (path) => files.shouldGitIgnoreFile(path),
    listFiles: async (names, most) => listFiles(config, { names, most }, signal),
    limit: limit ?? DEFAULT_LIMIT,
  });
}

/** Files with one of these names or extensions, newest first, without what is ignored or kept back by rules. */
async function listFiles(
  config: ToolRuntime,
  { names, most }: { readonly names: readonly string[]; readonly most: number },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const gate = config.getWorkspaceGate();
  const leftOut = new LeftOut(config, ToolNames.LSP);
  const patterns = names.map((name) => (name.startsWith('.') ? `**/*${name}` : `**/${name}`));
  const plan = planGlobs(patterns, outermostRoots(gate.roots), { realOf: (path) => path, isHidden: () => false });
  const newest = new NewestFiles(most);
  for (const { path, globSet } of plan.folders) {
    await gate.withFolder(path, async ({ resolved, workingDirectory }) => {
      await findFiles(
        {
          allowed: leftOut.filterAt({ path: resolved.path, requested: path }),
          index: await config.getSearchIndex(),
          folder: { path: resolved.path, workingDirectory },
          roots: gate.roots,
          globs: globSet(),
          allowsLink: (link) => gate.check(link) === null,
          counts: newWalkCounts(),
          signal,
        },
        newest,
      );
    });
  }
  return newest
    .sorted()
    .map(({ path }) => path)
    .filter((path) => leadsThroughNoLink(path));
}
