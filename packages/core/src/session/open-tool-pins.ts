import { realpathSync } from 'node:fs';
import { ToolPins } from '../mcp/catalog/pins-file.js';
import { projectFolders } from '../session/project-folders.js';

/** What tools of servers were when they were let into a project, and what waits to be accepted. @throws Failure `home_unusable` */
export function openToolPins({ root, tenonHome }: { readonly root: string; readonly tenonHome: string }): ToolPins {
  return new ToolPins(projectFolders(tenonHome, realpathSync.native(root)).base);
}
