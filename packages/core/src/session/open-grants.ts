import { realpathSync } from 'node:fs';
import { Grants } from '../policy/grants.js';
import { projectFolders } from './project-folders.js';

/** What the person granted for a project with "always". @throws Failure `home_unusable` */
export async function openGrants({
  root,
  tenonHome,
  days,
}: {
  readonly root: string;
  readonly tenonHome: string;
  /** For how many days they hold. Default: no end. */
  readonly days?: number | undefined;
}): Promise<{ readonly grants: Grants; readonly problems: readonly string[] }> {
  const grants = new Grants(projectFolders(tenonHome, realpathSync.native(root)).grantsFile, { days });
  return { grants, problems: await grants.load() };
}
