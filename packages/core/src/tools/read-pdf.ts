import { readBytes } from '../files/media.js';
import { openPdf } from '../files/pdf-text.js';
import { contentHash } from '../files/write-handle.js';
import { parsePages, readSectionReading, type Section, type SectionLimits, type SectionWish } from './read-sections.js';
import type { Reading, ReadSource } from './read-source.js';
import { ToolError, ToolErrorType } from './tool-error.js';

/** Of a PDF whose text is taken out: it stands in memory as long as that takes. */
const MAX_PDF_BYTES = 64 * 1024 * 1024;

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
    const section = async (number: number): Promise<Section> => {
      const lines = await pdf.page(number);
      const empty = ['(no text on this page; it may be a picture)'];
      return { title: `page ${number} of ${count}`, lines: lines.length === 0 ? empty : lines };
    };
    const range = { ...parsePages(wish.pages ?? '1-', count, 'page'), ...wish.place };
    return await readSectionReading({ range, count, noun: 'page', section, notes, hash, signal, limits });
  } finally {
    await pdf.close();
  }
}
