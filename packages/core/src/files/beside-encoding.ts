import { isUtf8 } from 'node:buffer';
import { basename, dirname, extname, join } from 'node:path';
import { recognizeEncoding, type EncodingsBeside } from './detect-encoding.js';
import { judgeLegacy } from './guess-legacy.js';
import type { WorkspaceGate } from './workspace-gate.js';

/** The most files of the folder that are read. */
const MAX_FILES = 32;

/** Returns a function that finds the non-UTF-8 encodings of neighbouring files. It looks only when called, and only once. */
export function besideOf(gate: WorkspaceGate, path: string): EncodingsBeside {
  let found: Promise<readonly string[]> | undefined;
  return () => (found ??= encodingsIn(gate, path));
}

async function encodingsIn(gate: WorkspaceGate, path: string): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const name of await namesBeside(gate, path)) {
    const encoding = await clearEncoding(gate, join(dirname(path), name));
    if (encoding !== undefined) counts.set(encoding, (counts.get(encoding) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([encoding]) => encoding);
}

/** Lists the neighbours, those with the same ending first. */
async function namesBeside(gate: WorkspaceGate, path: string): Promise<readonly string[]> {
  try {
    const entries = await gate.withFolder(dirname(path), (folder) => folder.list());
    const isOther = (name: string): number => Number(extname(name) !== extname(path));
    return entries
      .filter((entry) => entry.isFile() && entry.name !== basename(path))
      .map(({ name }) => name)
      .toSorted((one, other) => isOther(one) - isOther(other) || (one < other ? -1 : 1))
      .slice(0, MAX_FILES);
  } catch {
    // A folder that cannot be listed gives no evidence.
    return [];
  }
}

/** Returns undefined if a file is UTF-8, no text, too large, not readable or ambiguous. */
async function clearEncoding(gate: WorkspaceGate, path: string): Promise<string | undefined> {
  try {
    const bytes = await gate.withFile(path, async (handle) => handle.readSmall());
    if (bytes === undefined || isUtf8(bytes) || recognizeEncoding(bytes, true, path) !== undefined) return undefined;
    const { encoding, isSure } = await judgeLegacy(bytes);
    return isSure && encoding !== 'utf-8' ? encoding : undefined;
  } catch {
    return undefined;
  }
}
