import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import path from 'node:path';

/**
 * Lets Node, from 22.1 on, keep the code that it compiled for the next start. In Tenon's own folder: in the one for temporary
 * files somebody else might have put code there. Where that folder is not yet, nothing is made.
 */
export function keepCompiled(tenonHome: string): void {
  if (!existsSync(tenonHome)) return;
  // Not known to the types of the oldest Node that is supported.
  const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(path.join(tenonHome, 'compiled'));
}
