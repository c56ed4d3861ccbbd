import { readBytes } from '../files/media.js';
import { openPdf } from '../files/pdf-text.js';
import { contentHash } from '../files/write-handle.js';
import { parsePages, readSectionReading } from './read-section-answer.js';
import type { Section, SectionLimits, SectionWish } from './read-sections.js';
import type { Reading, ReadSource } from './read-source.js';
import { ToolError, ToolErrorType } from './tool-error.js';

/** Of a PDF whose text is taken out: it stands in memory as long as that takes. */
const MAX_PDF_BYTES = 64 * 1024 * 1024;
const NO_TEXT = '(no text on this page; it may be a picture)';
const UNKNOWN_TEXT = '(no text that can be read on this page)';
const NOTE_INCOMPLETE =
  'Some text cannot be told and is left out: its fonts do not say which characters they show. Without pages the PDF itself is given, where it is not too large.';
const NOTE_PICTURES =
  'None of these pages has text: they may be scanned. Without pages the PDF itself is given, where it is not too large.';

/** @throws ToolError or Failure `file_too_large`, `read_content_failure`, `invalid_tool_params` */
export async function readPdfText(
  source: ReadSource,
  wish: SectionWish,
  notes: readonly string[],
  limits?: SectionLimits,
): Promise<Reading> {
  const { file, name, size, signal } = source;
  if (size > MAX_PDF_BYTES) {
    const what = `${name} is too large: a PDF of ${size} bytes; the text of one up to ${MAX_PDF_BYTES} can be read.`;
    throw new ToolError(ToolErrorType.FILE_TOO_LARGE, `${what} Extract some of its pages first.`);
  }
  const bytes = await readBytes(file, size);
  const hash = contentHash(bytes);
  const pdf = await openPdf({ bytes, name, signal });
  try {
    const count = pdf.pageCount;
    if (count === 0) throw new ToolError(ToolErrorType.READ_CONTENT_FAILURE, `The PDF has no pages: ${name}`);
    let [isIncomplete, hasText] = [false, false];
    const section = async (number: number): Promise<Section> => {
      const page = await pdf.page(number);
      isIncomplete ||= page.isIncomplete;
      hasText ||= page.lines.length > 0;
      const none = page.isIncomplete ? UNKNOWN_TEXT : NO_TEXT;
      return { title: `page ${number} of ${count}`, lines: page.lines.length === 0 ? [none] : page.lines };
    };
    const closing = (): string[] => {
      const note = isIncomplete ? NOTE_INCOMPLETE : hasText ? undefined : NOTE_PICTURES;
      return note === undefined ? [...notes] : [note, ...notes];
    };
    const range = { ...parsePages(wish.pages ?? '1-', count, 'page'), ...wish.place };
    return await readSectionReading({ range, count, noun: 'page', name, section, closing, hash, signal, limits });
  } finally {
    await pdf.close();
  }
}
