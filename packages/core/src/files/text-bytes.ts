import { isUtf8 } from 'node:buffer';
import { Failure } from '../util/failure.js';
import { byteOrderMark, detectEncoding, type EncodingsBeside } from './detect-encoding.js';
import { decodeText, encodeText, UTF8, type TextForm } from './text-codec.js';

/** Files above this are not taken into memory as one text. They can still be read by lines. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

const BYTE_ORDER_MARK = '\ufeff';

/** What is thrown for a file that has no form to keep. */
const NO_TEXT: ReadonlySet<string> = new Set(['binary_file', 'file_too_large', 'file_write_failure']);

/** How an existing text is kept. */
interface KeptForm extends TextForm {
  readonly startsWithMark: boolean;
}

export interface NewText {
  /** Used in messages. */
  readonly path: string;
  readonly content: string;
  /** The file whose form it takes; null: UTF-8 without a BOM. */
  readonly like: Buffer | null;
  /** True: where that file is no sound text, the new one is UTF-8. Refused otherwise. */
  readonly overwrite: boolean;
  /** As in `detectEncoding`, for the folder of the file. */
  readonly beside?: EncodingsBeside;
}

/**
 * The bytes of a text in the encoding of another file, with its BOM (S80).
 * @throws Failure `binary_file`, `file_too_large`, `file_write_failure`
 */
export async function textBytes({ path, content, like, overwrite, beside }: NewText): Promise<Buffer> {
  const form = like === null ? { ...UTF8, startsWithMark: false } : await formToKeep(like, { path, overwrite, beside });
  // The mark that `form` brings back must not stand twice when the content brings it too.
  const doubled = form.bom && !form.startsWithMark && content.startsWith(BYTE_ORDER_MARK);
  return encodeText(doubled ? content.slice(1) : content, form, path);
}

type Keeping = Pick<NewText, 'path' | 'overwrite'> & { readonly beside: EncodingsBeside | undefined };

async function formToKeep(bytes: Buffer, { path, overwrite, beside }: Keeping): Promise<KeptForm> {
  try {
    return await formOf(bytes, path, beside);
  } catch (thrown) {
    if (overwrite && thrown instanceof Failure && NO_TEXT.has(thrown.code)) return { ...UTF8, startsWithMark: false };
    throw thrown;
  }
}

async function formOf(bytes: Buffer, path: string, beside: EncodingsBeside | undefined): Promise<KeptForm> {
  if (bytes.length > MAX_TEXT_BYTES) {
    const limit = `${MAX_TEXT_BYTES / 1024 / 1024} MB`;
    throw new Failure(
      'file_too_large',
      `${path} is larger than ${limit}, too large to be changed as text. Use a command.`,
    );
  }
  const { encoding, bomLength } = await detectEncoding(bytes, true, path, beside);
  if (encoding === 'utf-8') {
    // Without a decoded text of it all: damaged bytes stand as escapes in the new text, and come back from there.
    const mark = byteOrderMark(encoding);
    const startsWithMark = bytes.subarray(bomLength, bomLength + mark.length).equals(mark);
    return { encoding, bom: bomLength > 0, startsWithMark, escaped: !isUtf8(bytes.subarray(bomLength)) };
  }
  const { text, bom, faithful } = await decodeText(bytes, path, beside);
  if (!faithful) {
    throw new Failure(
      'file_write_failure',
      `Cannot write ${path}: it holds bytes that are not valid ${encoding}, and writing it as text would change them. ` +
        'Repair the file with a command, or delete it and write it anew.',
    );
  }
  return { encoding, bom, startsWithMark: text.startsWith(BYTE_ORDER_MARK) };
}
