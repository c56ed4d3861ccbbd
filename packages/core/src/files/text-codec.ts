import { isUtf8 } from 'node:buffer';
import { Failure } from '../util/failure.js';
import { byteOrderMark, detectEncoding, ISO_2022_JP, type EncodingsBeside } from './detect-encoding.js';
import { decodeEscaped, encodeEscaped } from './escaped-bytes.js';

/** What must be known to turn a text back into the bytes it came from. */
export interface TextForm {
  /** As in `Detection`. */
  readonly encoding: string;
  readonly bom: boolean;
  /** True for damaged UTF-8: each byte `b` that is no part of a character stands as the lone surrogate U+DC00 + b. */
  readonly escaped?: boolean;
}

export interface DecodedText extends TextForm {
  /** Without the byte order mark; line endings as they are; well-formed unless `escaped`, see `shownText`. */
  readonly text: string;
  /** False when the text does not give back the same bytes: it can be read, not written. Always true for UTF-8. */
  readonly faithful: boolean;
}

const HALF_CHARACTER = /\p{Surrogate}/u;

/** Not in the compiler's library yet; the engine scans many characters at a time, a pattern one after the other. */
interface MaybeWellFormed {
  isWellFormed(): boolean;
}

const HALF_CHARACTER_BUT_ESCAPES = /[\ud800-\udc7f\udd00-\udfff]/u;

export const UTF8: TextForm = { encoding: 'utf-8', bom: false };

/**
 * Decodes the text of a file. `name` is used in messages; `beside` as in `detectEncoding`.
 * @throws Failure `binary_file`
 */
export async function decodeText(bytes: Uint8Array, name: string, beside?: EncodingsBeside): Promise<DecodedText> {
  const { encoding, bomLength } = await detectEncoding(bytes, true, name, beside);
  const body = bytes.subarray(bomLength);
  const form = { encoding, bom: bomLength > 0 };
  if (encoding === 'utf-8') {
    const escaped = isUtf8(body) ? {} : { escaped: true };
    return { text: decodeEscaped(body), ...form, ...escaped, faithful: true };
  }
  const text = await decodeBytes(body, encoding);
  return { text, ...form, faithful: Buffer.compare(await encodeBytes(text, form), body) === 0 };
}

/**
 * The bytes of a text in the given form.
 * @throws Failure `file_write_failure` when the encoding cannot represent it: nothing is ever written as `?`
 */
export async function encodeText(text: string, form: TextForm, name: string): Promise<Buffer> {
  refuseHalfCharacters(text, form, name);
  const body = await encodeBytes(text, form);
  if (!form.encoding.startsWith('utf-')) await refuseLoss({ text, body, encoding: form.encoding, name });
  return form.bom ? Buffer.concat([byteOrderMark(form.encoding), body]) : body;
}

/** Decodes without a check; what is not valid in the encoding becomes U+FFFD. */
export async function decodeBytes(bytes: Uint8Array, encoding: string): Promise<string> {
  if (encoding === 'utf-8' || encoding === 'utf-16le' || encoding === 'utf-16be') {
    // `ignoreBOM` keeps a second mark, which is a character of the text.
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  }
  if (encoding === ISO_2022_JP) {
    const { JisDecoder } = await import('./iso-2022-jp.js');
    const decoder = new JisDecoder();
    return decoder.write(bytes) + decoder.end();
  }
  // Not TextDecoder: Node's reads 0x80–0x9f of windows-1252 as control characters.
  const { default: iconv } = await import('iconv-lite');
  return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding, { stripBOM: false });
}

async function encodeBytes(text: string, { encoding, escaped }: TextForm): Promise<Buffer> {
  if (escaped === true) return encodeEscaped(text);
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (encoding === ISO_2022_JP) return (await import('./iso-2022-jp.js')).encodeJis(text);
  const { default: iconv } = await import('iconv-lite');
  return iconv.encode(text, encoding, { addBOM: false });
}

/**
 * Refuses lone surrogates, but for those that stand for damaged bytes where the file has such.
 * @throws Failure `file_write_failure`
 */
function refuseHalfCharacters(text: string, form: TextForm, name: string): void {
  if ((text as string & MaybeWellFormed).isWellFormed()) return;
  const index = text.search(form.escaped === true ? HALF_CHARACTER_BUT_ESCAPES : HALF_CHARACTER);
  if (index === -1) return;
  throw new Failure(
    'file_write_failure',
    `Cannot write ${name}: line ${lineOf(text, index)} of the new content has half of a surrogate pair. Send whole characters.`,
  );
}

interface Encoded {
  readonly text: string;
  readonly body: Buffer;
  readonly encoding: string;
  readonly name: string;
}

async function refuseLoss({ text, body, encoding, name }: Encoded): Promise<void> {
  const back = await decodeBytes(body, encoding);
  if (back === text) return;
  let index = 0;
  while (index < text.length && text[index] === back[index]) index += 1;
  const point = text.codePointAt(index) ?? 0;
  const shown = `"${String.fromCodePoint(point)}" (U+${point.toString(16).toUpperCase().padStart(4, '0')})`;
  throw new Failure(
    'file_write_failure',
    `Cannot write ${name}: the file is ${encoding}, which has no ${shown} (line ${lineOf(text, index)} of the new content). ` +
      'Use characters of that encoding, or convert the file to UTF-8 first.',
  );
}

function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
