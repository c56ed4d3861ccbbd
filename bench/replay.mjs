// Replays recorded calls of real agents: `node bench/replay.mjs [--data FOLDER]`. Needs a build, and xz. The records are no part of the
// project: without them there is nothing to do. Exit code 1 when a bar fails.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replayCommands } from './replay/commands.mjs';
import { replayEdits, replayMisses, replayPatches } from './replay/edits.mjs';

const nearby = fileURLToPath(new URL('../../shared/replay', import.meta.url));
const { values } = parseArgs({ options: { data: { type: 'string', default: nearby } } });
const folder = path.resolve(values.data);

/** Each says what it found in lines, and which bars fail. */
const PARTS = [replayEdits, replayMisses, replayPatches, replayCommands];

if (existsSync(folder)) {
  for (const part of PARTS) {
    const { rows, failures } = await part(folder);
    console.log([...rows, ...failures.map((one) => `FAILED: ${one}`), ''].join('\n'));
    if (failures.length > 0) process.exitCode = 1;
  }
} else console.log(`There are no recorded calls in ${folder}; nothing was replayed.`);
