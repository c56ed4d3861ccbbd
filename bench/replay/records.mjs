// Recorded calls of real agents, one JSON object a line, compressed. They are other people's work and no part of this project.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Every record of `NAME.jsonl.xz` in the folder, one at a time. */
export async function* readRecords(folder, name) {
  const file = path.join(folder, `${name}.jsonl.xz`);
  const child = spawn('xz', ['-dc', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  // Awaited below; until then a failure to start must not end the program.
  exit.catch(() => {});
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
  const code = await exit;
  if (code !== 0) throw new Error(`xz could not read ${file} (exit code ${code}).`);
}
