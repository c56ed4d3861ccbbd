import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../cli-process.js';
import {
  createServeBench,
  isAlive,
  ONCE,
  SESSION,
  type Answer,
  type Era,
  type ServeBench,
  type Way,
} from './serve-bench.js';

let bench: ServeBench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const FILES = { 'a.txt': 'one\ntwo\n', 'sub/b.txt': 'inside\n', 'README.md': '# Notes\n' };

async function serve(files: Readonly<Record<string, string>> = FILES): Promise<ServeBench> {
  bench = await createServeBench(files);
  return bench;
}

const EVERY: readonly { era: Era; way: Way }[] = [
  { era: 'legacy', way: 'stdio' },
  { era: 'modern', way: 'stdio' },
  { era: 'legacy', way: 'http' },
  { era: 'modern', way: 'http' },
];

describe.each(EVERY)('tenon mcp serve, $era over $way', ({ era, way }) => {
  it('lists its tools in a stable order, described and annotated', async () => {
    const { connect } = await serve();
    const { client } = await connect({ era, way });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).slice(0, 3)).toEqual(['read_file', 'read_many_files', 'list_directory']);
    expect(tools.map(({ name }) => name)).not.toContain('exit_plan_mode');
    for (const { name, title, description, inputSchema } of tools) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(title).toBeTruthy();
      expect(description?.length).toBeGreaterThan(20);
      expect(inputSchema.type).toBe('object');
    }
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]));
    expect(hints).toMatchObject({ read_file: true, grep_search: true, edit: false, run_shell_command: false });
    expect(client.getInstructions()).toContain('undo');
    expect((await client.listTools()).tools).toEqual(tools);
  });

  it('reads, and tells what is wrong with a call', async () => {
    const { connect, workspace } = await serve();
    const { call, client } = await connect({ era, way });
    const read = await call('read_file', { absolute_path: path.join(workspace, 'a.txt') });
    expect(read).toMatchObject({ isError: false, text: expect.stringContaining('two') as string });
    const bad = await call('read_file', { nothing: 1 });
    expect(bad).toMatchObject({ isError: true, text: expect.stringContaining('absolute_path') as string });
    const outside = await call('read_file', { absolute_path: '/etc/passwd' });
    expect(outside.isError).toBe(true);
    await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.callTool({ name: 'exit_plan_mode', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  it('puts what needs approval to the person behind the client', async () => {
    const { connect, workspace } = await serve();
    const answers: Answer[] = [ONCE, { action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: {} }];
    const { call, asked } = await connect({ era, way, answer: () => answers.shift() ?? { action: 'cancel' } });
    const file = path.join(workspace, 'a.txt');
    const change = (new_string: string) => call('edit', { file_path: file, old_string: 'two', new_string });
    const edited = await change('two three');
    expect(edited).toMatchObject({ isError: false, structured: { path: file, isNewFile: false } });
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo three\n');
    for (const text of ['declined', 'cancelled', 'accepted without an answer']) {
      expect(await change(text)).toMatchObject({ isError: true });
    }
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo three\n');
    expect(asked).toHaveLength(4);
    expect(asked[0]).toContain('+two three');
    expect(asked[0]).toContain(`write ${file}`);
  });

  it('keeps an answer for the session where there is one', async () => {
    const { connect, workspace } = await serve();
    const offered: (readonly string[])[] = [];
    const { call, asked } = await connect({
      era,
      way,
      answer: (_message, choices) => {
        offered.push(choices);
        return choices.includes('allow for this session') ? SESSION : ONCE;
      },
    });
    const write = (name: string) => call('write_file', { file_path: path.join(workspace, name), content: 'x' });
    expect(await write('c.txt')).toMatchObject({ isError: false, structured: { created: true, bytes: 1 } });
    expect(await write('d.txt')).toMatchObject({ isError: false });
    // Without sessions each call stands alone.
    expect(asked).toHaveLength(era === 'modern' && way === 'http' ? 2 : 1);
    expect(offered[0]).toHaveLength(era === 'modern' && way === 'http' ? 2 : 3);
  });

  it('asks again when what was agreed to is something else by then', async () => {
    const { connect, workspace } = await serve();
    const file = path.join(workspace, 'a.txt');
    const { call, asked } = await connect({
      era,
      way,
      answer: () => {
        if (asked.length === 1) writeFileSync(file, 'zero\none\ntwo\n');
        return asked.length === 1 ? ONCE : { action: 'decline' };
      },
    });
    expect(await call('edit', { file_path: file, old_string: 'two', new_string: 'three' })).toMatchObject({
      isError: true,
    });
    expect(asked).toHaveLength(2);
    expect(readFileSync(file, 'utf8')).toBe('zero\none\ntwo\n');
  });

  it('does nothing when the call is given up while the person thinks', async () => {
    const { connect, workspace } = await serve();
    const controller = new AbortController();
    const { call, client } = await connect({
      era,
      way,
      answer: async () => {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 50));
        return ONCE;
      },
    });
    const file = path.join(workspace, 'c.txt');
    const write = call('write_file', { file_path: file, content: 'x' }, { signal: controller.signal });
    await expect(write).rejects.toThrow();
    await client.listTools();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(existsSync(file)).toBe(false);
  });

  it('denies what it cannot ask about, with the rule that would allow it', async () => {
    const { connect, workspace } = await serve();
    const { call } = await connect({ era, way });
    const denied = await call('write_file', { file_path: path.join(workspace, 'c.txt'), content: 'x' });
    expect(denied.isError).toBe(true);
    expect(denied.text).toContain('elicitation');
    expect(denied.text).toContain('--allow');
    expect(existsSync(path.join(workspace, 'c.txt'))).toBe(false);
  });

  it('holds to the rules of the person, whatever the client answers', async () => {
    const { connect, workspace } = await serve();
    const args = ['--allow', 'Edit(/c.txt)', '--deny', 'Read(/a.txt)'];
    const { call, asked } = await connect({ era, way, args, answer: () => ONCE });
    expect(await call('write_file', { file_path: path.join(workspace, 'c.txt'), content: 'x' })).toMatchObject({
      isError: false,
    });
    expect(await call('read_file', { absolute_path: path.join(workspace, 'a.txt') })).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
  });

  it('narrows the workspace to the roots of the client, and never widens it', async () => {
    const { connect, folder, workspace } = await serve();
    await mkdir(path.join(folder, 'other'));
    writeFileSync(path.join(folder, 'other', 'secret.txt'), 'secret');
    await symlink(path.join(folder, 'other'), path.join(workspace, 'link'));
    let roots = [path.join(workspace, 'sub')];
    const { call, client } = await connect({ era, way, args: ['--deny', 'Read(/sub/b.txt)'], roots: () => roots });
    const read = (...names: string[]) => call('read_file', { absolute_path: path.join(...names) });
    expect(await read(workspace, 'a.txt')).toMatchObject({ isError: true });
    // Rules go on to mean what they meant for the folder of the start.
    expect((await read(workspace, 'sub', 'b.txt')).text).toMatch(/denie|rule/i);
    expect((await call('list_directory', { path: path.join(workspace, 'sub') })).isError).toBe(false);
    const { text: place } = await call('run_shell_command', { command: 'pwd' });
    expect(place).toContain(path.join(workspace, 'sub'));
    const move = async (...to: string[]): Promise<void> => {
      roots = to;
      // In the newer era each request asks anew.
      if (era === 'legacy') await client.sendRootsListChanged();
    };
    await move(path.join(folder, 'other'));
    expect((await read(folder, 'other', 'secret.txt')).text).toContain('--add-dir');
    await move(path.join(workspace, 'link'));
    expect(await read(folder, 'other', 'secret.txt')).toMatchObject({ isError: true });
    await move(folder);
    expect(await read(workspace, 'a.txt')).toMatchObject({ isError: false });
    expect(await read(folder, 'other', 'secret.txt')).toMatchObject({ isError: true });
  });

  it('tells how far a command is, in numbers that grow, and only who asks', async () => {
    const { connect } = await serve();
    const { call } = await connect({ era, way, args: ['--allow', 'Bash(*)'] });
    const told: { progress: number; message?: string | undefined }[] = [];
    const command = 'for i in 1 2 3 4; do echo "step $i"; sleep 0.3; done';
    const onprogress = (progress: { progress: number; message?: string | undefined }) => told.push(progress);
    expect(await call('run_shell_command', { command }, { onprogress })).toMatchObject({ isError: false });
    const numbers = told.map(({ progress }) => progress);
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((left, right) => left - right));
    expect(told.some(({ message }) => message?.includes('step'))).toBe(true);
  });

  it('ends a command that is cancelled, with all it started, and stays silent', async () => {
    const { connect, workspace } = await serve();
    const { call, client } = await connect({ era, way, args: ['--approval-mode', 'yolo'] });
    const mark = path.join(workspace, 'pid');
    const controller = new AbortController();
    const running = call(
      'run_shell_command',
      { command: `sh -c 'echo $$ > ${mark}.new; mv ${mark}.new ${mark}; sleep 300' | cat` },
      { signal: controller.signal },
    );
    const failure = running.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    await until(() => existsSync(mark), 'the command');
    const pid = Number(readFileSync(mark, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    controller.abort();
    expect(await failure).toBeDefined();
    await until(() => !isAlive(pid), 'the end of the command');
    // The connection is as good as before.
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  });

  it('answers two hundred calls at once, each its own', async () => {
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}.txt`, `text ${index}\n`]));
    const { connect, workspace } = await serve(files);
    const { call } = await connect({ era, way });
    const texts = await Promise.all(
      Object.keys(files).map(
        async (name) => (await call('read_file', { absolute_path: path.join(workspace, name) })).text,
      ),
    );
    texts.forEach((text, index) => expect(text).toContain(`text ${index}`));
  });

  it('loses no edit of many at once to the same file', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}.`);
    const { connect, workspace } = await serve({ 'many.txt': lines.join('\n') });
    const file = path.join(workspace, 'many.txt');
    const { call } = await connect({ era, way, args: ['--approval-mode', 'auto_edit'] });
    const done = await Promise.all(
      lines.map((line) => call('edit', { file_path: file, old_string: line, new_string: `${line} done` })),
    );
    expect(done.filter(({ isError }) => isError)).toEqual([]);
    expect(readFileSync(file, 'utf8').match(/done/g)).toHaveLength(20);
  });

  it('lists resources for a client with roots as well', async () => {
    const { connect, workspace } = await serve({ ...FILES, 'sub/README.md': '# Sub\n' });
    const { client, call } = await connect({ era, way, roots: () => [path.join(workspace, 'sub')] });
    const names = async () =>
      (await client.listResources({}, { cacheMode: 'refresh' })).resources.map(({ name }) => name);
    // The newer revision lets no list ask for roots: until they are known, it is that of the folders of the start.
    expect(await names()).toEqual([era === 'modern' ? 'work/README.md' : 'sub/README.md']);
    const inside = await call('read_file', { absolute_path: path.join(workspace, 'sub', 'b.txt') });
    expect(inside).toMatchObject({ isError: false });
    const outside = await call('read_file', { absolute_path: path.join(workspace, 'a.txt') });
    expect(outside.isError).toBe(true);
    // Without a connection that lasts nothing is known the next time either.
    expect(await names()).toEqual([era === 'modern' && way === 'http' ? 'work/README.md' : 'sub/README.md']);
  });

  it('gives files of the workspace as resources, by the same rules', async () => {
    const { connect, workspace } = await serve();
    const { client } = await connect({ era, way, args: ['--deny', 'Read(/a.txt)'] });
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(['work/README.md']);
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(contents).toMatchObject([{ text: '# Notes\n', mimeType: 'text/plain' }]);
    const uri = (file: string) => ({ uri: `file://${path.join(workspace, file)}` });
    await expect(client.readResource(uri('a.txt'))).rejects.toThrow(/rule|denied/i);
    await expect(client.readResource(uri('../x'))).rejects.toThrow();
    await expect(client.readResource({ uri: 'https://example.org/' })).rejects.toThrow();
  });
});
