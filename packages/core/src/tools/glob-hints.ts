import { isAbsolute, resolve } from 'node:path';
import type { ToolRuntime } from '../runtime.js';
import { splitStaticFolder } from '../search/globs/glob-match.js';
import type { PlannedFolder } from '../search/globs/glob-plan.js';
import type { GlobReport } from '../search/report/glob-report.js';
import { withheldNames } from './hidden-names.js';
import { ToolNames } from './tool-names.js';

export type NamedFolders = Pick<GlobReport, 'namedFolder' | 'link'>;

export const NONE_NAMED: NamedFolders = { namedFolder: undefined, link: undefined };

/** Where nothing was found: the pattern that is the path of a folder, and the folder that only a link leads to. */
export function namedFolders(
  patterns: readonly string[],
  folders: readonly PlannedFolder[],
  config: ToolRuntime,
): NamedFolders {
  const gate = config.getWorkspaceGate();
  const isWithheld = withheldNames(config, ToolNames.GLOB);
  /** Where a folder really is that may be told of. */
  const realFolder = (path: string): string | undefined => {
    if (gate.check(path) !== null || isWithheld(path)) return undefined;
    const { kind, path: real } = gate.resolve(path);
    return kind === 'directory' ? real : undefined;
  };
  const isFolder = (pattern: string): boolean =>
    folders.some(({ path }) => {
      const named = resolve(path, pattern);
      return (named !== path || isAbsolute(pattern)) && realFolder(named) !== undefined;
    });
  /** The folder with which a pattern begins, when it can only be reached through a link: none is followed on the way. */
  const linkIn = (pattern: string): string | undefined => {
    const { folder } = splitStaticFolder(pattern.replace(/^(?:\.\/)+/, ''));
    if (folder === '' || isAbsolute(folder)) return undefined;
    const isLinked = folders.some(({ path }) => {
      const real = realFolder(resolve(path, folder));
      return real !== undefined && real !== resolve(gate.resolve(path).path, folder);
    });
    return isLinked ? folder : undefined;
  };
  return {
    namedFolder: patterns.find(isFolder),
    link: patterns.map(linkIn).find((folder) => folder !== undefined),
  };
}
