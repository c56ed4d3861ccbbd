import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostFiles, ShownTexts, UnsavedText } from '../files/host-files.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import type {
  FileFacts,
  FileSystemService,
  ReadOptions,
  TextFile,
  WriteOptions,
  WriteReport,
} from '../files/workspace-types.js';

interface Known {
  /** SHA-256 of the file on the disk. */
  readonly diskHash: string;
  /** Where the host knows it. */
  readonly path: string;
  readonly textHash: string;
}

const MOST_KNOWN = 2048;
/** How often, and how long apart in milliseconds, an editor is asked again that may not have noticed yet that a file changed. */
const ASKED_AGAIN = 4;
const PAUSE_MS = 150;
/** A file that was written this recently may be another than the editor shows. In milliseconds. */
const RECENT_MS = 1500;

/**
 * Text files of this machine as an editor shows them: a buffer that differs from its file by more than line endings is
 * unsaved, and its text counts. Its law: whatever is read is either what is on the disk, byte for byte, or a text that
 * the person has before them.
 */
export class HostBuffers implements FileSystemService, ShownTexts {
  readonly #disk: FileSystemService;
  readonly #gate: WorkspaceGate;
  readonly #host: HostFiles;
  /** Unsaved versions by their hash, the newest last. */
  readonly #unsaved = new Map<string, Known>();
  /** By canonical path: the text that file and buffer had in common when they were last the same. */
  readonly #common = new Map<string, string>();

  constructor(disk: FileSystemService, gate: WorkspaceGate, host: HostFiles) {
    this.#disk = disk;
    this.#gate = gate;
    this.#host = host;
  }

  /** False: a file with unsaved changes must not be changed, for they could not be brought together. */
  get canFollow(): boolean {
    return this.#host.wroteText !== undefined;
  }

  /** The unsaved text where there is one, with a hash of its own. */
  async readTextFile(path: string, options?: ReadOptions): Promise<TextFile> {
    const file = await this.#disk.readTextFile(path, options);
    const unsaved = await this.unsaved(path, file);
    return unsaved === undefined
      ? file
      : { text: unsaved.text, encoding: file.encoding, bom: file.bom, hash: unsaved.hash };
  }

  describeFile(path: string, options?: ReadOptions): Promise<FileFacts> {
    if (this.#disk.describeFile === undefined) throw new TypeError('The files of this machine can be described.');
    return this.#disk.describeFile(path, options);
  }

  writeTextFile(path: string, content: string, options?: WriteOptions): Promise<WriteReport> {
    return this.#disk.writeTextFile(path, content, options);
  }

  /** What the host has of a file that is on the disk as given; undefined when it is the same, or it does not say. */
  async unsaved(path: string, onDisk: Pick<TextFile, 'text' | 'hash' | 'encoding'>): Promise<UnsavedText | undefined> {
    const resolved = this.#gate.resolve(path);
    // What editors make of other encodings, and of bytes that are damaged, is no text to compare with.
    if (resolved.zone !== 'workspace' || !onDisk.encoding.startsWith('utf-')) return undefined;
    const disk = flat(onDisk.text);
    for (let asked = 1; ; asked += 1) {
      const said = await this.#host.readText(path);
      if (said === undefined) return undefined;
      const text = flat(said);
      if (text.includes('\ufffd') && !disk.includes('\ufffd')) return undefined;
      if (text === disk) {
        keep(this.#common, resolved.path, hashOf(text));
        return undefined;
      }
      // An editor learns some time later that a file was written, and shows what was there before until then.
      const isOld = this.#common.get(resolved.path) === hashOf(text);
      if (!isOld && !(await this.#isRecent(path))) return this.#note(path, said, onDisk);
      if (asked === ASKED_AGAIN) return isOld ? undefined : this.#note(path, said, onDisk);
      await sleep(PAUSE_MS);
    }
  }

  /** The hash of what is on the disk below a version that `unsaved` gave, if the host still shows that version. */
  async below(hash: string): Promise<{ readonly diskHash: string; readonly isStill: boolean } | undefined> {
    const known = this.#unsaved.get(hash);
    if (known === undefined) return undefined;
    const now = await this.#host.readText(known.path);
    return { diskHash: known.diskHash, isStill: now !== undefined && hashOf(flat(now)) === known.textHash };
  }

  isUnsaved(hash: string): boolean {
    return this.#unsaved.has(hash);
  }

  /** The disk has this text now. False: the host did not follow. */
  async follow(path: string, canonical: string, text: string): Promise<boolean> {
    const isTaken = (await this.#host.wroteText?.(path, text)) ?? true;
    if (isTaken && this.canFollow) keep(this.#common, canonical, hashOf(flat(text)));
    return isTaken;
  }

  #note(path: string, said: string, onDisk: Pick<TextFile, 'text' | 'hash'>): UnsavedText {
    const text = hasCarriageReturns(onDisk.text) ? flat(said).replaceAll('\n', '\r\n') : flat(said);
    const textHash = hashOf(flat(said));
    const hash = hashOf(`${onDisk.hash} ${textHash}`);
    keep(this.#unsaved, hash, { diskHash: onDisk.hash, path, textHash });
    return { text, hash };
  }

  async #isRecent(path: string): Promise<boolean> {
    return this.#gate.withFile(path, async ({ stat }) => Math.abs(Date.now() - stat.mtimeMs) < RECENT_MS);
  }
}

/** Editors keep line endings and the byte order mark apart from the text. */
function flat(text: string): string {
  return (text.startsWith('\ufeff') ? text.slice(1) : text).replaceAll(/\r\n?/g, '\n');
}

/** All lines end so. */
function hasCarriageReturns(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_KNOWN && oldest !== undefined) map.delete(oldest);
}
