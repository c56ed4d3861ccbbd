import { imageLines, imageSize, makeSafe, safeText, type InlineDataPart, type Safe } from '@tenon/core';
import type { Look } from './block.js';
import { fit } from './paint.js';

type Image = InlineDataPart['inlineData'];

/** What a cell of a terminal measures about, in pixels. */
const CELL = { width: 9, height: 18 };
const MOST_COLUMNS = 60;
const MOST_ROWS = 16;

/** An image where the terminal can show it, else a line with its kind and size. */
export function renderImage(image: Image, look: Look): Safe[] {
  const size = imageSize(Buffer.from(image.data, 'base64'), image.mimeType);
  if (look.images !== undefined && size !== undefined) {
    const cells = cellsOf(size, Math.min(MOST_COLUMNS, look.columns));
    const lines = imageLines({ ...image, ...cells }, look.images);
    if (lines !== undefined) return lines;
  }
  const pixels = size === undefined ? '' : `, ${size.width} × ${size.height} pixels`;
  const bytes = Buffer.byteLength(image.data, 'base64');
  const text = makeSafe(`[${image.mimeType}${pixels}, ${byteCount(bytes)}]`);
  return [fit(safeText`${look.theme.paint('dim', text)}`, look)];
}

/** As large as it is, but within the limits, and in its proportions. */
function cellsOf(size: { readonly width: number; readonly height: number }, mostColumns: number): Cells {
  const columns = size.width / CELL.width;
  const rows = size.height / CELL.height;
  const scale = Math.min(1, mostColumns / columns, MOST_ROWS / rows);
  return { columns: Math.max(1, Math.round(columns * scale)), rows: Math.max(1, Math.round(rows * scale)) };
}

interface Cells {
  readonly columns: number;
  readonly rows: number;
}

function byteCount(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
