import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KnownFile } from './manifest.js';

const HEADER = '{"manifest":1}';
/** Lines parsed or printed before others get their turn: some milliseconds. */
const SLICE_LINES = 1000;

/**
 * The files that are known, on the disk: a line for each, the last one for a path counts. A line is a fact by itself
 * (this path with this stamp has this content), so lines of several processes may follow each other, and one that
 * cannot be read is left out. Only settled files with kept content are written: the others are to be read again, so
 * that of them, and of files that are gone, a line says that nothing is known.
 */
export class ManifestFile {
  readonly #path: string;
  /** In the file; undefined while it is not known to be sound. */
  #lines: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Never rejects: what is damaged or missing is not known. */
  async load(): Promise<Map<string, KnownFile>> {
    const known = new Map<string, KnownFile>();
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    if (!text.startsWith(`${HEADER}\n`)) return known;
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      if (index % SLICE_LINES === SLICE_LINES - 1) await nextTurn();
      const entry = index === 0 || line === '' ? undefined : parseLine(line);
      if (entry === undefined) continue;
      const [path, file] = entry;
      if (file === undefined) known.delete(path);
      else known.set(path, file);
    }
    this.#lines = lines.length;
    return known;
  }

  /**
   * Adds what was learned (undefined: nothing is known of it any more); writes the file anew when most of its lines are
   * out of date. @throws the system's error
   */
  async save(
    learned: readonly (readonly [string, KnownFile | undefined])[],
    all: ReadonlyMap<string, KnownFile>,
  ): Promise<void> {
    const before = this.#lines ?? Infinity;
    if (before + learned.length > 2 * all.size + SLICE_LINES) return this.#rewrite(all);
    const lines = await printLines(learned, true);
    if (lines.length === 0) return;
    // The line end comes first: it ends a line that a crash may have cut.
    await appendFile(this.#path, `\n${lines.join('\n')}\n`, { mode: 0o600 });
    this.#lines = before + lines.length;
  }

  async #rewrite(all: ReadonlyMap<string, KnownFile>): Promise<void> {
    const lines = [HEADER, ...(await printLines(all, false))];
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      await writeFile(draft, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.#path);
    } catch (thrown) {
      await unlink(draft).catch(() => undefined);
      throw thrown;
    }
    this.#lines = lines.length;
  }
}

async function printLines(
  files: Iterable<readonly [string, KnownFile | undefined]>,
  withUnknown: boolean,
): Promise<string[]> {
  const lines: string[] = [];
  let count = 0;
  for (const [path, file] of files) {
    if (++count % SLICE_LINES === 0) await nextTurn();
    const line = file === undefined ? undefined : printLine(path, file);
    if (line !== undefined) lines.push(line);
    else if (withUnknown) lines.push(JSON.stringify([path]));
  }
  return lines;
}

/** Whether the next process will know it. */
export function isKeptKnown({ hash, place, settled }: KnownFile): boolean {
  return settled && hash !== undefined && place !== undefined;
}

function printLine(path: string, file: KnownFile): string | undefined {
  return isKeptKnown(file) ? printKnown(path, file) : undefined;
}

/** A line for a file, settled or not; undefined when its content is not kept. */
export function printKnown(path: string, file: KnownFile): string | undefined {
  const { size, mtimeMs, ctimeMs, ino, mode, hash, place } = file;
  if (hash === undefined || place === undefined) return undefined;
  return JSON.stringify([path, size, mtimeMs, ctimeMs, ino, mode, hash, place.pack, place.offset, place.bytes]);
}

/** Undefined for what is no such line; a path alone is a file of which nothing is known. */
export function parseLine(line: string): readonly [string, KnownFile | undefined] | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Array.isArray(fields)) return undefined;
  const values: readonly unknown[] = fields;
  const [path, size, mtimeMs, ctimeMs, ino, mode, hash, pack, offset, bytes] = values;
  if (typeof path === 'string' && values.length === 1) return [path, undefined];
  if (typeof path !== 'string' || typeof hash !== 'string' || typeof pack !== 'string') return undefined;
  if (!isCount(size) || !isNumber(mtimeMs) || !isNumber(ctimeMs) || !isCount(ino) || !isCount(mode)) return undefined;
  // The name of a pack is a file name, whoever wrote the line.
  if (!isCount(offset) || !isCount(bytes) || !/^[0-9a-f]{64}$/.test(hash) || !/^[\w-]+\.pack$/.test(pack))
    return undefined;
  const place = { pack, offset, bytes };
  return [path, { size, mtimeMs, ctimeMs, ino, mode, hash, bytes, place, settled: true }];
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): value is number {
  return isNumber(value) && value >= 0;
}
