import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, type Bench } from './cli-process.js';

const EXAMPLE = fileURLToPath(new URL('../examples/custom-tool/json-value.ts', import.meta.url));

let bench: Bench;
afterEach(async () => bench.end());

/** A tool that is loud wherever it can be: when it is loaded, when it runs, and after its end. */
const LOUD = `import { defineTool } from '@tenon/core';
import noisy from 'noisy';
console.log('LOUD at import');
process.stdout.write('LOUD directly');
export default defineTool({
  name: 'loud', description: 'Makes noise.', parameters: { type: 'object' }, effects: () => [],
  execute: async () => {
    console.log('LOUD in the call'); console.error('LOUD on stderr'); noisy();
    setTimeout(() => { console.log('LOUD later'); throw new Error('nobody waits for this'); }, 5);
    Promise.reject(new Error('nor for this'));
    await new Promise((resolve) => setTimeout(resolve, 60));
    return 'still here';
  },
});`;
const NOISY = {
  'node_modules/noisy/package.json': '{ "name": "noisy", "main": "i.js" }',
  'node_modules/noisy/i.js': `module.exports = () => console.log('LOUD package');`,
};

async function withTools(
  files: Readonly<Record<string, string>>,
  turns: Parameters<typeof createBench>[0] = [],
): Promise<void> {
  bench = await createBench(turns, { files });
  expect((await bench.run(['trust', '--yes'])).code).toBe(0);
}

async function toolsLog(): Promise<string> {
  const projects = path.join(bench.tenonHome, 'projects');
  const [project = ''] = await readdir(projects);
  return readFile(path.join(projects, project, 'logs', 'custom-tools.log'), 'utf8');
}

function messagesOf(wire: string): readonly { readonly jsonrpc: string }[] {
  return wire
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string });
}

const text = (name: string, answer: string): string => `import { defineTool } from '@tenon/core';
export default defineTool({ name: '${name}', description: 'For the test.', parameters: { type: 'object' }, effects: () => [], execute: () => '${answer}' });`;

describe('tools in files, in the built program', () => {
  it('are the example, from the own folder, listed with where they are from, shown and called', async () => {
    bench = await createBench([], { files: { 'package.json': '{ "name": "mine", "list": [1, 2] }' } });
    await mkdir(path.join(bench.tenonHome, 'tools'));
    await cp(EXAMPLE, path.join(bench.tenonHome, 'tools', 'json-value.ts'));
    const list = await bench.run(['tools', 'list']);
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toContain(`(yours: ${path.join(bench.tenonHome, 'tools', 'json-value.ts')})`);
    const all = JSON.parse((await bench.run(['tools', '--json'])).stdout) as { name: string; source: object }[];
    expect(all.find(({ name }) => name === 'json_value')?.source).toEqual({
      kind: 'file',
      origin: 'user',
      file: path.join(bench.tenonHome, 'tools', 'json-value.ts'),
    });
    expect(all.find(({ name }) => name === 'read_file')?.source).toEqual({ kind: 'built-in' });
    expect((await bench.run(['tools', 'show', 'json_value'])).stdout).toContain('"pointer"');
    const called = await bench.run([
      'call',
      'json_value',
      '{"file_path":"package.json","pointer":"/list/1"}',
      '--json',
    ]);
    expect(JSON.parse(called.stdout)).toMatchObject({ status: 'success', data: 2 });
    // Judged by what it states: reading elsewhere has to be asked for, and nobody is there.
    expect((await bench.run(['call', 'json_value', '{"file_path":"/etc/hostname"}'])).code).not.toBe(0);
  });

  it('of a project wait for trust, and are told of once', async () => {
    bench = await createBench([{ text: 'Done.' }], { files: { '.tenon/tools/mine.ts': text('mine', 'mine') } });
    const before = await bench.run(['-p', 'x']);
    expect(before.stderr.match(/mine\.ts is not loaded, because the folder is not trusted with that/g)).toHaveLength(1);
    expect(bench.model.requests[0]?.bodyText).not.toContain('"mine"');
    const shown = await bench.run(['trust']);
    expect(shown.stdout).toMatch(/\.tenon\/tools\/mine\.ts \(new\)\n +is loaded into Tenon for its tools/);
    expect((await bench.run(['trust', '--yes'])).code).toBe(0);
    expect(await bench.run(['call', 'mine', '{}'])).toMatchObject({ code: 0, stdout: expect.stringContaining('mine') });
    await writeFile(path.join(bench.workspace, '.tenon/tools/mine.ts'), text('mine', 'changed'));
    const changed = await bench.run(['call', 'mine', '{}']);
    expect(changed.code).not.toBe(0);
    expect(changed.stderr).toContain('mine.ts is not loaded: changed since the folder was trusted with that');
  });

  it('do not come between the lines of stream-json, and end nothing by what they throw behind their calls', async () => {
    await withTools({ '.tenon/tools/loud.ts': LOUD, ...NOISY }, [
      { toolCalls: [{ name: 'loud', arguments: {} }] },
      { text: 'Done.' },
    ]);
    const { code, stdout, stderr } = await bench.run(['-p', 'x', '--output-format', 'stream-json']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; text?: string });
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('LOUD');
    expect(stdout).toContain('still here');
    expect(events.flatMap(({ type, text: said }) => (type === 'notice' ? [said] : []))).toEqual([
      expect.stringMatching(
        /^The tool loud failed behind its call, and nothing waits for it: (nor for this|nobody waits)/,
      ),
    ]);
    const log = await toolsLog();
    for (const words of ['at import', 'directly', 'in the call', 'on stderr', 'package', 'later'])
      expect(log).toContain(`LOUD ${words}`);
    for (const words of ['nor for this', 'nobody waits for this']) expect(log).toContain(words);
  });

  it('are served to clients of MCP, and to editors by ACP, with nothing of theirs on the wire', async () => {
    await withTools({ '.tenon/tools/loud.ts': LOUD, ...NOISY }, [
      { toolCalls: [{ name: 'loud', arguments: {} }] },
      { text: 'Done.' },
    ]);
    const ask = (id: number, method: string, params: object): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const hello = ask(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    });
    const ready = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;
    const served = bench.start(['mcp', 'serve'], { stdin: null });
    let wire = '';
    served.child.stdout?.on('data', (chunk: string) => (wire += chunk));
    served.child.stdin?.write(
      hello + ready + ask(2, 'tools/list', {}) + ask(3, 'tools/call', { name: 'loud', arguments: {} }),
    );
    await expect.poll(() => wire, { timeout: 20_000 }).toContain('still here');
    served.child.stdin?.end();
    await served.finished;
    expect(messagesOf(wire).every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(wire).toContain('"name":"loud"');
    expect(wire).not.toContain('LOUD');

    const acp = bench.start(['acp'], { stdin: null });
    let said = '';
    acp.child.stdout?.on('data', (chunk: string) => (said += chunk));
    acp.child.stdin?.write(ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} }));
    await expect.poll(() => said, { timeout: 20_000 }).toContain('"protocolVersion":1');
    acp.child.stdin?.write(ask(2, 'session/new', { cwd: bench.workspace, mcpServers: [] }));
    await expect.poll(() => /"sessionId":"([^"]+)"/.exec(said)?.[1], { timeout: 20_000 }).toBeDefined();
    const sessionId = /"sessionId":"([^"]+)"/.exec(said)?.[1];
    acp.child.stdin?.write(ask(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Go.' }] }));
    await expect.poll(() => said, { timeout: 20_000 }).toContain('"stopReason":"end_turn"');
    acp.child.stdin?.end();
    const { stderr } = await acp.finished;
    expect(messagesOf(said).every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(said).toContain('still here');
    expect(said + stderr).not.toContain('LOUD');
  });

  it('are checked by the conformance kit: the example holds, a bad one is told what is wrong', async () => {
    bench = await createBench([], {
      files: {
        'bad.mjs': text('bad', '').replace(
          `execute: () => ''`,
          `execute: async (_, { root }) => { (await import('node:fs')).writeFileSync(root + '/x.txt', ''); return 'x'; }`,
        ),
        'none.js': 'console.log("printed"); exports.x = 1;',
      },
    });
    const good = await bench.run(['tools', 'check', EXAMPLE]);
    expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('All 13 cases hold.') });
    const bad = await bench.run(['tools', 'check', 'bad.mjs', '--json']);
    expect(bad.code).toBe(1);
    const { tools } = JSON.parse(bad.stdout) as { tools: { cases: { name: string; problems: string[] }[] }[] };
    const failed = tools.flatMap(({ cases }) => cases.filter(({ problems }) => problems.length > 0));
    expect(failed.map(({ name }) => name)).toEqual([
      'the parameters are a sound, closed schema with descriptions',
      'a cancelled call ends within a second',
      'what it does is what its effects say',
    ]);
    expect(failed[2]?.problems[0]).toMatch(/^Example 1: it writes .*\/x\.txt, which its effects do not say\.$/);
    const none = await bench.run(['tools', 'check', 'none.js']);
    expect(none).toMatchObject({ code: 1, stdout: expect.stringContaining('it exports no tool (but x)') });
    expect(none.stdout).not.toContain('printed');
  });
});

/** Two guards, as two sessions in one process have, and something thrown at one place. */
const GUARDED = (where: string): string => `import { Guard } from './guard.js';
const guards = [0, 1].map((at) => new Guard({ wrote: () => {}, failed: (name, thrown) => console.log(at, name, thrown.message) }));
const outside = (work) => work();
const inFirst = (work) => guards[0].run('first', work);
const inSecond = (work) => guards[1].run('second', work);
setTimeout(() => console.log('survived'), 50);
${where};`;

describe('what is thrown behind a call', () => {
  it.each([
    [`inFirst(() => setTimeout(() => { throw new Error('thrown'); }, 1))`, 0, '0 first thrown\nsurvived\n'],
    [`inSecond(() => { Promise.reject(new Error('rejected')); })`, 0, '1 second rejected\nsurvived\n'],
    [`outside(() => setTimeout(() => { throw new Error('thrown'); }, 1))`, 1, ''],
    [`outside(() => { Promise.reject(new Error('rejected')); })`, 1, ''],
    [`guards.forEach((guard) => guard.close()); inFirst(() => { Promise.reject(new Error('rejected')); })`, 1, ''],
  ])('ends the process only where no tool threw it: %s', async (where, code, stdout) => {
    bench = await createBench([]);
    const outfile = path.join(bench.workspace, 'child.mjs');
    const resolveDir = fileURLToPath(new URL('../packages/core/src/extensions/custom-tools', import.meta.url));
    await build({
      stdin: { contents: GUARDED(where), resolveDir, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
    });
    const ended = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
    expect({ code: ended.status, stdout: ended.stdout }).toEqual({ code, stdout });
    if (code !== 0) expect(ended.stderr).toMatch(/Error: (thrown|rejected)/);
  });
});
