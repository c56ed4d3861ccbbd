import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serveHttp, type HttpServing, type ServedCall, type ServedResult, type ServedTools } from '@tenon/core';
import { afterEach, describe, expect, it } from 'vitest';
import { watch } from '../cli-process.js';
import { conformanceSuite } from '../conformance/suite.js';
import { createServeBench, type ServeBench } from './serve-bench.js';
import { startTokenProxy, type TokenProxy } from './token-proxy.js';

const suite = conformanceSuite();

let bench: ServeBench | undefined;
let proxy: TokenProxy | undefined;
let serving: HttpServing | undefined;

afterEach(async () => {
  proxy?.close();
  await serving?.close();
  await bench?.end();
  [bench, proxy, serving] = [undefined, undefined, undefined];
});

async function conformance(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly summary: string }> {
  const child = spawn(process.execPath, [suite, 'server', ...args], { stdio: 'pipe' });
  const { code, stdout, stderr } = await watch(child, '').finished;
  // What it skips ends with 0 as well.
  const hasPassed = code === 0 && !stdout.includes('SKIPPED');
  return { code, summary: hasPassed ? '' : `${stdout.slice(-6_000)}\n${stderr.slice(-2_000)}` };
}

describe('the official conformance suite, against tenon mcp serve', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'passes what applies of revision %s',
    { timeout: 180_000 },
    async (revision) => {
      bench = await createServeBench({ 'README.md': '# Notes\n' });
      const server = await bench.http();
      proxy = await startTokenProxy(server.url, server.token);
      const baseline = fileURLToPath(new URL(`../conformance/server-${revision}.yml`, import.meta.url));
      const args = ['--url', proxy.url, '--requirements', revision, '--expected-failures', baseline];
      expect(await conformance(args)).toEqual({ code: 0, summary: '' });
    },
  );
});

const RED_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const ask = async ({ ask: put }: ServedCall): Promise<ServedResult> => {
  const question = { text: 'May it run?', digest: 'the same', canLast: false, unasked: 'nobody' };
  const reply = put(question);
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  return { parts: [{ text: `answered: ${text}` }], isError: false };
};

const sleep = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The suite's own tools, as far as Tenon has anything like them to answer with. */
const SUITE_TOOLS: Readonly<Record<string, (call: ServedCall) => Promise<ServedResult>>> = {
  test_simple_text: async () => ({ parts: [{ text: 'This is a simple text response for testing.' }], isError: false }),
  test_image_content: async () => ({
    parts: [{ inlineData: { data: RED_PIXEL, mimeType: 'image/png' } }],
    isError: false,
  }),
  test_audio_content: async () => ({
    parts: [{ inlineData: { data: SILENCE, mimeType: 'audio/wav' } }],
    isError: false,
  }),
  test_error_handling: async () => ({
    parts: [{ text: 'This tool intentionally returns an error for testing' }],
    isError: true,
  }),
  test_tool_with_progress: async ({ onProgress }) => {
    for (const step of ['one', 'two', 'three']) {
      onProgress(step);
      await sleep(300);
    }
    return { parts: [{ text: 'done' }], isError: false };
  },
  test_input_required_result_tampered_state: ask,
};

const served: ServedTools = {
  info: { name: 'suite', title: 'Suite', version: '1' },
  instructions: 'For the suite.',
  list: async () =>
    Object.keys(SUITE_TOOLS).map((name) => ({
      name,
      title: name,
      description: `The suite's ${name}.`,
      inputSchema: { type: 'object', properties: {} },
      hints: {},
    })),
  resources: async () => [],
  open: async () => ({
    folders: [],
    call: async (call) => SUITE_TOOLS[call.name]?.(call) ?? { parts: [], isError: true },
    read: async () => ({ parts: [], isError: true }),
  }),
  release: async () => undefined,
};

describe('the same handlers, with the suite’s own tools', () => {
  it.each([
    ['2025-11-25', 'tools-call-simple-text'],
    ['2025-11-25', 'tools-call-image'],
    ['2025-11-25', 'tools-call-audio'],
    ['2025-11-25', 'tools-call-error'],
    ['2025-11-25', 'tools-call-with-progress'],
    ['2026-07-28', 'input-required-result-tampered-state'],
  ])('pass, of revision %s, %s', async (revision, scenario) => {
    serving = await serveHttp(served, { port: 0, token: 'a-token-for-the-suite', report: () => undefined });
    proxy = await startTokenProxy(serving.url, 'a-token-for-the-suite');
    expect(await conformance(['--url', proxy.url, '--spec-version', revision, '--scenario', scenario])).toEqual({
      code: 0,
      summary: '',
    });
  });
});
