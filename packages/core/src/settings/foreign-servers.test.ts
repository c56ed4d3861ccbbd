import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameServer, plainDefinition } from './foreign-definition.js';
import { readForeignServers, type ForeignContext, type ForeignServer, type ForeignSource } from './foreign-servers.js';

const context = (source: ForeignSource, more: Partial<ForeignContext> = {}): ForeignContext => ({
  source,
  root: '/work',
  home: '/home/x',
  variables: { SET: '1' },
  platform: 'linux',
  ...more,
});
const read = async (source: ForeignSource, content: unknown, more?: Partial<ForeignContext>) =>
  readForeignServers(typeof content === 'string' ? content : JSON.stringify(content), context(source, more));
const one = async (source: ForeignSource, content: unknown, more?: Partial<ForeignContext>): Promise<ForeignServer> => {
  const { servers, problem } = await read(source, content, more);
  const [server] = servers;
  if (server === undefined) throw new Error(problem ?? 'no server');
  return server;
};
const common = (definition: unknown): object => ({ mcpServers: { a: definition } });

describe('servers of other tools', () => {
  it('are those of Claude Code: of the person, and of this folder', async () => {
    const file = await read('claude-code', {
      numStartups: 3,
      mcpServers: { all: { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: {} } },
      projects: {
        '/work': { mcpServers: { here: { type: 'http', url: 'https://${HOST:-h.example}/mcp', timeout: 9000 } } },
        '/other': { mcpServers: { there: { command: 'x' }, two: { command: 'y' } }, history: [] },
      },
    });
    expect(file.problem).toBeUndefined();
    expect(file.ofOtherFolders).toBe(2);
    expect(file.servers).toEqual([
      {
        alias: 'here',
        definition: { type: 'http', url: 'https://${HOST:-h.example}/mcp', timeout: 9000 },
        needs: [],
        notes: [],
      },
      { alias: 'all', definition: { command: 'npx', args: ['-y', 'x'] }, needs: [], notes: [] },
    ]);
  });

  it('are those of Claude Desktop, which replaces nothing itself', async () => {
    const bridged = await one(
      'claude-desktop',
      common({
        command: 'npx',
        args: ['mcp-remote', 'https://h.example', '--header', 'Authorization:${AUTH}'],
        env: { AUTH: 'Bearer s3cret' },
      }),
    );
    expect(bridged.needs).toEqual([{ name: 'AUTH' }]);
    expect(bridged.notes).toEqual([expect.stringContaining('${AUTH} is replaced here')]);
    expect(JSON.stringify(bridged.notes)).not.toContain('s3cret');
  });

  it('are those of Cursor and Windsurf, with the names of editors', async () => {
    const definition = {
      command: '${userHome}/bin/x',
      args: ['${workspaceFolder}${/}data', '${env:TOKEN}', '$plain'],
      env: { KEY: '${env:KEY}' },
      envFile: '.env',
      disabledTools: ['drop'],
      disabled: true,
      alwaysAllow: ['read'],
    };
    for (const source of ['cursor', 'windsurf'] as const) {
      const server = await one(source, common(definition));
      expect(server).toEqual({
        alias: 'a',
        definition: {
          command: '${HOME}/bin/x',
          args: ['${workspaceFolder}/data', '${TOKEN}', '$plain'],
          env: { KEY: '${KEY}' },
          excludeTools: ['drop'],
          disabled: true,
        },
        needs: [{ name: 'TOKEN' }, { name: 'KEY' }],
        notes: [expect.stringContaining('"alwaysAllow"'), expect.stringContaining('"envFile"')],
      });
    }
    expect(await one('windsurf', common({ serverUrl: 'https://h.example/sse' }))).toMatchObject({
      definition: { url: 'https://h.example/sse' },
    });
    const onWindows = await one('cursor', common({ command: '${userHome}${/}x' }), { platform: 'win32' });
    expect(onWindows.definition).toEqual({ command: '${USERPROFILE}\\x' });
    const signedIn = common({
      url: 'https://h.example',
      auth: { CLIENT_ID: 'c', CLIENT_SECRET: '${env:S}', scopes: ['r'] },
    });
    expect((await one('cursor', signedIn)).definition).toEqual({
      url: 'https://h.example',
      oauth: { clientId: 'c', clientSecret: '${S}', scopes: ['r'] },
    });
  });

  it('are those of VS Code, what it asks for being a variable to set', async () => {
    const { servers } = await read(
      'vscode',
      `{
        // comments are allowed
        "inputs": [
          { "id": "github-token", "type": "promptString", "password": true, "description": "A token" },
          { "id": "github_token", "type": "promptString" },
          { "id": "host", "type": "promptString", "default": "h.example" },
        ],
        "servers": {
          "a": {
            "type": "stdio", "command": "npx", "gallery": "https://x.example", "dev": { "watch": "*" },
            "env": { "T": "\${input:github-token}", "U": "\${input:github_token}", "V": "\${input:1}", "W": null },
          },
          "b": { "type": "http", "url": "https://\${input:host}/mcp" },
          "c": { "command": "\${config:python.path}" },
          "d": { "command": "x", "cwd": "\${cwd}" },
        },
      }`,
    );
    expect(servers).toEqual([
      {
        alias: 'a',
        definition: {
          command: 'npx',
          env: { T: '${GITHUB_TOKEN}', U: '${GITHUB_TOKEN_2}', V: '${INPUT_1}' },
        },
        needs: [{ name: 'GITHUB_TOKEN', hint: 'A token' }, { name: 'GITHUB_TOKEN_2' }, { name: 'INPUT_1' }],
        notes: ['Left out, for Tenon has nothing like it: "dev", "env: null".'],
      },
      { alias: 'b', definition: { type: 'http', url: 'https://${HOST:-h.example}/mcp' }, needs: [], notes: [] },
      { alias: 'c', refusal: expect.stringContaining('"${config:python.path}"'), needs: [], notes: [] },
      { alias: 'd', refusal: expect.stringContaining('"${cwd}"'), needs: [], notes: [] },
    ]);
    const settings = { mcp: { inputs: [{ id: 'k' }], servers: { s: { command: 'x', args: ['${input:k}'] } } } };
    expect((await one('vscode', settings)).definition).toEqual({ command: 'x', args: ['${K}'] });
  });

  it('are those of Gemini CLI and Qwen Code, with variables as in a shell', async () => {
    const definition = {
      httpUrl: 'https://h.example/$TENANT/mcp',
      headers: { Authorization: 'Bearer $TOKEN', 'X-Set': '${SET}' },
      timeout: 30_000,
      trust: true,
      excludeTools: ['drop'],
      authProviderType: 'google_credentials',
    };
    for (const source of ['gemini', 'qwen'] as const) {
      expect(await one(source, { theme: 'x', ...common(definition) })).toEqual({
        alias: 'a',
        definition: {
          type: 'http',
          url: 'https://h.example/${TENANT}/mcp',
          headers: { Authorization: 'Bearer ${TOKEN}', 'X-Set': '${SET}' },
          timeout: 30_000,
          excludeTools: ['drop'],
        },
        needs: [{ name: 'TENANT' }, { name: 'TOKEN' }, { name: 'SET' }],
        notes: [expect.stringContaining('"trust"'), expect.stringContaining('"authProviderType"')],
      });
    }
  });

  it('are those of Codex, whose file is in TOML', async () => {
    const { servers } = await read(
      'codex',
      `model = "x"
[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]
env_vars = ["TOKEN", { name = "OTHER", source = "local" }]
startup_timeout_sec = 1.5
tool_timeout_sec = 60
enabled = false
enabled_tools = ["find"]
required = true
[mcp_servers.docs.env]
A = "1"
[mcp_servers.docs.tools.find]
approval_mode = "approve"

[mcp_servers.far]
url = "https://h.example/mcp"
bearer_token_env_var = "FAR_TOKEN"
env_http_headers = { X-Key = "FAR_KEY" }
http_headers = { X-Plain = "p" }
scopes = ["read"]
`,
    );
    expect(servers).toEqual([
      {
        alias: 'docs',
        definition: {
          command: 'npx',
          args: ['-y', 'docs'],
          env: { TOKEN: '${TOKEN}', OTHER: '${OTHER}', A: '1' },
          includeTools: ['find'],
          startupTimeout: 1500,
          timeout: 60_000,
          disabled: true,
        },
        needs: [{ name: 'TOKEN' }, { name: 'OTHER' }],
        notes: [expect.stringContaining('"tools"'), expect.stringContaining('"required"')],
      },
      {
        alias: 'far',
        definition: {
          type: 'http',
          url: 'https://h.example/mcp',
          headers: { 'X-Plain': 'p', 'X-Key': '${FAR_KEY}', Authorization: 'Bearer ${FAR_TOKEN}' },
          oauth: { scopes: ['read'] },
        },
        needs: [{ name: 'FAR_KEY' }, { name: 'FAR_TOKEN' }],
        notes: [],
      },
    ]);
    expect(await read('codex', 'a = 1\nb = [')).toMatchObject({
      servers: [],
      problem: expect.stringMatching(/^cannot be read: line 2: /),
    });
  });

  it('are those of opencode, with commands in one list', async () => {
    const { servers } = await read('opencode', {
      mcp: {
        a: { type: 'local', command: ['bun', 'x', 'y'], environment: { K: '{env:KEY}' }, enabled: true, timeout: 5000 },
        b: { type: 'remote', url: 'https://h.example', headers: { A: 'Bearer {env:T}' }, oauth: { scope: 'r w' } },
        c: { enabled: false },
        d: { type: 'local', command: ['x'], environment: { K: '{file:~/.key}' } },
      },
    });
    expect(servers.map(({ definition, refusal }) => definition ?? refusal)).toEqual([
      { command: 'bun', args: ['x', 'y'], env: { K: '${KEY}' }, timeout: 5000 },
      { url: 'https://h.example', headers: { A: 'Bearer ${T}' }, oauth: { scopes: 'r w' } },
      'It only switches a server that is named elsewhere.',
      expect.stringContaining('"{file:~/.key}"'),
    ]);
  });

  it('are those of Cline, which counts in seconds', async () => {
    const server = await one(
      'cline',
      common({ type: 'streamableHttp', url: 'https://h.example', timeout: 60, autoApprove: [] }),
    );
    expect(server).toMatchObject({
      definition: { type: 'http', url: 'https://h.example', timeout: 60_000 },
      notes: [],
    });
  });

  it('are those of any file, told apart by what is in it', async () => {
    const command = { command: 'x', args: ['$TOKEN', 'costs $5'] };
    const expected = { command: 'x', args: ['${TOKEN}', 'costs $5'] };
    expect((await one('file', common(command))).definition).toEqual(expected);
    expect((await one('file', { servers: { a: { command: 'x' } } })).definition).toEqual({ command: 'x' });
    expect((await one('file', { mcp: { a: { type: 'local', command: ['x'] } } })).definition).toEqual({ command: 'x' });
    expect((await one('file', { mcp: { servers: { a: { command: 'x' } } } })).definition).toEqual({ command: 'x' });
    expect((await one('file', '# t\n\n[mcp_servers.a]\ncommand = "x"\n')).definition).toEqual({ command: 'x' });
    expect((await one('file', 'mcp_servers.a.command = "x"\n')).definition).toEqual({ command: 'x' });
    expect(await read('file', '{"a": 1}')).toMatchObject({ problem: expect.stringContaining('names no servers') });
    expect(await read('file', '[]')).toMatchObject({ problem: 'holds no object.' });
    expect(await read('file', '{"mcpServers": []}')).toMatchObject({
      problem: expect.stringContaining('"mcpServers"'),
    });
    expect(await read('cursor', '{\n"mcpServers": {\n')).toMatchObject({ problem: expect.stringContaining('line 3') });
    expect(await read('gemini', '{"theme": "x"}')).toEqual({ servers: [], ofOtherFolders: 0 });
  });

  it('cannot be taken where nothing of use is left, and it is said why', async () => {
    const refusals = await Promise.all(
      [
        'x',
        {},
        { command: 'x', url: 'https://h.example' },
        { type: 'ws', url: 'wss://h.example' },
        { command: ['x'] },
      ].map(async (definition) => (await one('cursor', common(definition))).refusal),
    );
    expect(refusals).toEqual([
      'It is no object.',
      'It has neither "command" nor "url".',
      expect.stringContaining('a command and an address'),
      expect.stringContaining('"type" must be stdio, http or sse'),
      expect.stringContaining('"command" must be a text'),
    ]);
  });
});

describe('two definitions', () => {
  it('are one server in whatever spelling', () => {
    const same: readonly (readonly [unknown, unknown])[] = [
      [
        { command: 'x', args: [], env: {} },
        { type: 'stdio', command: 'x', disabled: true },
      ],
      [{ httpUrl: 'https://h.example' }, { type: 'streamable-http', url: 'https://h.example' }],
      [{ serverUrl: 'https://h.example' }, { type: 'remote', url: 'https://h.example', enabled: true }],
      [
        JSON.parse('{"env": {"a": "1"}, "command": "x"}'),
        Object.assign(Object.create(null), { command: 'x', env: { a: '1' } }),
      ],
    ];
    for (const [a, b] of same) expect(isSameServer(a, b)).toBe(true);
    expect(isSameServer({ command: 'x' }, { command: 'x', args: ['y'] })).toBe(false);
    expect(isSameServer({ type: 'sse', url: 'https://h.example' }, { url: 'https://h.example' })).toBe(false);
    expect(isSameServer({ command: 'x', env: { A: '1' } }, { command: 'x', env: { A: '2' } })).toBe(false);
  });

  it('stay the same when they are spelled again', () => {
    const text = fc.constantFrom('x', 'https://h.example', '${A}', '');
    const raw = fc.record(
      {
        type: fc.constantFrom('stdio', 'http', 'sse', 'local', 'remote', 'ws'),
        command: text,
        url: text,
        httpUrl: text,
        args: fc.array(text, { maxLength: 2 }),
        env: fc.dictionary(fc.constantFrom('A', '__proto__'), text),
        enabled: fc.boolean(),
        disabled: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(raw, (definition) => {
        const plain = plainDefinition(definition);
        expect(plainDefinition(plain)).toEqual(plain);
        expect(isSameServer(definition, plain)).toBe(true);
      }),
    );
  });
});
