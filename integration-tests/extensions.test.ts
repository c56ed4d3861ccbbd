import { readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, type Bench } from './cli-process.js';

const EVERYTHING = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

let bench: Bench | undefined;
afterEach(async () => bench?.end());

const kit = (base: string) => ({
  [`${base}/gemini-extension.json`]: '{"name": "kit", "version": "1.0.0"}',
  [`${base}/GEMINI.md`]: 'The kit has a hammer.',
  [`${base}/commands/nail.toml`]: 'description = "Hits."\nprompt = "Hit {{args}} with the hammer."\n',
  [`${base}/commands/help.md`]: 'Help with nails.',
  [`${base}/skills/saw/SKILL.md`]: '---\nname: saw\ndescription: Saws boards.\n---\nSaw.',
});

describe('extensions in the built program', () => {
  it('bring context, commands and skills to a run without a person (S142)', async () => {
    bench = await createBench([{ text: 'ok' }, { text: 'ok' }], {
      home: { ...kit('extensions/kit'), 'commands/help.md': 'My own.' },
    });
    expect(await bench.run(['-p', '/nail it'])).toMatchObject({ code: 0, stdout: 'ok\n' });
    const said = JSON.stringify(bench.model.requests[0]?.body);
    expect(said).toContain('Hit it with the hammer.');
    expect(said).toContain('The kit has a hammer.');
    expect(said).toContain('Saws boards.');
    expect(await bench.run(['-p', '/kit:help'])).toMatchObject({ code: 0 });
    expect(JSON.stringify(bench.model.requests[1]?.body)).toContain('Help with nails.');
    expect((await bench.run(['extensions'])).stdout).toContain('kit 1.0.0 (yours, used)');
  });

  it('of a cloned folder say nothing until the person trusts it', async () => {
    bench = await createBench([{ text: 'ok' }, { text: 'ok' }], { files: kit('.tenon/extensions/kit') });
    expect((await bench.run(['extensions'])).stdout).toContain('withheld');
    await bench.run(['-p', 'go']);
    expect(JSON.stringify(bench.model.requests[0]?.body)).not.toContain('hammer');
    await bench.run(['trust', '--yes']);
    await bench.run(['-p', 'go']);
    expect(JSON.stringify(bench.model.requests[1]?.body)).toContain('The kit has a hammer.');
  });
});

/** A real server, started by a script of the extension that only the blank for its folder leads to. */
const served = (base: string, manifest = 'tenon-extension.json') => ({
  [`${base}/${manifest}`]: JSON.stringify({
    name: 'kit',
    version: '1.0.0',
    mcpServers: {
      stock: { command: 'node', args: ['${extensionPath}${/}start.mjs'], cwd: '${extensionPath}', trust: true },
    },
  }),
  [`${base}/start.mjs`]: `import ${JSON.stringify(EVERYTHING)};`,
});
const ECHO = { name: 'stock__echo', arguments: { message: 'from the shelf' } };
const turns = [{ toolCalls: [ECHO] }, { text: 'Done.' }];
const told = (at: number): string => JSON.stringify(bench?.model.requests[at]?.body);

describe('a real server of an extension', () => {
  it('is there for a run without a person, and its calls wait for a rule as those of any server (S142)', async () => {
    bench = await createBench([...turns, ...turns], { home: served('extensions/kit') });
    const asked = await bench.run(['-p', 'go']);
    expect(told(0)).toContain('"stock__echo"');
    expect(told(1)).toContain('nobody can be asked');
    expect(asked.stderr + told(1)).not.toContain('Echo: from the shelf');
    expect(await bench.run(['-p', 'go', '--allow', 'stock__echo'])).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(told(3)).toContain('Echo: from the shelf');
  });

  it('of a cloned folder is not started before the folder is trusted, nor once its script changed', async () => {
    bench = await createBench([{ text: 'Not yet.' }, ...turns, { text: 'No more.' }], {
      files: served('.tenon/extensions/kit'),
    });
    await bench.run(['-p', 'go']);
    expect(told(0)).not.toContain('stock__echo');
    const shown = await bench.run(['trust']);
    expect(shown.stdout).toContain('.tenon/extensions/kit/tenon-extension.json');
    expect((await bench.run(['trust', '--yes'])).code).toBe(0);
    await bench.run(['-p', 'go', '--allow', 'stock__echo']);
    expect(told(2)).toContain('Echo: from the shelf');
    await writeFile(
      path.join(bench.workspace, '.tenon/extensions/kit/start.mjs'),
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('ran.txt', import.meta.url), '');\n`,
    );
    const changed = await bench.run(['-p', 'go']);
    expect(told(3)).not.toContain('stock__echo');
    expect(changed.stderr).toMatch(/stock.*tenon trust/);
    expect(await readdir(path.join(bench.workspace, '.tenon/extensions/kit'))).not.toContain('ran.txt');
  });

  it('is there for an editor, which is asked about its calls', async () => {
    bench = await createBench(turns, { home: served('extensions/kit') });
    const editor = startEditor(bench);
    await editor.ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await editor.ask('session/new', { cwd: bench.workspace, mcpServers: [] });
    const done = await editor.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Go.' }] });
    expect(done).toEqual(expect.objectContaining({ stopReason: 'end_turn' }));
    expect(editor.permissions).toEqual([expect.stringContaining('stock')]);
    expect(told(0)).toContain('"stock__echo"');
    expect(told(1)).toContain('Echo: from the shelf');
    await editor.end();
  });
});

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly options?: readonly { readonly optionId: string; readonly kind: string }[] };
  readonly result?: Readonly<Record<string, unknown>>;
}

/** An editor over pipes that allows whatever it is asked, once. */
function startEditor({ start }: Bench) {
  const { child, finished } = start(['acp'], { stdin: null });
  const waiting = new Map<number, (result: Readonly<Record<string, unknown>>) => void>();
  const permissions: string[] = [];
  const send = (message: object): void =>
    void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let rest = '';
  const take = (message: Message): void => {
    const { id = -1, method, params, result } = message;
    if (method === 'session/request_permission') {
      permissions.push(JSON.stringify(params));
      const optionId = params?.options?.find(({ kind }) => kind === 'allow_once')?.optionId;
      send({ id, result: { outcome: { outcome: 'selected', optionId } } });
    } else if (method === undefined) waiting.get(id)?.(result ?? { failed: message });
  };
  child.stdout?.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') take(JSON.parse(line) as Message);
  });
  let last = 0;
  return {
    permissions,
    ask: (method: string, params: object): Promise<Readonly<Record<string, unknown>>> =>
      new Promise((resolve) => {
        waiting.set((last += 1), resolve);
        send({ id: last, method, params });
      }),
    end: async () => {
      child.stdin?.end();
      await finished;
    },
  };
}
