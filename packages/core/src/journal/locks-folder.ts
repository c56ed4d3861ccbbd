import { basename, dirname, join } from 'node:path';

/** Beside all projects where the journal is one of them, so that it is the same for all. */
export function locksFolderOf(journalFolder: string): string {
  const projects = dirname(dirname(journalFolder));
  return basename(projects) === 'projects' ? join(dirname(projects), 'locks') : join(journalFolder, 'locks');
}
