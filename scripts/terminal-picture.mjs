// Draws docs/pictures/demo.svg from a real run of `tenon demo` in a pseudo-terminal: `node scripts/terminal-picture.mjs`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const COLUMNS = 100;
const CELL = { width: 8.4, height: 18 };
const COLOURS = ['#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#dcdfe4'];

const home = mkdtempSync(join(tmpdir(), 'tenon-picture-'));
const command = `stty cols ${COLUMNS} rows 60; TERM=xterm-256color TENON_HOME=${home} node ${join(root, 'packages/cli/dist/main.js')} demo`;
const run = spawnSync('script', ['-qfec', command, '/dev/null'], { encoding: 'utf8', cwd: home, maxBuffer: 1 << 26 });
rmSync(home, { recursive: true, force: true });
if (run.status !== 0) throw new Error(`the demo failed: ${run.stdout}${run.stderr}`);

/** One line of the terminal as runs of text of one style. */
function parseLine(line) {
  const runs = [];
  let style = {};
  for (const piece of line.split(/(\x1b\[[0-9;]*m)/)) {
    const sgr = /^\x1b\[([0-9;]*)m$/.exec(piece);
    if (sgr) style = applyCodes(style, sgr[1]);
    else if (piece !== '') runs.push({ text: piece, style });
  }
  return runs;
}

function applyCodes(before, codes) {
  let style = { ...before };
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) style = {};
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 39) style.colour = undefined;
    else if (code >= 30 && code <= 37) style.colour = COLOURS[code - 30];
    else if (code >= 90 && code <= 97) style.colour = code === 90 ? '#7f848e' : COLOURS[code - 90];
  }
  return style;
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function drawRun({ text, style }, column, row) {
  const attributes = [
    `x="${(16 + column * CELL.width).toFixed(1)}"`,
    `y="${52 + row * CELL.height}"`,
    `textLength="${(text.length * CELL.width).toFixed(1)}"`,
    style.colour ? `fill="${style.colour}"` : '',
    style.bold ? 'font-weight="bold"' : '',
    style.dim ? 'opacity="0.6"' : '',
  ];
  return `<text ${attributes.filter(Boolean).join(' ')}>${escape(text)}</text>`;
}

const lines = run.stdout
  .replaceAll('\r\n', '\n')
  // What a cursor movement would have overwritten is not drawn; the demo prints plain lines.
  .replace(/\x1b\[[0-9;?]*[A-Za-ln-z]/g, '')
  .replaceAll(/\/[^\s\x1b]*tenon-demo-[A-Za-z0-9]+/g, '/tmp/tenon-demo')
  .trimEnd()
  .split('\n');

const drawn = [];
let row = 0;
for (const line of lines) {
  let column = 0;
  for (const { text, style } of parseLine(line)) {
    // A terminal breaks a line where its width ends.
    for (let rest = text; rest !== '';) {
      if (column === COLUMNS) {
        column = 0;
        row++;
      }
      const piece = rest.slice(0, COLUMNS - column);
      drawn.push(drawRun({ text: piece, style }, column, row));
      column += piece.length;
      rest = rest.slice(piece.length);
    }
  }
  row++;
}
const width = Math.ceil(32 + COLUMNS * CELL.width);
const height = 52 + row * CELL.height;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>tenon demo in a terminal</title>
<rect width="100%" height="100%" rx="8" fill="#21252b"/>
<circle cx="20" cy="18" r="6" fill="#e06c75"/><circle cx="40" cy="18" r="6" fill="#e5c07b"/><circle cx="60" cy="18" r="6" fill="#98c379"/>
<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#dcdfe4" xml:space="preserve">
${drawn.join('\n')}
</g>
</svg>
`;
mkdirSync(join(root, 'docs', 'pictures'), { recursive: true });
writeFileSync(join(root, 'docs', 'pictures', 'demo.svg'), svg);
console.log(`drew ${row} lines`);
