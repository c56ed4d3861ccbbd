import { readBytes, type Media } from '../files/media.js';
import { fitImage, MAX_IMAGE_SOURCE_BYTES } from '../files/scale-image.js';
import { contentHash } from '../files/write-handle.js';
import { readPdfText } from './read-pdf.js';
import type { SectionWish } from './read-sections.js';
import type { Reading, ReadSource } from './read-source.js';
import { ToolError, ToolErrorType } from './tool-error.js';
import { toParts, type InlineDataPart, type Part, type ToolResult } from './tool-result.js';

/** All media of one answer, in bytes of the files; base64 makes a third more of them. */
export const MAX_MEDIA_BYTES = 10 * 1024 * 1024;

export interface SourceImage {
  readonly part: InlineDataPart;
  readonly bytes: number;
  readonly hash: string;
  readonly note: string | undefined;
}

/** @throws Failure `file_too_large` */
export async function readImage({ file, name, size }: ReadSource, { mimeType }: Media): Promise<SourceImage> {
  if (size > MAX_IMAGE_SOURCE_BYTES) throw tooLarge(name, mimeType, size);
  const bytes = await readBytes(file, size);
  const hash = contentHash(bytes);
  const image = await fitImage({ bytes, mimeType, name });
  return { part: inlineData(image.bytes, image.mimeType), bytes: image.bytes.length, hash, note: image.note };
}

/** An image or a PDF as a part of its own type; a PDF as text where pages are asked for or it is too large to send. */
export async function readMedia(
  source: ReadSource,
  media: Media,
  wish: SectionWish,
  notes: readonly string[],
): Promise<Reading> {
  if (media.kind === 'pdf') return readPdf(source, wish, notes);
  const { part, hash, note } = await readImage(source, media);
  const texts = note === undefined ? notes : [note, ...notes];
  const display = `Read image (${media.mimeType}, ${source.size} bytes)`;
  return mediaReading({ source, part, hash, notes: texts, display, mimeType: media.mimeType });
}

async function readPdf(source: ReadSource, wish: SectionWish, notes: readonly string[]): Promise<Reading> {
  const { file, name, size } = source;
  if (wish.pages !== undefined) return readPdfText(source, wish, notes);
  if (size > MAX_MEDIA_BYTES) {
    const why = `The PDF is ${size} bytes, too large to be shown as it is (${MAX_MEDIA_BYTES}): this is its text.`;
    return readPdfText(source, wish, [why, ...notes]);
  }
  const bytes = await readBytes(file, size);
  if (bytes.length === 0) throw new ToolError(ToolErrorType.READ_CONTENT_FAILURE, `${name} is empty by now.`);
  const part = inlineData(bytes, 'application/pdf');
  const display = `Read PDF (application/pdf, ${size} bytes)`;
  return mediaReading({ source, part, hash: contentHash(bytes), notes, display, mimeType: 'application/pdf' });
}

/** `data` of a result for an image, or for a PDF as it is. */
export interface ReadMediaData {
  readonly path: string;
  /** Of the file; what is given may be scaled down, and of another type. */
  readonly mimeType: string;
  readonly bytes: number;
  readonly givenMimeType: string;
}

interface GivenMedia {
  readonly source: ReadSource;
  readonly mimeType: string;
  readonly part: InlineDataPart;
  readonly hash: string;
  readonly notes: readonly string[];
  readonly display: string;
}

function mediaReading({ source, mimeType, part, hash, notes, display }: GivenMedia): Reading {
  const texts: Part[] = notes.map((note) => ({ text: `[${note}]` }));
  const data: ReadMediaData = {
    path: source.name,
    mimeType,
    bytes: source.size,
    givenMimeType: part.inlineData.mimeType,
  };
  const result = { llmContent: texts.length === 0 ? part : [part, ...texts], returnDisplay: display, data };
  return { result, seen: { kind: 'whole', hash }, request: 'media' };
}

/** An SVG is text and picture. */
export async function withPicture(text: ToolResult, source: ReadSource, media: Media): Promise<ToolResult> {
  if (source.size > MAX_SVG_BYTES) {
    const note = `[The picture is left out: an SVG over ${MAX_SVG_BYTES} bytes comes as text only.]`;
    return { ...text, llmContent: [...toParts(text.llmContent), { text: note }] };
  }
  const image = inlineData(await readBytes(source.file, source.size), media.mimeType);
  return { ...text, llmContent: [...toParts(text.llmContent), image] };
}

const MAX_SVG_BYTES = 1024 * 1024;

export function inlineData(bytes: Buffer, mimeType: string): InlineDataPart {
  return { inlineData: { data: bytes.toString('base64'), mimeType } };
}

function tooLarge(name: string, mimeType: string, size: number): ToolError {
  const what = `${name} is too large: ${mimeType} of ${size} bytes; at most ${MAX_IMAGE_SOURCE_BYTES} can be read.`;
  return new ToolError(ToolErrorType.FILE_TOO_LARGE, `${what} Make a smaller copy first.`);
}
