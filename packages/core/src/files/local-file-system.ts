import type { FileHandle } from 'node:fs/promises';
import { Failure } from '../util/failure.js';
import { systemFailure } from './system-failure.js';
import { decodeText, encodeText, UTF8, type TextForm } from './text-codec.js';
import type { WorkspaceGate } from './workspace-gate.js';
import type { FileSystemService, TextFile, WriteOptions, WriteReport } from './workspace-types.js';
import { contentHash } from './write-handle.js';

/** Files above this are not taken into memory as one text. They can still be read by lines. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

const BYTE_ORDER_MARK = '\ufeff';

/** Text files of this machine, every path judged by the gate. */
export class LocalFileSystem implements FileSystemService {
  readonly #gate: WorkspaceGate;

  constructor(gate: WorkspaceGate) {
    this.#gate = gate;
  }

  /** @throws Failure `file_not_found`, `target_is_directory`, `not_a_regular_file`, `binary_file`, `file_too_large` */
  async readTextFile(path: string): Promise<TextFile> {
    const bytes = await this.#gate.withFile(path, async (handle) => {
      if (handle.stat.size > MAX_TEXT_BYTES) throw tooLarge(path);
      const file = await handle.open();
      try {
        return await readAll(file, path);
      } finally {
        await file.close();
      }
    });
    const { text, encoding, bom } = await decodeText(bytes, path);
    return { text, encoding, bom, hash: contentHash(bytes) };
  }

  /**
   * Writes all of it or nothing. An existing file keeps its BOM, encoding and mode (S80); a new one is UTF-8.
   * A file that is binary or damaged is refused: what its other bytes mean is not known.
   * @throws Failure `file_changed`, `binary_file`, `file_write_failure`, `permission_denied`, `no_space_left`
   */
  async writeTextFile(path: string, content: string, options: WriteOptions = {}): Promise<WriteReport> {
    return this.#gate.withTarget(path, async (handle) => {
      const existing = await handle.readExisting();
      const found = contentHash(existing);
      const expected = options.expected ?? found;
      if (expected !== found) {
        throw new Failure(
          'file_changed',
          `The file changed since it was read: ${path}. Read it again, then repeat the call.`,
        );
      }
      const { form, startsWithMark } =
        existing === null ? { form: UTF8, startsWithMark: false } : await formOf(existing, path);
      // The mark that `form` brings back must not stand twice when the content brings it too.
      const doubled = form.bom && !startsWithMark && content.startsWith(BYTE_ORDER_MARK);
      const bytes = await encodeText(doubled ? content.slice(1) : content, form, path);
      await handle.replace(bytes, expected);
      return { path: handle.resolved.path, created: existing === null, bytes: bytes.length };
    });
  }
}

/** The file, or null when there is none. */
export async function readTextIfExists(service: FileSystemService, path: string): Promise<TextFile | null> {
  try {
    return await service.readTextFile(path);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'file_not_found') return null;
    throw thrown;
  }
}

async function formOf(existing: Buffer, path: string): Promise<{ form: TextForm; startsWithMark: boolean }> {
  const { text, encoding, bom, faithful } = await decodeText(existing, path);
  if (!faithful) {
    throw new Failure(
      'file_write_failure',
      `Cannot write ${path}: it holds bytes that are not valid ${encoding}, and writing it as text would change them. ` +
        'Repair the file with a command, or delete it and write it anew.',
    );
  }
  return { form: { encoding, bom }, startsWithMark: text.startsWith(BYTE_ORDER_MARK) };
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

function tooLarge(path: string): Failure {
  return new Failure(
    'file_too_large',
    `${path} is larger than ${MAX_TEXT_BYTES / 1024 / 1024} MB, too large to be changed as text. Use a command such as sed.`,
  );
}
