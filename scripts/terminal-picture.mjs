// Draws docs/pictures/demo.svg from a real run of `tenon demo` in a pseudo-terminal: `node scripts/terminal-picture.mjs`.
// The pictures of a session are drawn by terminal-picture-session.mjs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawTerminal } from './terminal-picture-draw.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const COLUMNS = 100;

const home = mkdtempSync(join(tmpdir(), 'tenon-picture-'));
const command = `stty cols ${COLUMNS} rows 60; TERM=xterm-256color TENON_HOME=${home} node ${join(root, 'packages/cli/dist/main.js')} demo`;
const run = spawnSync('script', ['-qfec', command, '/dev/null'], { encoding: 'utf8', cwd: home, maxBuffer: 1 << 26 });
rmSync(home, { recursive: true, force: true });
if (run.status !== 0) throw new Error(`the demo failed: ${run.stdout}${run.stderr}`);

const lines = run.stdout
  .replaceAll('\r\n', '\n')
  // What a cursor movement would have overwritten is not drawn; the demo prints plain lines.
  .replace(/\x1b\[[0-9;?]*[A-Za-ln-z]/g, '')
  .replaceAll(/\/[^\s\x1b]*tenon-demo-[A-Za-z0-9]+/g, '/tmp/tenon-demo')
  .trimEnd()
  .split('\n');

mkdirSync(join(root, 'docs', 'pictures'), { recursive: true });
const svg = drawTerminal({ title: 'tenon demo in a terminal', lines, columns: COLUMNS });
writeFileSync(join(root, 'docs', 'pictures', 'demo.svg'), svg);
console.log(`drew ${lines.length} lines`);
