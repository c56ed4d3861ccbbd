// Draws what a terminal shows, with its escape sequences for looks (SGR), as a small SVG.
import { displayWidth } from '../packages/core/dist/screen/width.js';

const CELL = { width: 8.4, height: 18 };
const TOP = 52;
const LEFT = 16;
const BASELINE = 13.5;

const DARK = {
  background: '#1e1e1e',
  text: '#dcdfe4',
  basic: ['#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#dcdfe4'],
  bright: ['#7f848e', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#ffffff'],
};
const LIGHT = {
  background: '#fafafa',
  text: '#24292f',
  basic: ['#24292f', '#cf222e', '#116329', '#7a5200', '#0550ae', '#8250df', '#1b7c83', '#6e7781'],
  bright: ['#57606a', '#a40e26', '#1a7f37', '#633c01', '#0969da', '#a475f9', '#3192aa', '#ffffff'],
};

/** Of the 256 colours: 16 of the palette, a cube of 6 steps each way, 24 greys. */
function indexedColour(index, palette) {
  if (index < 8) return palette.basic[index];
  if (index < 16) return palette.bright[index - 8];
  const step = (level) => (level === 0 ? 0 : 55 + level * 40);
  const cube = index - 16;
  if (index < 232) return hex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(step));
  return hex(Array(3).fill(8 + (index - 232) * 10));
}

const hex = (parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** The colour behind 38 or 48, and how many codes it takes. */
function extendedColour([kind, ...rest], palette) {
  if (kind === 5) return { colour: indexedColour(rest[0], palette), taken: 2 };
  return { colour: hex(rest.slice(0, 3)), taken: 4 };
}

const SWITCHES = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { struck: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { struck: false },
  39: { colour: undefined },
  49: { behind: undefined },
};

function applyCodes(before, codes, palette) {
  let style = before;
  // `4:3` is a kind of underline.
  const numbers = codes.split(';').map((code) => Number(code.split(':')[0]));
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at];
    if (code === 0) style = {};
    else if (code === 38 || code === 48) {
      const { colour, taken } = extendedColour(numbers.slice(at + 1), palette);
      style = { ...style, [code === 38 ? 'colour' : 'behind']: colour };
      at += taken;
    } else if (code >= 30 && code <= 37) style = { ...style, colour: palette.basic[code - 30] };
    else if (code >= 90 && code <= 97) style = { ...style, colour: palette.bright[code - 90] };
    else if (code >= 40 && code <= 47) style = { ...style, behind: palette.basic[code - 40] };
    else if (code >= 100 && code <= 107) style = { ...style, behind: palette.bright[code - 100] };
    else style = { ...style, ...SWITCHES[code] };
  }
  return style;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The rows of a terminal as pieces of one look each, with their columns; wide characters are pieces of their own. */
function piecesOf(lines, columns, palette) {
  const pieces = [];
  let style = {};
  let row = 0;
  for (const line of lines) {
    let column = 0;
    for (const part of line.split(/(\x1b\[[0-9;:]*m)/)) {
      const codes = /^\x1b\[([0-9;:]*)m$/.exec(part)?.[1];
      if (codes !== undefined) style = applyCodes(style, codes === '' ? '0' : codes, palette);
      else
        for (const { segment } of segmenter.segment(part)) {
          const width = displayWidth(segment);
          // A terminal breaks a line where its width ends.
          if (column + width > columns) [row, column] = [row + 1, 0];
          const last = pieces.at(-1);
          if (
            last?.row === row &&
            last.style === style &&
            last.width === last.text.length &&
            width === segment.length
          ) {
            last.text += segment;
            last.width += width;
          } else pieces.push({ row, column, width, text: segment, style });
          column += width;
        }
    }
    row++;
  }
  return { pieces, rows: row };
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const short = (number) => String(Number(number.toFixed(1)));

function drawPiece({ row, column, width, text, style }, palette) {
  const x = LEFT + column * CELL.width;
  const y = TOP - 14 + row * CELL.height;
  const ink = style.inverse ? (style.behind ?? palette.background) : style.colour;
  const behind = style.inverse ? (style.colour ?? palette.text) : style.behind;
  const box = behind
    ? [`<rect x="${short(x)}" y="${y}" width="${short(width * CELL.width)}" height="${CELL.height}" fill="${behind}"/>`]
    : [];
  const lead = text.length - text.trimStart().length;
  const words = text.trim();
  if (words === '') return box;
  const attributes = [
    `x="${short(x + lead * CELL.width)}"`,
    `y="${short(y + BASELINE)}"`,
    `textLength="${short((width - (text.length - words.length)) * CELL.width)}"`,
    ink ? `fill="${ink}"` : '',
    style.bold ? 'font-weight="bold"' : '',
    style.italic ? 'font-style="italic"' : '',
    style.underline || style.struck ? `text-decoration="${style.underline ? 'underline' : 'line-through'}"` : '',
    style.dim ? 'opacity="0.6"' : '',
  ];
  return [...box, `<text ${attributes.filter(Boolean).join(' ')}>${escape(words)}</text>`];
}

/**
 * `lines` as the terminal has them, of at most `columns` cells; longer ones are broken as a terminal breaks them. `cursor`: where
 * it blinks, counted from 0.
 */
export function drawTerminal({ title, lines, columns, isLight = false, cursor }) {
  const palette = isLight ? LIGHT : DARK;
  const { pieces, rows } = piecesOf(lines, columns, palette);
  const drawn = pieces.flatMap((piece) => drawPiece(piece, palette));
  if (cursor !== undefined) {
    const place = `x="${short(LEFT + cursor.column * CELL.width)}" y="${TOP - 14 + cursor.row * CELL.height}"`;
    drawn.push(`<rect ${place} width="${CELL.width}" height="${CELL.height}" fill="${palette.text}" opacity="0.55"/>`);
  }
  const width = Math.ceil(2 * LEFT + columns * CELL.width);
  const height = TOP + rows * CELL.height;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escape(title)}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${palette.background}" stroke="#8888" />
<circle cx="20" cy="18" r="6" fill="#e06c75"/><circle cx="40" cy="18" r="6" fill="#e5c07b"/><circle cx="60" cy="18" r="6" fill="#98c379"/>
<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${palette.text}" xml:space="preserve">
${drawn.join('\n')}
</g>
</svg>
`;
}
