// Writes the Unicode properties that JavaScript does not know, as the bundled ripgrep knows them: `node scripts/unicode-tables.mjs`.
// To be run again when ripgrep is replaced by a newer one.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';

const { rgPath } = createRequire(new URL('../packages/core/package.json', import.meta.url))('@vscode/ripgrep');

const TARGET = fileURLToPath(
  new URL('../packages/core/src/search/engines/javascript/unicode-tables.ts', import.meta.url),
);

/** Values by their short names; each value of a property has a letter, in this order. */
const PROPERTIES = {
  age: '1.1 2.0 2.1 3.0 3.1 3.2 4.0 4.1 5.0 5.1 5.2 6.0 6.1 6.2 6.3 7.0 8.0 9.0 10.0 11.0 12.0 12.1 13.0 14.0 15.0 15.1 16.0',
  gcb: 'CN CR EX L LF LV LVT PP RI SM T V ZWJ',
  wb: 'CR DQ Extend FO HL KA LE LF MB ML MN NL NU RI SQ WSegSpace ZWJ EX',
  sb: 'AT CL CR EX FO LE LF LO NU SC SE SP ST UP',
  bidim: 'Y',
  bc: 'AL AN B BN CS EN ES ET FSI L LRE LRI LRO NSM ON PDF PDI R RLE RLI RLO S WS',
};

const POINTS = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => code !== 10 && code !== 13 && (code < 0xd800 || code > 0xdfff),
);
const LINES = Buffer.from(POINTS.map((code) => String.fromCodePoint(code)).join('\n'));

/** Code points for which the expression matches; those that end lines are asked for by themselves. */
function pointsOf(pattern) {
  const flags = ['--no-config', '--text', '--no-filename', '--no-line-number', '--engine=auto'];
  const found = spawnSync(rgPath, [...flags, '-e', `^${pattern}$`, '-'], { input: LINES, maxBuffer: 1 << 28 });
  // What matches a line feed alone is asked for below.
  if (found.status > 1 && !String(found.stderr).includes('"\\n" is not allowed'))
    throw new Error(`${pattern}: ${String(found.stderr)}`);
  const points = found.stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.codePointAt(0));
  for (const [code, text] of [
    [10, '\n'],
    [13, '\r'],
  ]) {
    const ends = spawnSync(rgPath, ['--no-config', '-U', '-q', '--engine=auto', '-e', `\\A${pattern}\\z`, '-'], {
      input: text,
    });
    if (ends.status === 0) points.push(code);
  }
  return points;
}

/** The length of each run of code points with one value in base 36, and the letter of the value (`_` for none of them). */
function runsOf(property, values) {
  const letters = Array.from({ length: 0x110000 }, () => '_');
  for (const [at, value] of values.entries()) {
    const letter = String.fromCharCode(at < 26 ? 65 + at : 0x40 - (at - 26));
    // A later age has all that earlier ones have.
    for (const code of pointsOf(property === 'bidim' ? '\\p{bidim}' : `\\p{${property}=${value}}`))
      if (letters[code] === '_') letters[code] = letter;
  }
  let runs = '';
  for (let start = 0, at = 1; at <= letters.length; at++) {
    if (at < letters.length && letters[at] === letters[start]) continue;
    runs += (at - start).toString(36) + letters[start];
    start = at;
  }
  return runs;
}

let source = `/**
 * Properties of Unicode that JavaScript does not know, as ripgrep 15 has them: the length of each run of code points with one value, in base
 * 36, and the letter of the value, \`_\` for all others. Written by \`scripts/unicode-tables.mjs\`.
 */
export const UNICODE_TABLES = {
`;
for (const [property, names] of Object.entries(PROPERTIES)) {
  const values = names.split(' ');
  source += `  ${property}: {\n    values: '${names}',\n    runs:\n      '${runsOf(property, values)}',\n  },\n`;
}
source += '} as const;\n';
writeFileSync(TARGET, source);
