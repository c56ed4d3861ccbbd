import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBench, MAIN, NO_MODEL, type Bench } from './cli-process.js';

let bench: Bench;

beforeEach(async () => {
  bench = await createBench([{ text: 'The answer.' }, { text: 'Again.' }], { files: { 'a.txt': 'one\ntwo\n' } });
});
afterEach(() => bench.end());

/** What stands on stderr when something was refused: lines for people, never a stack. */
function expectPlain(stderr: string): void {
  expect(stderr).toMatch(/^tenon: /);
  expect(stderr).not.toMatch(/^\s+at .*:\d+/m);
}

describe('the command line', () => {
  it('prints version and help', async () => {
    expect(await bench.run(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect(await bench.run(['--quiet', '--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d/) });
    const help = await bench.run(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--approval-mode MODE');
  });

  it.runIf(process.platform === 'linux')('says plainly that the version cannot be written', async () => {
    const child = spawn(process.execPath, [MAIN, '--version'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1);
    expect(stderr).toMatch(/^tenon: standard output cannot be written: ENOSPC.*\n$/);
  });

  it('is quiet when nobody reads the version', async () => {
    const script = '"$0" "$1" --version | true; exit "${PIPESTATUS[0]}"';
    const child = spawn('bash', ['-c', script, process.execPath, MAIN], { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    // `true` may end before or after the version was written.
    expect([0, 141]).toContain(await new Promise((resolve) => child.on('close', resolve)));
    expect(stderr).toBe('');
  });

  it.each([
    [['--modell', 'x'], 'Did you mean --model?'],
    [['cofnig'], 'Did you mean "config"?'],
    [['-p', ''], 'The prompt is empty.'],
    [['-p', ' \n\t'], 'The prompt is empty.'],
    [['-p', 'x', '--allow', 'Bsah(ls)'], 'Did you mean Bash?'],
    [['-p', 'x', '--deny', 'Read('], 'is never closed'],
    [['-p', 'one', 'two'], 'There are two prompts'],
    [['-p', 'x', '--allow', 'Nope(x)'], 'there is no tool "Nope"'],
    [['-p', 'x', '--allow', 'Bahs(npm test)'], 'Did you mean Bash?'],
    [['call', 'read_file'], 'takes a tool and its arguments'],
    [['call', 'raed_file', '{}'], 'Did you mean read_file?'],
    [['call', 'no_such_tool', '{}'], 'There is no tool "no_such_tool"'],
    [['call', 'read_file', '{"absolute_path": '], 'The arguments are not valid JSON'],
    [['call', 'read_file', '["a"]'], 'must be one JSON object'],
    [['tools', 'raed_file'], 'Did you mean read_file?'],
  ])('refuses %j with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await bench.run(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expectPlain(stderr);
    expect(bench.model.requests).toHaveLength(0);
  });

  it('refuses standard input that is empty, holds a NUL, is not text or is too large', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, 'a');
    const inputs: [Uint8Array | string, string][] = [
      ['', 'The prompt is empty.'],
      ['a\0b', 'holds a NUL character'],
      [Buffer.of(0xff, 0xfe, 0x41), 'is not UTF-8'],
      [large, 'is larger than 10485760 bytes'],
    ];
    for (const [stdin, message] of inputs) {
      const { code, stderr } = await bench.run([], { stdin });
      expect(code).toBe(2);
      expect(stderr).toContain(message);
      expectPlain(stderr);
    }
  });

  it('takes a prompt of ten megabytes', async () => {
    const prompt = 'word '.repeat((10 * 1024 * 1024) / 5);
    const { code, stdout } = await bench.run([], { stdin: prompt });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The answer.\n' });
    expect(bench.model.requests[0]?.bodyText.length).toBeGreaterThan(prompt.length);
  });

  it('refuses a workspace that is not there, a file, or the root, with exit code 8', async () => {
    const places: [string, string][] = [
      ['nowhere', 'does not exist'],
      ['a.txt', 'is a file'],
      ['/', 'is the root of the file system'],
    ];
    for (const [place, message] of places) {
      const { code, stderr } = await bench.run(['-p', 'x', '--cwd', place]);
      expect(code).toBe(8);
      expect(stderr).toContain(message);
      expectPlain(stderr);
    }
    const added = await bench.run(['-p', 'x', '--add-dir', 'nowhere']);
    expect(added).toMatchObject({ code: 8, stderr: expect.stringContaining('choose another with --add-dir.') });
    expect((await bench.run(['-p', 'x'], { cwd: '/' })).code).toBe(8);
  });

  it('stops with exit code 7 when settings that guard something are broken, and names file, line and column', async () => {
    const file = path.join(bench.tenonHome, 'settings.json');
    await writeFile(file, '{\n  "permissions": {"deny": ["Bash"]\n');
    const { code, stderr } = await bench.run(['-p', 'x']);
    expect(code).toBe(7);
    expect(stderr).toContain(`${file}:3:1: not valid JSON`);
    expectPlain(stderr);
    await writeFile(file, '{"permissions": {"deny": ["Raed(.env)"]}}');
    expect(await bench.run(['-p', 'x'])).toMatchObject({ code: 7, stderr: expect.stringContaining('Did you mean') });
    expect(bench.model.requests).toHaveLength(0);
  });

  it('warns of an unknown setting and goes on (S135)', async () => {
    await writeFile(path.join(bench.tenonHome, 'settings.json'), '{"limits": {"maxTurn": 3}}');
    const { code, stdout, stderr } = await bench.run(['-p', 'x']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The answer.\n' });
    expect(stderr).toContain('warning: ');
    expect(stderr).toContain('Did you mean "limits.maxTurns"?');
  });

  it('lists the three ways to a model when there is none, with exit code 3', async () => {
    const { code, stdout, stderr } = await bench.run(['-p', 'x'], { env: NO_MODEL });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    for (const way of ['1. The environment', '2. The settings', '3. A server on this machine'])
      expect(stderr).toContain(way);
    expectPlain(stderr);
  });

  it('ends with exit code 9 when the model refuses', async () => {
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`, OPENAI_MODEL: '' };
    const { code, stderr } = await bench.run(['-p', 'x'], { env });
    expect(code).toBe(9);
    expectPlain(stderr);
  });

  it('never prints a stack, unless it is asked to', async () => {
    const home = path.join(bench.workspace, 'file');
    await writeFile(home, '');
    const plain = await bench.run(['-p', 'x'], { env: { TENON_HOME: path.join(home, 'below') } });
    expectPlain(plain.stderr);
    const debug = await bench.run(['-p', 'x'], { env: { TENON_HOME: path.join(home, 'below'), TENON_DEBUG: '1' } });
    expect(debug.stderr).toMatch(/^\s+at /m);
  });

  it('stops with exit code 7 when its own folder cannot be used, and says why', async () => {
    await symlink('gone', path.join(bench.workspace, 'nowhere'));
    const homes: [string, string][] = [
      [path.join(bench.workspace, 'a.txt'), 'is not a folder'],
      [path.join(bench.workspace, 'nowhere'), 'is a link that leads nowhere'],
      ...(process.platform === 'linux' ? [['/proc/nope', 'cannot be made'] as [string, string]] : []),
    ];
    for (const [home, message] of homes) {
      const { code, stderr } = await bench.run(['-p', 'x'], { env: { TENON_HOME: home } });
      expect({ home, code }).toEqual({ home, code: 7 });
      expect(stderr).toContain(message);
      expect(stderr).toContain('name another folder in TENON_HOME');
      expectPlain(stderr);
    }
  });

  it('makes escape sequences in its own messages visible', async () => {
    const { stderr } = await bench.run(['-p', 'x', '--cwd', '\u001b[2Jx\u202e']);
    expect(stderr).toContain('\\u{1b}[2Jx\\u{202e}');
  });
});

describe('tenon tools', () => {
  it('lists the tools, and one with its parameters (S22)', async () => {
    const list = await bench.run(['tools']);
    expect(list.code).toBe(0);
    expect(list.stdout).toMatch(/^read_file +\S/m);
    const all = JSON.parse((await bench.run(['tools', '--json'])).stdout) as { name: string; parameters: object }[];
    expect(all.map(({ name }) => name)).toContain('run_shell_command');
    const one = JSON.parse((await bench.run(['tools', 'read_file', '--json'])).stdout) as { parameters: object };
    expect(one.parameters).toMatchObject({ type: 'object', required: ['absolute_path'] });
    expect((await bench.run(['tools', 'read_file'])).stdout).toContain('"absolute_path"');
  });

  it('lists those of the discovery command too, and warns of old names of settings (S130, K11)', async () => {
    const declared = [{ name: 'count_words', description: 'Counts words.', parameters: { type: 'object' } }];
    const script = `process.stdout.write(${JSON.stringify(JSON.stringify(declared))})`;
    await writeFile(path.join(bench.tenonHome, 'discover.mjs'), script);
    const command = `${process.execPath} ${path.join(bench.tenonHome, 'discover.mjs')}`;
    const settings = { toolDiscoveryCommand: command, toolCallCommand: command };
    await writeFile(path.join(bench.tenonHome, 'settings.json'), JSON.stringify(settings));
    const { stdout, stderr } = await bench.run(['tools']);
    expect(stdout).toMatch(/^count_words +Counts words\. \(of the discovery command\)$/m);
    expect(stderr.match(/is an old name of "tools\.discoveryCommand"/g)).toHaveLength(1);
  });
});

describe('tenon config', () => {
  it('shows every value with its origin, and never a key', async () => {
    await writeFile(
      path.join(bench.tenonHome, 'settings.json'),
      '{"approvalMode": "plan", "permissions": {"deny": ["Bash(rm *)"]}, "model": {"headers": {"x-token": "hush"}}}',
    );
    const args = ['config', '--max-turns', '4', '--allow', 'Read', '--model', 'special'];
    const text = await bench.run(args);
    expect(text.code).toBe(0);
    expect(text.stdout).toMatch(/approvalMode +plan +\(user settings \(.*settings\.json:1:2\)\)/);
    expect(text.stdout).toMatch(/limits\.maxTurns +4 +\(command line\)/);
    expect(text.stdout).toMatch(/model\.name +special +\(command line\)/);
    expect(text.stdout).toMatch(/model\.headers +\["x-token: \(hidden\)"\] +\(user settings \(.*:1:77\)\)/);
    expect(text.stdout).toMatch(/deny +Bash\(rm \*\) +\(user settings/);
    expect(text.stdout).toMatch(/model\.apiKey +\(set\) +\(environment OPENAI_API_KEY\)/);
    const json = await bench.run([...args, '--json']);
    for (const output of [text.stdout, json.stdout]) {
      expect(output).not.toContain('sk-secret-key');
      expect(output).not.toContain('hush');
    }
    expect(JSON.parse(json.stdout)).toMatchObject({
      roots: [bench.workspace],
      rules: [{ list: 'deny' }, { list: 'allow' }],
    });
  });

  it('shows what is set also when no model comes of it, and says what is missing', async () => {
    await writeFile(path.join(bench.tenonHome, 'settings.json'), '{"model": {"name": "x", "headers": {"t": "hush"}}}');
    const { stdout } = await bench.run(['config'], { env: NO_MODEL });
    expect(stdout).toMatch(/model\.name +x +\(user settings \(.*settings\.json:1:12\)\)/);
    expect(stdout).toMatch(/model\.headers +\["t: \(hidden\)"\] +\(user settings/);
    expect(stdout).toMatch(/model\.provider +– +\(not set\)/);
    expect(stdout).toContain('No model comes of this: the setting model.name names a model');
    expect(stdout).not.toContain('hush');
    expect((await bench.run(['config', '-m', 'y'], { env: NO_MODEL })).stdout).toMatch(
      /model\.name +y +\(command line\)/,
    );
  });

  it('leaves out what a project may not say, with a warning', async () => {
    await mkdir(path.join(bench.workspace, '.tenon'));
    await writeFile(
      path.join(bench.workspace, '.tenon', 'settings.json'),
      '{"approvalMode": "yolo", "permissions": {"allow": ["Bash"], "deny": ["Read(secret)"]}}',
    );
    const { code, stdout, stderr } = await bench.run(['config']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/approvalMode +default +\(default\)/);
    expect(stdout).toContain('Read(secret)');
    expect(stdout).not.toContain('allow  Bash');
    expect(stderr.match(/is ignored here/g)).toHaveLength(1);
    expect(stderr).toContain('"permissions.allow" does not count, because the folder is not trusted with it.');
  });
});

describe('tenon call', () => {
  it('makes one call and prints what the model would read (S69)', async () => {
    const file = path.join(bench.workspace, 'a.txt');
    const { code, stdout, stderr } = await bench.run(['call', 'read_file', JSON.stringify({ absolute_path: file })]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/1.*one/);
  });

  it('reads the arguments from standard input and answers in JSON', async () => {
    const stdin = JSON.stringify({ path: bench.workspace });
    const { code, stdout } = await bench.run(['call', 'list_directory', '-', '--json'], { stdin });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'tool-call-end', status: 'success', toolName: 'list_directory' });
  });

  it('ends with 4 for a denied call, and with 1 for a failed one', async () => {
    const write = JSON.stringify({ file_path: path.join(bench.workspace, 'b.txt'), content: 'x' });
    const denied = await bench.run(['call', 'write_file', write]);
    expect(denied.code).toBe(4);
    expect(denied.stderr).toMatch(/to allow it: --allow /);
    expect((await bench.run(['call', 'write_file', write, '--approval-mode', 'auto_edit'])).code).toBe(0);
    const missing = JSON.stringify({ absolute_path: path.join(bench.workspace, 'none') });
    expect((await bench.run(['call', 'read_file', missing])).code).toBe(1);
  });

  it('takes the names that people and rules use, and ends with 1 when the command failed', async () => {
    const bash = (command: string) => bench.run(['call', 'Bash', JSON.stringify({ command }), '--allow', 'Bash']);
    expect(await bash('echo hi')).toMatchObject({ code: 0, stdout: expect.stringContaining('hi') });
    expect(await bash('echo hi; exit 3')).toMatchObject({ code: 1, stdout: expect.stringContaining('Exit code: 3') });
    expect((await bash('kill -9 $$')).code).toBe(1);
    const file = JSON.stringify({ absolute_path: path.join(bench.workspace, 'a.txt') });
    expect((await bench.run(['call', 'ReadFile', file])).code).toBe(0);
  });

  it('says why no rule is suggested for a command that none describes', async () => {
    const { code, stderr } = await bench.run(['call', 'Bash', '{"command": "node -e 1 > .npmrc"}']);
    expect(code).toBe(4);
    expect(stderr).toContain('no rule that is safe to suggest allows it');
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
