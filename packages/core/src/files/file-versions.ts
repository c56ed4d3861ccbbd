import type { Stats } from 'node:fs';

/** What tells one content of a file from another. */
export interface FileVersion {
  /** SHA-256 (hex) of the bytes; absent where a file is too large to be hashed at each look. */
  readonly hash?: string | undefined;
  /** `stampOf` the file. */
  readonly stamp?: string | undefined;
}

/** A read of some lines of a file, as an agent saw it. */
export interface Sighting {
  /** Whose read it was. */
  readonly agent: string;
  readonly callId: string;
  /** Canonical. */
  readonly path: string;
  readonly version: FileVersion;
  /** What was asked for, in any spelling that is the same for the same request. */
  readonly request: string;
  /** The lines that were shown: 0-based, `end` is past the last. */
  readonly first: number;
  readonly end: number;
  /** Undefined when the end of the file was not met. */
  readonly totalLines: number | undefined;
  /** All of the file, when it was at hand. */
  readonly text?: string | undefined;
}

/** Who left a file as it is. */
export interface Author {
  readonly agent?: string | undefined;
  readonly callId: string;
  readonly title: string;
}

/** What an agent knows of a file that it is about to overwrite. */
export type Acquaintance =
  | { readonly known: 'all' }
  | { readonly known: 'nothing' }
  /** Lines that were never shown remain; `next` is the first of them, 0-based. */
  | { readonly known: 'part'; readonly next: number }
  /** It was seen, but it is another by now. `seen`: its text then; `author`: whoever changed it through Tenon. */
  | { readonly known: 'older'; readonly seen: string | undefined; readonly author: Author | undefined };

interface Known {
  version: FileVersion;
  /** Lines shown, as disjoint sorted ranges `[first, end)`. */
  ranges: [first: number, end: number][];
  totalLines: number | undefined;
  text: string | undefined;
  /** What was asked for → the call that was answered in full. */
  readonly answered: Map<string, string>;
}

const MAX_FILES = 4096;
const MAX_TEXT_CHARS = 512 * 1024;
const MAX_ALL_TEXT_CHARS = 16 * 1024 * 1024;

/** Changes with every write to a file, on any file system that keeps times. */
export function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(':');
}

/** Which version of which file each agent has seen, and who wrote the versions that Tenon knows of. Bounded in memory. */
export class FileVersions {
  /** Oldest first. */
  readonly #known = new Map<string, Known>();
  readonly #authors = new Map<string, { readonly hash: string; readonly author: Author }>();
  readonly #onTouch: (path: string, agent: string | undefined) => void;
  #textChars = 0;

  /** `onTouch`: told of each file that is read or changed, by its canonical path, and of the agent where one did it. */
  constructor(onTouch: (path: string, agent: string | undefined) => void = () => undefined) {
    this.#onTouch = onTouch;
  }

  noteRead({ agent, callId, path, version, request, first, end, totalLines, text }: Sighting): void {
    const before = this.#known.get(keyOf(agent, path));
    const known: Known =
      before !== undefined && isSame(before.version, version) ? before : { ...unseen(version), text: undefined };
    known.version = { hash: version.hash ?? known.version.hash, stamp: version.stamp ?? known.version.stamp };
    known.ranges = joined([...known.ranges, [first, Math.max(first, end)]]);
    known.totalLines = totalLines ?? known.totalLines;
    known.answered.set(request, callId);
    this.#onTouch(path, agent);
    this.#keep(keyOf(agent, path), known, text ?? known.text);
  }

  /** After a change: whoever made it knows all of the file. `hash` is `missing` for a file that is gone. */
  noteWrite(path: string, hash: string, author: Author, text?: string): void {
    this.#onTouch(path, author.agent);
    this.#authors.delete(path);
    this.#authors.set(path, { hash, author });
    dropOldest(this.#authors);
    if (author.agent === undefined || text === undefined) return;
    this.#keep(keyOf(author.agent, path), { ...unseen({ hash }), ranges: [[0, Infinity]] }, text);
  }

  /** The call that answered the same request for the same content in full, if there was one. Asked twice, it forgets. */
  takeAnswered(agent: string, path: string, version: FileVersion, request: string): string | undefined {
    const known = this.#known.get(keyOf(agent, path));
    if (known === undefined || !isSame(known.version, version)) return undefined;
    const callId = known.answered.get(request);
    known.answered.delete(request);
    return callId;
  }

  /** What the agent knows of the file as it is now. */
  acquaintance(agent: string, path: string, current: FileVersion): Acquaintance {
    const known = this.#known.get(keyOf(agent, path));
    if (known === undefined) return { known: 'nothing' };
    if (!isSame(known.version, current)) {
      const last = this.#authors.get(path);
      const author = last !== undefined && last.hash === current.hash ? last.author : undefined;
      return { known: 'older', seen: known.text, author };
    }
    const [[first, end] = [0, 0]] = known.ranges;
    const shown = first === 0 ? end : 0;
    return shown >= (known.totalLines ?? Infinity) ? { known: 'all' } : { known: 'part', next: shown };
  }

  /** Another conversation begins, or an earlier state of one: of what was seen nothing can be relied on. */
  forget(agent: string): void {
    for (const [key, { text }] of this.#known) {
      if (!key.startsWith(keyOf(agent, ''))) continue;
      this.#textChars -= text?.length ?? 0;
      this.#known.delete(key);
    }
  }

  #keep(key: string, known: Known, text: string | undefined): void {
    this.#textChars -= this.#known.get(key)?.text?.length ?? 0;
    known.text = text !== undefined && text.length <= MAX_TEXT_CHARS ? text : undefined;
    this.#textChars += known.text?.length ?? 0;
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const [oldest, one] of this.#known) {
      if (this.#textChars <= MAX_ALL_TEXT_CHARS) break;
      if (oldest === key || one.text === undefined) continue;
      this.#textChars -= one.text.length;
      one.text = undefined;
    }
    if (this.#known.size <= MAX_FILES) return;
    const [oldest] = this.#known.keys();
    this.#textChars -= this.#known.get(oldest ?? '')?.text?.length ?? 0;
    this.#known.delete(oldest ?? '');
  }
}

function keyOf(agent: string, path: string): string {
  return `${agent}\0${path}`;
}

function unseen(version: FileVersion): Known {
  return { version, ranges: [], totalLines: undefined, text: undefined, answered: new Map() };
}

/** By hash where both have one, else by stamp. */
function isSame(one: FileVersion, other: FileVersion): boolean {
  if (one.hash !== undefined && other.hash !== undefined) return one.hash === other.hash;
  return one.stamp !== undefined && one.stamp === other.stamp;
}

function joined(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const result: [number, number][] = [];
  for (const [first, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last !== undefined && first <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([first, end]);
  }
  return result;
}

function dropOldest(map: Map<string, unknown>): void {
  if (map.size <= MAX_FILES) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
