import { parse, sep } from 'node:path';
import type { ToolRuntime } from '../runtime.js';
import { realPath } from '../util/real-path.js';

/** Whether a name is kept back where names are offered: what is ignored, and what rules keep this tool from reading. */
export function hiddenNames(config: ToolRuntime, toolName: string): (path: string) => boolean {
  const files = config.getFileService();
  const isWithheld = withheldNames(config, toolName);
  return (path) => files.shouldQwenIgnoreFile(path) || files.shouldGitIgnoreFile(path) || isWithheld(path);
}

/** What deny and ask rules keep this tool from reading, by name or by where it leads. Absolute paths. */
export function withheldNames(config: ToolRuntime, toolName: string): (path: string) => boolean {
  const { root } = parse(config.getTargetDir());
  const withheld = config.getReadRules()?.below(toolName, { path: root, requested: root });
  if (withheld === undefined) return () => false;
  const names = (path: string): string => path.slice(root.length).replaceAll(sep, '/');
  return (path) => [path, realPath(path)].some((each) => withheld.folder(names(each)) !== undefined);
}
