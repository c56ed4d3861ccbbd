import { readBytes, sniffMedia } from '../files/media.js';
import { outputLines, parseNotebook, type CellOutput, type NotebookCell } from '../files/notebook.js';
import { fitImage } from '../files/scale-image.js';
import { contentHash } from '../files/write-handle.js';
import { numberLines } from '../output/numbered-lines.js';
import { Failure } from '../util/failure.js';
import { inlineData, MAX_MEDIA_BYTES } from './read-media.js';
import { parsePages, readSectionReading } from './read-section-answer.js';
import type { Section, SectionLimits, SectionWish } from './read-sections.js';
import type { Reading, ReadSource } from './read-source.js';
import { ToolErrorType } from './tool-error.js';
import type { InlineDataPart } from './tool-result.js';

/** A larger one is read by lines like any text file. */
const MAX_NOTEBOOK_BYTES = 16 * 1024 * 1024;
const RAW_NOTE = 'This is a notebook, shown by cells. Edits need its raw text: offset: 0 shows the lines of the JSON.';

/** The notebook by cells; undefined for a file that is none, whatever its name says. */
export async function readNotebook(
  source: ReadSource,
  wish: SectionWish,
  notes: readonly string[],
  limits?: SectionLimits,
): Promise<Reading | undefined> {
  const { file, name, size, signal } = source;
  if (size > MAX_NOTEBOOK_BYTES) return undefined;
  const bytes = await readBytes(file, size);
  const cells = parseNotebook(new TextDecoder().decode(bytes))?.cells ?? [];
  if (cells.length === 0) return undefined;
  const images: ImageRoom = { bytes: limits === undefined ? MAX_MEDIA_BYTES : 0 };
  const section = async (number: number): Promise<Section> => {
    const cell = cells[number - 1];
    return cell === undefined
      ? { title: `cell ${number}`, lines: [] }
      : cellSection(cell, number, cells.length, images);
  };
  const range = { ...parsePages(wish.pages ?? '1-', cells.length, 'cell'), ...wish.place };
  return readSectionReading({
    range,
    count: cells.length,
    noun: 'cell',
    name,
    section,
    closing: () => [RAW_NOTE, ...notes],
    hash: contentHash(bytes),
    // Metadata, ids of outputs, and all but the ends of long outputs are left out.
    isAll: false,
    signal,
    limits,
  });
}

/** What images may still take. */
interface ImageRoom {
  bytes: number;
}

async function cellSection(cell: NotebookCell, number: number, count: number, room: ImageRoom): Promise<Section> {
  const id = cell.id === undefined ? '' : `, id ${cell.id}`;
  const run = cell.executionCount === undefined ? '' : `, run ${cell.executionCount}`;
  const title = `cell ${number} of ${count}: ${cell.type}${id}${run}`;
  const lines = cell.source === '' ? ['(empty)'] : numberLines(cell.source.split('\n'), 1).split('\n');
  const images: InlineDataPart[] = [];
  for (const output of cell.outputs) {
    if (output.kind === 'text') {
      lines.push(`[${output.name}]`, ...outputLines(output.text));
      continue;
    }
    const image = await cellImage(output, room);
    if (typeof image === 'string') lines.push(image);
    else {
      images.push(image);
      lines.push(`[${output.mimeType}, given after the text: image ${images.length} of this cell]`);
    }
  }
  return { title, lines, images };
}

/** The image as a part, or why it is not given. */
async function cellImage(
  { mimeType, data }: Extract<CellOutput, { kind: 'image' }>,
  room: ImageRoom,
): Promise<InlineDataPart | string> {
  const bytes = Buffer.from(data, 'base64');
  if (sniffMedia(bytes)?.mimeType !== mimeType) return `[${mimeType}: damaged]`;
  try {
    const image = await fitImage({ bytes, mimeType, name: 'the image' });
    if (image.bytes.length > room.bytes) return `[${mimeType} of ${bytes.length} bytes left out]`;
    room.bytes -= image.bytes.length;
    return inlineData(image.bytes, image.mimeType);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const why = thrown.code === ToolErrorType.FILE_TOO_LARGE ? 'too large' : 'damaged';
    return `[${mimeType} of ${bytes.length} bytes left out: ${why}]`;
  }
}
