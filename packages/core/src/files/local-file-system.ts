import type { FileHandle } from 'node:fs/promises';
import { Failure } from '../util/failure.js';
import { detectEncoding } from './detect-encoding.js';
import { describeBinary, sniffMedia } from './media.js';
import { readHead } from './read-text-window.js';
import { systemFailure } from './system-failure.js';
import { decodeText, encodeText, UTF8, type TextForm } from './text-codec.js';
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

/** Files above this are not taken into memory as one text. They can still be read by lines. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

const BYTE_ORDER_MARK = '\ufeff';

/** How an existing text is kept. */
interface KeptForm extends TextForm {
  readonly startsWithMark: boolean;
}

const NEW_FILE: KeptForm = { ...UTF8, startsWithMark: false };

/** What is thrown for a file that has no form to keep. */
const NO_TEXT: ReadonlySet<string> = new Set(['binary_file', 'file_too_large', 'file_write_failure']);

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
    const { text, encoding, bom } = await decodeText(bytes, path);
    return { text, encoding, bom, hash: contentHash(bytes) };
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
      const form = found === MISSING ? NEW_FILE : await this.#formOf(handle, path, options.overwrite === true);
      // The mark that `form` brings back must not stand twice when the content brings it too.
      const doubled = form.bom && !form.startsWithMark && content.startsWith(BYTE_ORDER_MARK);
      const bytes = await encodeText(doubled ? content.slice(1) : content, form, path);
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

  async #formOf(handle: WriteHandle, path: string, overwrite: boolean): Promise<KeptForm> {
    try {
      const existing = await handle.useExisting((file) => readAll(file, path));
      return existing === null ? NEW_FILE : await formOf(existing, path);
    } catch (thrown) {
      if (overwrite && thrown instanceof Failure && NO_TEXT.has(thrown.code)) return NEW_FILE;
      throw thrown;
    }
  }
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

async function formOf(existing: Buffer, path: string): Promise<KeptForm> {
  const { text, encoding, bom, faithful } = await decodeText(existing, path);
  if (!faithful) {
    throw new Failure(
      'file_write_failure',
      `Cannot write ${path}: it holds bytes that are not valid ${encoding}, and writing it as text would change them. ` +
        'Repair the file with a command, or delete it and write it anew.',
    );
  }
  return { encoding, bom, startsWithMark: text.startsWith(BYTE_ORDER_MARK) };
}

/** Reads to the end, however large the file has become since it was judged, but never more than the limit. */
async function readAll(file: FileHandle, path: string): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const wanted = Math.max(65_536, Math.min((await file.stat()).size - total + 1, MAX_TEXT_BYTES + 1));
      const buffer = Buffer.allocUnsafe(wanted);
      const { bytesRead } = await file.read(buffer, 0, wanted, null);
      if (bytesRead === 0) return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
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

function changed(path: string): Failure {
  return new Failure(
    'file_changed',
    `The file changed since it was read: ${path}. Read it again, then repeat the call.`,
  );
}

function tooLarge(path: string): Failure {
  return new Failure(
    'file_too_large',
    `${path} is larger than ${MAX_TEXT_BYTES / 1024 / 1024} MB, too large to be changed as text. Use a command such as sed.`,
  );
}
