import { lstat, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const DAY_MS = 24 * 3_600_000;

export interface TempLimits {
  /** Older files are removed. */
  readonly ageMs: number;
  /** Of all together; the oldest go first, but none that was written to within the last day. */
  readonly bytes: number;
}

const LIMITS: TempLimits = { ageMs: 7 * DAY_MS, bytes: 2 * 1024 ** 3 };
/** Output of commands and tools, what subagents did, and what a shell left for the next one. What else lies there is none of this. */
const OURS =
  /^(?:shell-[0-9a-f-]{36}\.txt|output-[0-9a-f]{12}\.txt|state-[0-9a-f-]{36}|agent-[0-9a-f]{12}-a[0-9.a]+\.md)$/;

/** Bounds what outputs of earlier sessions take on the disk. Never throws; what cannot be removed waits for the next time. */
export async function tidyTemp(folder: string, now = Date.now(), limits: Partial<TempLimits> = {}): Promise<void> {
  const { ageMs, bytes } = { ...LIMITS, ...limits };
  const found: { readonly path: string; readonly age: number; readonly size: number }[] = [];
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if (!OURS.test(name)) continue;
    const path = join(folder, name);
    const stat = await lstat(path).catch(() => undefined);
    if (stat?.isFile() === true) found.push({ path, age: now - stat.mtimeMs, size: stat.size });
  }
  let kept = 0;
  for (const { path, age, size } of found.sort((one, other) => one.age - other.age)) {
    kept += size;
    if (age > ageMs || (kept > bytes && age > DAY_MS)) await unlink(path).catch(() => undefined);
  }
}
