import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../util/failure.js';

const HEAD_BYTES = 64 * 1024;
/** A log whose first line is none that says it is passed over for an older one, but not for ever. */
const MOST_LOGS = 5;

/**
 * The first folders of all workspaces that have a session, canonical when that was begun; they may be gone by now. What
 * cannot be read is left out. `tenonHome`: Tenon's own folder.
 */
export async function projectRoots(tenonHome: string): Promise<readonly string[]> {
  const projects = join(tenonHome, 'projects');
  const roots = new Set<string>();
  for (const name of namesIn(projects)) {
    const root = await rootOf(join(projects, name, 'sessions'));
    if (root !== undefined) roots.add(root);
  }
  return [...roots];
}

async function rootOf(sessions: string): Promise<string | undefined> {
  const logs = namesIn(sessions)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .toReversed();
  for (const log of logs.slice(0, MOST_LOGS)) {
    const root = await rootIn(join(sessions, log)).catch(() => undefined);
    if (root !== undefined) return root;
  }
  return undefined;
}

async function rootIn(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [, roots] =
      /"type":"session-start"[^\n]*?"roots":(\["(?:[^"\\]|\\.)*")/.exec(buffer.toString('utf8', 0, bytesRead)) ?? [];
    if (roots === undefined) return undefined;
    const [first]: unknown[] = JSON.parse(`${roots}]`);
    return typeof first === 'string' ? first : undefined;
  } finally {
    await handle.close();
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (systemErrorCode(thrown) !== undefined) return [];
    throw thrown;
  }
}
