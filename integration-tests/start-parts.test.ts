import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { createBench, type Bench } from './cli-process.js';

/** Tells, at the end of a process, how many bytes each script had that it parsed, and how many scripts were before its first request. */
const HOOK = `
const { Session } = require('node:inspector');
const { Socket } = require('node:net');
const sizes = [];
let before;
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...given) {
  before ??= sizes.length;
  return connect.apply(this, given);
};
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params }) => {
  if (params.url.startsWith('file:') && params.url.endsWith('.js')) sizes.push(params.length);
});
session.post('Debugger.enable');
process.on('exit', () => require('node:fs').writeFileSync(process.env.SIZES_FILE, JSON.stringify({ before, sizes })));
`;

let bench: Bench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

interface Parsed {
  readonly beforeRequest: readonly number[];
  readonly all: readonly number[];
}

/** What one headless run parsed. */
async function parsedIn(turns: readonly ScriptedTurn[], ...args: readonly string[]): Promise<Parsed> {
  bench = await createBench(turns);
  const folder = path.dirname(bench.workspace);
  const [hook, sizesFile] = [path.join(folder, 'hook.cjs'), path.join(folder, 'sizes.json')];
  await writeFile(hook, HOOK);
  const env = { NODE_OPTIONS: `--require ${hook}`, SIZES_FILE: sizesFile };
  const { code, stderr } = await bench.run(['-p', 'x', ...args], { env });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const { before, sizes } = JSON.parse(await readFile(sizesFile, 'utf8')) as { before: number; sizes: number[] };
  await bench.end();
  return { beforeRequest: sizes.slice(0, before), all: sizes };
}

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

describe('a headless turn', () => {
  it('parses what it needs and in few files, and the analysis of commands only for a command', async () => {
    // While the model answers, more is loaded for the first search: how much depends on the time.
    const plain = (await parsedIn([{ text: 'Hello.' }])).beforeRequest;
    expect(plain.length).toBeGreaterThan(3);
    expect(plain.length).toBeLessThanOrEqual(25);
    expect(sum(plain)).toBeGreaterThan(300_000);
    expect(sum(plain)).toBeLessThan(900_000);
    const command = { name: 'run_shell_command', arguments: { command: 'echo hi' } };
    const turns = [{ toolCalls: [command] }, { text: 'Done.' }];
    const withCommand = await parsedIn(turns, '--allow', 'Bash(echo hi)');
    expect(sum(withCommand.all) - sum(plain)).toBeGreaterThan(150_000);
  });
});
