import type { Stats } from 'node:fs';

/** What `lstat` says of a regular file: another content means another stamp, but for the grain of the clock. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** Permission bits, `0o7777`. */
  readonly mode: number;
}

/** Where bytes lie in a pack of the manifest's folder. */
export interface ContentPlace {
  readonly pack: string;
  readonly offset: number;
  readonly bytes: number;
}

/** A file as it was when it was last looked at. */
export interface KnownFile extends FileStamp {
  /** SHA-256 (hex) of the bytes; absent when they were not read. */
  readonly hash?: string | undefined;
  /** How many bytes were read for `hash`. */
  readonly bytes?: number | undefined;
  /** Absent when the bytes were not kept. */
  readonly place?: ContentPlace | undefined;
  /** False: it was written so shortly before it was read that a later write need not show in the stamp. */
  readonly settled: boolean;
}

/** What a look found to be another than at the look before. */
export interface Finding {
  /** Canonical. */
  readonly path: string;
  /** Absent: there was no such file. */
  readonly before?: KnownFile | undefined;
  /** Absent: there is none now. */
  readonly after?: KnownFile | undefined;
}

/** The grain of file times on an ordinary file system is at most a tick of the kernel (10 ms). */
const FINE_GRAIN_MS = 50;
/** Times without a fraction come from a file system that keeps whole seconds, or two. */
const COARSE_GRAIN_MS = 2100;

export function stampOfStats(stat: Stats): FileStamp {
  const { size, mtimeMs, ctimeMs, ino, mode } = stat;
  return { size, mtimeMs, ctimeMs, ino, mode: mode & 0o7777 };
}

export function isSameStamp(known: FileStamp, stat: Stats): boolean {
  return (
    known.ctimeMs === stat.ctimeMs &&
    known.mtimeMs === stat.mtimeMs &&
    known.size === stat.size &&
    known.ino === stat.ino &&
    known.mode === (stat.mode & 0o7777)
  );
}

/** Whether any write after `now` (ms since 1970) gives the file another stamp: its last change is older than the clock's grain. */
export function isSettled({ mtimeMs, ctimeMs }: FileStamp, now: number): boolean {
  // A file may be dated into the future at will; only its change time is the clock's.
  const last = mtimeMs <= now ? Math.max(mtimeMs, ctimeMs) : ctimeMs;
  return now - last > (ctimeMs % 1000 === 0 ? COARSE_GRAIN_MS : FINE_GRAIN_MS);
}

/** True when content and mode are known to be the same. */
export function isSameContent(one: KnownFile, other: KnownFile): boolean {
  return one.hash !== undefined && one.hash === other.hash && one.mode === other.mode;
}

/** Findings of two looks, the later ones last, as one: what came and went in between leaves none. */
export function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, Finding>();
  for (const { path, before, after } of findings) {
    const first = merged.get(path);
    merged.set(path, { path, before: first === undefined ? before : first.before, after });
  }
  return [...merged.values()].filter(({ before, after }) =>
    before === undefined || after === undefined ? before !== after : !isSameContent(before, after),
  );
}
