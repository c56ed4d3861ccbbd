import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runInProcess, type Finished } from '../testing/run-in-process.js';

let folder = '';
afterEach(async () => rm(folder, { recursive: true, force: true }));

/** Files below `home` and `work`; what is no text is written as JSON. */
async function place(files: Readonly<Record<string, unknown>>): Promise<void> {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-import-')));
  for (const name of ['home/.tenon', 'work']) await mkdir(path.join(folder, name), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}
const run = async (...words: string[]): Promise<Finished> => runInProcess(folder, ['mcp', 'import', ...words]);
const text = async (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');
const written = async (name = 'home/.tenon/settings.json'): Promise<unknown> => JSON.parse(await text(name)).mcpServers;
const exists = async (name: string): Promise<boolean> =>
  stat(path.join(folder, name)).then(
    () => true,
    () => false,
  );
const runs = (definition: object = { command: 'x' }): object => ({ mcpServers: { a: definition } });

const SOURCES: readonly (readonly [string, string, unknown, object])[] = [
  ['claude-code', 'home/.claude.json', runs({ type: 'stdio', command: 'x', env: {} }), { command: 'x' }],
  ['claude-desktop', 'home/.config/Claude/claude_desktop_config.json', runs(), { command: 'x' }],
  ['cursor', 'home/.cursor/mcp.json', runs({ command: '${env:X}' }), { command: '${X}' }],
  ['vscode', 'home/.config/Code/User/mcp.json', { servers: { a: { command: '${input:x}' } } }, { command: '${X}' }],
  ['gemini', 'home/.gemini/settings.json', runs({ command: '$X' }), { command: '${X}' }],
  ['qwen', 'home/.qwen/settings.json', runs({ command: '$X' }), { command: '${X}' }],
  ['codex', 'home/.codex/config.toml', '[mcp_servers.a]\ncommand = "x"\n', { command: 'x' }],
  [
    'opencode',
    'home/.config/opencode/opencode.jsonc',
    '{\n// mine\n"mcp": {"a": {"type": "local", "command": ["x", "{env:X}"]}},}',
    { command: 'x', args: ['${X}'] },
  ],
  [
    'windsurf',
    'home/.codeium/windsurf/mcp_config.json',
    runs({ serverUrl: 'https://h.example' }),
    { url: 'https://h.example' },
  ],
  [
    'cline',
    'home/.cline/data/settings/cline_mcp_settings.json',
    runs({ command: 'x', timeout: 2 }),
    { command: 'x', timeout: 2000 },
  ],
];

describe('tenon mcp import', () => {
  it.each(SOURCES)('takes over servers of %s, once', async (source, file, content, definition) => {
    await place({ [file]: content });
    const before = await text(file);
    const first = await run(source, '--yes');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(`Added a to ${path.join(folder, 'home/.tenon/settings.json')}.`);
    expect(await written()).toEqual({ a: definition });
    const settings = await text('home/.tenon/settings.json');
    const second = await run('--yes');
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toContain('there  a  is the same as a of user settings');
    expect(await text('home/.tenon/settings.json')).toBe(settings);
    expect(await text(file)).toBe(before);
  });

  it.each([
    ['.cursor/mcp.json', runs()],
    ['.vscode/mcp.json', { servers: { a: { command: 'x' } } }],
    ['.gemini/settings.json', runs()],
    ['.qwen/settings.json', runs()],
    ['.codex/config.toml', 'mcp_servers.a.command = "x"'],
    ['opencode.json', { mcp: { a: { type: 'local', command: ['x'] } } }],
  ])('leaves those of %s in the project, where trust decides', async (file, content) => {
    await place({ [`work/${file}`]: content });
    const { code, stdout } = await run('--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('`tenon trust --yes`');
    expect(await written('work/.tenon/settings.json')).toEqual({ a: { command: 'x' } });
    expect(await exists('home/.tenon/settings.json')).toBe(false);
    // The same command for oneself is another matter, and the person says so.
    expect((await run(path.join(folder, 'work', file), '--user', '--yes')).stdout).toContain('there  a');
  });

  it('needs nothing of .mcp.json, which Tenon reads as it stands', async () => {
    await place({ 'work/.mcp.json': runs({ command: 'x', alwaysLoad: true }) });
    const { stdout } = await run('--yes');
    expect(stdout).toContain(`there  a  is the same as a of ${path.join(folder, 'work/.mcp.json')}`);
    expect(await exists('work/.tenon/settings.json')).toBe(false);
  });

  it('only lists where nobody can be asked, shows no secret, and says what would add them', async () => {
    await place({
      'home/.cursor/mcp.json': {
        mcpServers: {
          'a b': {
            command: 'x',
            args: ['--token', 's3cret', 'https://u:s3cret@h.example/?k=s3cret'],
            env: { KEY: 's3cret', OTHER: '${env:SET}', MORE: '${env:UNSET:-s3cret}' },
          },
          'c\u001b[31m': { url: 'https://h.example', headers: { Authorization: 'Bearer s3cret ${env:UNSET}' } },
          d: { command: '${config:x}' },
        },
      },
      'home/.gemini/settings.json': '{\n"mcpServers": }',
    });
    const { code, stdout, stderr } = await runInProcess(folder, ['mcp', 'import'], { env: { SET: 's3cret' } });
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(/s3cret|\u001b/);
    expect(stdout).toContain(`Cursor (${path.join(folder, 'home/.cursor/mcp.json')})\n`);
    expect(stdout).toMatch(/ {2}new {4}"a b" {2}runs x --token .*\(environment KEY, OTHER=\$\{SET\}, MORE=/);
    expect(stdout).toContain('needs SET (set)');
    expect(stdout).toContain('needs UNSET (not set)');
    expect(stdout).toContain('not    d  cannot be taken: "${config:x}"');
    expect(stdout).toContain('Nothing was added. `tenon mcp import --yes` adds the 2 that are new.');
    expect(stderr).toMatch(/\.gemini\/settings\.json: cannot be read: line 2 /);
    expect(await exists('home/.tenon/settings.json')).toBe(false);
  });

  it('never takes the place of another server, and adds one beside it by another name', async () => {
    const settings = '{\n  // mine\n  "mcpServers": { "a": { "command": "mine" } }, // as ever\n}\n';
    await place({ 'home/.cursor/mcp.json': runs(), 'home/.tenon/settings.json': settings });
    const all = await run('--yes');
    expect(all.stdout).toContain('taken  a  runs x');
    expect(all.stdout).toContain('`tenon mcp import cursor a --as a-2` adds it beside that');
    expect(await text('home/.tenon/settings.json')).toBe(settings);
    expect(await run('cursor', 'a', '--as', 'a', '--yes')).toMatchObject({ code: 2 });
    expect(await run('cursor', 'a', '--as', 'b', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(await text('home/.tenon/settings.json')).toContain(
      '  // mine\n  "mcpServers": { "a": { "command": "mine" }, "b":',
    );
    expect((await run()).stdout).toContain('there  a  is the same as b of user settings');
  });

  it('takes any file, and tells what of it is wrong', async () => {
    await place({
      'work/x.json': { mcpServers: { a: { command: 'x', env: { K: 'v' } }, b: { command: 'y' } } },
      'work/broken.toml': '[mcp_servers.a]\ncommand = x\n',
    });
    const added = await run('x.json', 'a', '--project', '--yes');
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('is read by everybody') });
    expect(await written('work/.tenon/settings.json')).toEqual({ a: { command: 'x', env: { K: 'v' } } });
    expect(await run('broken.toml')).toMatchObject({ code: 7, stderr: expect.stringContaining('line 2:') });
    expect(await run('curser')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "cursor"?') });
    expect(await run('x.json', 'c')).toMatchObject({ code: 2, stderr: expect.stringContaining('Found: a, b.') });
    expect(await run('x.json', '--as', 'c')).toMatchObject({ code: 0 });
    const quoted = await run('x.json', 'b', '--as', "it's b", '--scope', 'user');
    expect(quoted.stdout).toContain("tenon mcp import x.json b --scope user --as 'it'\\''s b' --yes");
    expect((await run('windsurf')).stdout).toContain('No servers were found. Looked in:');
    expect((await run('cursor', 'a', 'b')).code).toBe(2);
    expect((await run('--user', '--project')).stderr).toContain('only one goes at a time');
    expect(await runInProcess(folder, ['mcp', 'list', '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it belongs to: tenon mcp import.'),
    });
  });

  it('answers in JSON, as one object without secrets', async () => {
    await place({ 'home/.cursor/mcp.json': runs({ command: 'x', env: { K: 's3cret', L: '${env:UNSET}' } }) });
    const listed = await run('--json');
    expect(listed.stdout).not.toContain('s3cret');
    const file = path.join(folder, 'home/.cursor/mcp.json');
    const to = path.join(folder, 'home/.tenon/settings.json');
    expect(JSON.parse(listed.stdout)).toEqual({
      servers: [
        {
          source: 'cursor',
          file,
          name: 'a',
          state: 'new',
          addAs: 'a',
          to,
          sameNameOrServer: null,
          definition: { command: 'x', env: { K: '(hidden)', L: '${UNSET}' } },
          needs: [{ name: 'UNSET', isSet: false }],
          notes: [],
          reason: null,
        },
      ],
      problems: [],
      added: [],
    });
    expect(JSON.parse((await run('--json', '--yes')).stdout)).toMatchObject({ added: [{ name: 'a', file: to }] });
    expect(await written()).toEqual({ a: { command: 'x', env: { K: 's3cret', L: '${UNSET}' } } });
    expect(JSON.parse((await run('--json', '--yes')).stdout)).toMatchObject({
      servers: [{ state: 'there' }],
      added: [],
    });
  });

  it('is for a person: a command of an agent reads and changes nothing', async () => {
    await place({ 'home/.cursor/mcp.json': runs() });
    const { code, stdout, stderr } = await runInProcess(folder, ['mcp', 'import', '--yes'], { env: { TENON: '1' } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Only a person');
    expect(await exists('home/.tenon/settings.json')).toBe(false);
  });
});
