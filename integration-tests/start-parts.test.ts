import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { createBench, type Bench } from './cli-process.js';

/** Tells, at the end of a process, how many bytes each script had that it parsed. */
const HOOK = `
const { Session } = require('node:inspector');
const sizes = [];
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params }) => {
  if (params.url.startsWith('file:') && params.url.endsWith('.js')) sizes.push(params.length);
});
session.post('Debugger.enable');
process.on('exit', () => require('node:fs').writeFileSync(process.env.SIZES_FILE, JSON.stringify(sizes)));
`;

let bench: Bench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

/** What one headless run parsed. */
async function parsedIn(turns: readonly ScriptedTurn[], ...args: readonly string[]): Promise<readonly number[]> {
  bench = await createBench(turns);
  const folder = path.dirname(bench.workspace);
  const [hook, sizesFile] = [path.join(folder, 'hook.cjs'), path.join(folder, 'sizes.json')];
  await writeFile(hook, HOOK);
  const env = { NODE_OPTIONS: `--require ${hook}`, SIZES_FILE: sizesFile };
  const { code, stderr } = await bench.run(['-p', 'x', ...args], { env });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const sizes = JSON.parse(await readFile(sizesFile, 'utf8')) as number[];
  await bench.end();
  return sizes;
}

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

describe('a headless turn', () => {
  it('parses what it needs and in few files, and the analysis of commands only for a command', async () => {
    const plain = await parsedIn([{ text: 'Hello.' }]);
    expect(plain.length).toBeGreaterThan(3);
    // With what a search needs, which a slow machine comes to look ahead for.
    expect(plain.length).toBeLessThanOrEqual(30);
    expect(sum(plain)).toBeLessThan(850_000);
    const command = { name: 'run_shell_command', arguments: { command: 'echo hi' } };
    const turns = [{ toolCalls: [command] }, { text: 'Done.' }];
    const withCommand = await parsedIn(turns, '--allow', 'Bash(echo hi)');
    expect(sum(withCommand) - sum(plain)).toBeGreaterThan(150_000);
  });
});
