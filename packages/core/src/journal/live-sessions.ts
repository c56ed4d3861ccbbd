import { readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder, writePrivateFile } from './durable-file.js';
import { isAlive, isProcessMark, ownMark } from './process-mark.js';

const FOLDER = 'live';
const NAME = /^[A-Za-z0-9-]{1,64}$/;

/** Says that a session of this process writes into a journal, for as long as the process lives. Never throws. */
export async function markLive(journalFolder: string, sessionId: string): Promise<void> {
  if (!NAME.test(sessionId)) return;
  const folder = join(journalFolder, FOLDER);
  const path = join(folder, sessionId);
  try {
    await makePrivateFolder(folder, false);
    const bytes = Buffer.from(JSON.stringify(ownMark()));
    await writePrivateFile({ temporary: `${path}.tmp`, path, bytes, durable: false });
  } catch {
    // Only the tidying up of old entries asks for it.
  }
}

/** The sessions whose process lives, or may live; marks of dead ones are removed. */
export async function liveSessions(journalFolder: string): Promise<ReadonlySet<string>> {
  const folder = join(journalFolder, FOLDER);
  const live = new Set<string>();
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const path = join(folder, name);
    try {
      const mark: unknown = JSON.parse(await readFile(path, 'utf8'));
      if (isProcessMark(mark) && isAlive(mark) !== false) live.add(name);
      else await unlink(path);
    } catch {
      // Just being written, or removed by another.
    }
  }
  return live;
}
