import { isUtf8 } from 'node:buffer';
import type { ReadableFile } from './byte-source.js';
import { undecodableText } from './undecodable.js';

/** What a file is, judged by its first bytes and never by its name. */
export interface Media {
  readonly mimeType: string;
  readonly kind: 'image' | 'pdf' | 'svg';
}

/** How far into a file its first element may be. */
const SNIFF_BYTES = 4096;

/** An image or a PDF that models can be shown; undefined for everything else (S70, S71). */
export function sniffMedia(head: Uint8Array): Media | undefined {
  if (starts(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return image('image/png');
  if (starts(head, [0xff, 0xd8, 0xff])) return image('image/jpeg');
  if (startsText(head, 'GIF87a') || startsText(head, 'GIF89a')) return image('image/gif');
  if (startsText(head, 'RIFF') && startsText(head.subarray(8), 'WEBP')) return image('image/webp');
  if (isBitmap(head)) return image('image/bmp');
  if (startsText(head, '%PDF-')) return { mimeType: 'application/pdf', kind: 'pdf' };
  if (isSvg(head)) return { mimeType: 'image/svg+xml', kind: 'svg' };
  return undefined;
}

function image(mimeType: string): Media {
  return { mimeType, kind: 'image' };
}

/** Two letters are too little to go by, so the header after them has to make sense too. */
function isBitmap(head: Uint8Array): boolean {
  if (!startsText(head, 'BM') || head.length < 18) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return view.getUint32(6, true) === 0 && [12, 16, 40, 52, 56, 64, 108, 124].includes(view.getUint32(14, true));
}

/** The first element is `<svg`, after an XML declaration, comments and a document type. */
function isSvg(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('utf8');
  return /^\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\])?\s*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:\w+:)?svg[\s>]/i.test(
    text,
  );
}

interface Signature {
  readonly name: string;
  readonly offset?: number;
  readonly bytes: string | readonly number[];
}

const SIGNATURES: readonly Signature[] = [
  { name: 'a ZIP archive (also .jar, .docx, .xlsx)', bytes: 'PK\x03\x04' },
  { name: 'an empty ZIP archive', bytes: 'PK\x05\x06' },
  { name: 'gzip data', bytes: [0x1f, 0x8b] },
  { name: 'bzip2 data', bytes: 'BZh' },
  { name: 'xz data', bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { name: 'Zstandard data', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: 'a 7-Zip archive', bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { name: 'a RAR archive', bytes: 'Rar!\x1a\x07' },
  { name: 'a tar archive', offset: 257, bytes: 'ustar' },
  { name: 'an ELF program or library', bytes: '\x7fELF' },
  { name: 'a Windows program', bytes: 'MZ' },
  { name: 'a Mach-O program', bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { name: 'a Java class or Mach-O universal program', bytes: [0xca, 0xfe, 0xba, 0xbe] },
  { name: 'a WebAssembly module', bytes: '\0asm' },
  { name: 'a SQLite database', bytes: 'SQLite format 3\0' },
  { name: 'MP4, QuickTime, HEIC or AVIF media', offset: 4, bytes: 'ftyp' },
  { name: 'MP3 audio', bytes: 'ID3' },
  { name: 'WAV audio', offset: 8, bytes: 'WAVE' },
  { name: 'AVI video', offset: 8, bytes: 'AVI ' },
  { name: 'Ogg media', bytes: 'OggS' },
  { name: 'FLAC audio', bytes: 'fLaC' },
  { name: 'Matroska or WebM video', bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { name: 'a TIFF image', bytes: 'II*\0' },
  { name: 'a TIFF image', bytes: 'MM\0*' },
  { name: 'an icon', bytes: [0, 0, 1, 0] },
  { name: 'a WOFF font', bytes: 'wOFF' },
  { name: 'a WOFF2 font', bytes: 'wOF2' },
  { name: 'a TrueType font', bytes: [0, 1, 0, 0, 0] },
  { name: 'an OpenType font', bytes: 'OTTO' },
  { name: 'an MPEG transport stream (video)', offset: 188, bytes: [0x47] },
  { name: 'a compound document (old .doc, .xls, .msi)', bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] },
];

/** What kind of binary file, or of text that cannot be read, it is, with an article: `gzip data`, `a binary file` when it is not known. */
export function describeBinary(head: Uint8Array): string {
  const found = SIGNATURES.find(({ bytes, offset = 0 }) => {
    const rest = head.subarray(offset);
    return typeof bytes === 'string' ? startsText(rest, bytes) : starts(rest, bytes);
  });
  if (found?.offset === 188 && head[0] !== 0x47) return withoutSignature(head);
  return found?.name ?? withoutSignature(head);
}

function withoutSignature(head: Uint8Array): string {
  return undecodableText(head) ?? textWithNuls(head) ?? 'a binary file';
}

/** Such as a log that was cut while it was written: all of it can be read once the NULs are gone. */
function textWithNuls(head: Uint8Array): string | undefined {
  const nul = head.indexOf(0);
  if (nul === -1) return undefined;
  const others = head.filter((byte) => byte !== 0);
  const isText =
    others.length > 0 &&
    isUtf8(others) &&
    others.every((byte) => byte >= 0x20 || (byte >= 0x08 && byte <= 0x0d) || byte === 0x1b);
  return isText ? `text with NUL bytes in it (the first at byte ${nul})` : undefined;
}

/** The first `size` bytes of the file, fewer where it ends before; in memory of their own. */
export async function readBytes(file: ReadableFile, size: number): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(buffer, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function starts(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[index] === byte);
}

function startsText(head: Uint8Array, text: string): boolean {
  return starts(
    head,
    Array.from(text, (character) => character.charCodeAt(0)),
  );
}

/** By its name alone: whether there are cells in it is known when it is read. */
export function isNotebookName(name: string): boolean {
  return name.toLowerCase().endsWith('.ipynb');
}
