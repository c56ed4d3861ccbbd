// Makes machine code of `byte-finder.wat`: `node scripts/assemble.mjs` after a change, `--check` fails where that was forgotten.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import assembler from 'wabt';

const folder = fileURLToPath(new URL('../packages/core/src/search/engines/finder/', import.meta.url));
const target = `${folder}byte-finder-code.ts`;

const wabt = await assembler();
const source = await readFile(`${folder}byte-finder.wat`, 'utf8');
const { buffer } = wabt.parseWat('byte-finder.wat', source, { simd: true }).toBinary({});
const code = Buffer.from(buffer).toString('base64');
const text = `/** \`byte-finder.wat\`, assembled by \`node scripts/assemble.mjs\`: base64. */
export const BYTE_FINDER_CODE =
  '${code}';
`;
if (!process.argv.includes('--check')) await writeFile(target, text);
else if (text !== (await readFile(target, 'utf8'))) {
  console.error('byte-finder.wat was changed: run `node scripts/assemble.mjs`.');
  process.exitCode = 1;
}
