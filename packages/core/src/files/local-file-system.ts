import type { FileHandle } from 'node:fs/promises';
import { Failure } from '../util/failure.js';
import { besideOf } from './beside-encoding.js';
import { detectEncoding } from './detect-encoding.js';
import { describeBinary, sniffMedia } from './media.js';
import { readHead } from './read-text-window.js';
import { refusePseudoFile } from './pseudo-file.js';
import { systemFailure } from './system-failure.js';
import { changed } from './target-steps.js';
import { MAX_TEXT_BYTES, textBytes } from './text-bytes.js';
import { decodeText } from './text-codec.js';
import type { ReadHandle, WorkspaceGate, WriteHandle } from './workspace-gate.js';
import type {
  FileFacts,
  FileSystemService,
  ReadOptions,
  TextFile,
  WriteOptions,
  WriteReport,
} from './workspace-types.js';
import { contentHash, hashOpenFile, MISSING } from './write-handle.js';

/** Text files of this machine, every path judged by the gate. */
export class LocalFileSystem implements FileSystemService {
  readonly #gate: WorkspaceGate;

  constructor(gate: WorkspaceGate) {
    this.#gate = gate;
  }

  /** @throws Failure `file_not_found`, `target_is_directory`, `not_a_regular_file`, `binary_file`, `file_too_large` */
  async readTextFile(path: string, options: ReadOptions = {}): Promise<TextFile> {
    const bytes = await this.#open(path, options, async (file, size) => {
      if (size > MAX_TEXT_BYTES) throw tooLarge(path);
      return readAll(file, path);
    });
    const { text, encoding, bom, faithful } = await decodeText(bytes, path, besideOf(this.#gate, path));
    return { text, encoding, bom, hash: contentHash(bytes), ...(faithful ? {} : { faithful }) };
  }

  /** @throws Failure `file_not_found`, `target_is_directory`, `not_a_regular_file` */
  async describeFile(path: string, options: ReadOptions = {}): Promise<FileFacts> {
    return this.#open(path, options, async (file, size) => {
      const head = await readHead(file, size);
      const bytes = (await file.stat()).size;
      return { hash: await hashOpenFile(file), bytes, kind: await kindOf(head, bytes, path) };
    });
  }

  /**
   * Writes all of it or nothing. An existing file keeps its BOM, encoding and mode (S80); a new one is UTF-8.
   * A file that is binary or damaged is refused, unless it is overwritten: what its other bytes mean is not known.
   * @throws Failure `file_changed`, `binary_file`, `file_write_failure`, `permission_denied`, `no_space_left`
   */
  async writeTextFile(path: string, content: string, options: WriteOptions = {}): Promise<WriteReport> {
    const write = async (handle: WriteHandle): Promise<WriteReport> => {
      const found = (await handle.useExisting(hashOpenFile)) ?? MISSING;
      const expected = options.expected ?? found;
      if (expected !== found) throw changed(path);
      const overwrite = options.overwrite === true;
      const like = found === MISSING ? null : await handle.useExisting((file) => readToKeep(file, path, overwrite));
      const bytes = await textBytes({ path, content, like, overwrite, beside: besideOf(this.#gate, path) });
      await handle.replace(bytes, expected);
      return { path: handle.resolved.path, created: found === MISSING, bytes: bytes.length };
    };
    return this.#gate.withTarget(path, write, { expected: options.resolvedPath });
  }

  async #open<T>(path: string, options: ReadOptions, use: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
    const read = async (handle: ReadHandle): Promise<T> => {
      const file = await handle.open();
      try {
        return await use(file, handle.stat.size);
      } finally {
        await file.close();
      }
    };
    return this.#gate.withFile(path, read, { expected: options.resolvedPath });
  }
}

/** The bytes whose form is kept; null for a file that is replaced and too large to have one. */
async function readToKeep(file: FileHandle, path: string, overwrite: boolean): Promise<Buffer | null> {
  return overwrite && (await file.stat()).size > MAX_TEXT_BYTES ? null : readAll(file, path);
}

/** The file, or null when there is none. */
export async function readTextIfExists(
  service: FileSystemService,
  path: string,
  options: ReadOptions = {},
): Promise<TextFile | null> {
  try {
    return await service.readTextFile(path, options);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'file_not_found') return null;
    throw thrown;
  }
}

/** Reads to the end, however large the file has become since it was judged, but never more than the limit. */
async function readAll(file: FileHandle, path: string): Promise<Buffer> {
  try {
    const { size } = await file.stat();
    if (size === 0) await refusePseudoFile(file, path);
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const wanted = Math.max(65_536, Math.min(size - total + 1, MAX_TEXT_BYTES + 1));
      const buffer = Buffer.allocUnsafe(wanted);
      const { bytesRead } = await file.read(buffer, 0, wanted, null);
      if (bytesRead === 0) {
        if (total < size) await refusePseudoFile(file, path);
        return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      }
      chunks.push(buffer.subarray(0, bytesRead));
      total += bytesRead;
      if (total > MAX_TEXT_BYTES) throw tooLarge(path);
    }
  } catch (thrown) {
    throw systemFailure(thrown, `Cannot read ${path}`);
  }
}

async function kindOf(head: Buffer, bytes: number, path: string): Promise<string> {
  const media = sniffMedia(head);
  if (media !== undefined) return media.kind === 'pdf' ? 'a PDF' : `an image (${media.mimeType})`;
  try {
    await detectEncoding(head, head.length >= bytes, path);
    return 'a text file';
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'binary_file') return describeBinary(head);
    throw thrown;
  }
}

function tooLarge(path: string): Failure {
  return new Failure(
    'file_too_large',
    `${path} is larger than ${MAX_TEXT_BYTES / 1024 / 1024} MB, too large to be changed as text. Use a command such as sed.`,
  );
}
