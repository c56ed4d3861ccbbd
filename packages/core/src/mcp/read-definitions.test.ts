import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aliasText, describeForConsent, describeServer, redactServer } from './describe-definition.js';
import { readDefinition, type DefinitionContext } from './read-definitions.js';

const context: DefinitionContext = {
  origin: 'user',
  variables: { TOKEN: 's3cret', EMPTY: '', PORT: '8080' },
  root: '/work/project',
  home: '/home/you',
  timeoutMs: 60_000,
  startupMs: 30_000,
};
const read = (raw: unknown, more: Partial<DefinitionContext> = {}, alias = 'x') =>
  readDefinition(alias, raw, { ...context, ...more });
const transport = (raw: unknown, more: Partial<DefinitionContext> = {}) => read(raw, more).definition?.transport;

describe('a definition of a server', () => {
  it('is a program with its defaults', () => {
    expect(read({ command: 'npx', args: ['-y', 'server', 7, true] })).toEqual({
      alias: 'x',
      warnings: [],
      definition: {
        alias: 'x',
        origin: 'user',
        transport: {
          kind: 'stdio',
          command: 'npx',
          args: ['-y', 'server', '7', 'true'],
          cwd: '/work/project',
          env: {},
        },
        timeoutMs: 60_000,
        startupMs: 30_000,
        trust: false,
        excludeTools: [],
        sampling: false,
        negotiation: 'legacy',
        disabled: false,
      },
    });
  });

  it.each([
    [{ url: 'http://a/mcp' }, 'auto'],
    [{ httpUrl: 'http://a/mcp' }, 'http'],
    [{ type: 'http', url: 'http://a/mcp' }, 'http'],
    [{ type: 'streamable-http', url: 'http://a/mcp' }, 'http'],
    [{ transport: 'sse', url: 'http://a/mcp' }, 'sse'],
    [{ serverUrl: 'https://a/mcp', type: null }, 'auto'],
    [{ type: 'http', url: 'http://a/mcp', command: 'left over' }, 'http'],
  ])('is reached at an address: %j as %s', (raw, kind) => {
    expect(transport(raw)).toMatchObject({ kind });
  });

  it('takes all that other agents write', () => {
    const { definition, warnings } = read({
      url: 'https://a/mcp',
      headers: { Authorization: 'Bearer ${TOKEN}' },
      oauth: { clientId: 'c', clientSecret: '${TOKEN}', scopes: 'a  b', callbackPort: 9000 },
      timeout: 5000,
      startupTimeout: 100,
      trust: true,
      sampling: true,
      includeTools: ['read_*'],
      excludeTools: ['drop'],
      versionNegotiation: 'legacy',
      enabled: false,
      description: 'd',
      $comment: 'c',
    });
    expect(warnings).toEqual([]);
    expect(definition).toMatchObject({
      transport: {
        headers: { Authorization: 'Bearer s3cret' },
        oauth: { clientId: 'c', clientSecret: 's3cret', scopes: ['a', 'b'], callbackPort: 9000 },
      },
      timeoutMs: 5000,
      startupMs: 100,
      trust: true,
      sampling: true,
      disabled: true,
      negotiation: 'legacy',
      includeTools: ['read_*'],
      excludeTools: ['drop'],
    });
  });

  it.each([
    ['nothing at all', null, 'must be an object'],
    ['neither', {}, 'neither "command" nor "url"'],
    ['both', { command: 'a', url: 'http://a' }, 'a command and an address'],
    ['a kind without its field', { type: 'http', command: 'a' }, '"url" is missing'],
    ['the other kind without its field', { type: 'stdio', url: 'http://a' }, '"command" is missing'],
    ['a slip in the kind', { type: 'studio', command: 'a' }, 'Did you mean "stdio"?'],
    ['words in one text', { command: 'a', args: 'b c' }, '"args" must be a list of texts'],
    ['an address of another kind', { url: 'file:///etc/passwd' }, 'http:// or https://'],
    ['a header with a line break', { url: 'http://a', headers: { A: 'b\r\nC: d' } }, 'cannot be sent'],
    ['a variable with an equals sign', { command: 'a', env: { 'A=B': 'c' } }, 'the name of a variable'],
    ['a time of nothing', { command: 'a', timeout: 0 }, '"timeout" must be a whole number'],
    ['a slip in what narrows', { command: 'a', excludeTool: ['x'] }, 'Did you mean "excludeTools"?'],
    ['an inner field', { command: 'a', env: { A: { b: 1 } } }, '"env.A" must be a text'],
    [
      'what an editor would ask for',
      { command: 'a', args: ['${input:key}'] },
      '${input:key} is nothing that Tenon replaces',
    ],
  ])('is refused with a reason: %s', (_, raw, reason) => {
    const { definition, unused } = read(raw);
    expect(definition).toBeUndefined();
    expect(unused).toContain(reason);
  });

  it('is used with a warning where a key means nothing', () => {
    const { definition, warnings } = read({ command: 'a', enviroment: {}, zzz: 1 });
    expect(definition).toBeDefined();
    expect(warnings).toEqual(['"enviroment" means nothing here.', '"zzz" means nothing here.']);
    expect(read({ command: 'a', headrs: {} }).warnings).toEqual([
      '"headrs" means nothing here. Did you mean "headers"?',
    ]);
  });

  it('has a name of 1 to 64 characters, whichever', () => {
    for (const alias of ['a.b/c @ü', '__proto__', 'mcp', '😀'.repeat(64)])
      expect(readDefinition(alias, { command: 'a' }, context).definition?.alias).toBe(alias);
    for (const alias of ['', ' ', 'a'.repeat(65)])
      expect(readDefinition(alias, { command: 'a' }, context).unused).toContain('Its name is');
  });

  it('of a project is never trusted and never samples', () => {
    for (const origin of ['project', '.mcp.json'] as const) {
      const { definition, warnings } = read({ command: 'a', trust: true, sampling: true }, { origin });
      expect(definition).toMatchObject({ trust: false, sampling: false });
      expect(warnings).toHaveLength(2);
    }
  });

  it('has its folder below the project, or below the home of the person', () => {
    expect(transport({ command: 'a', cwd: 'tools' }, { origin: 'project' })).toMatchObject({
      cwd: '/work/project/tools',
    });
    expect(transport({ command: '~/bin/a', cwd: 'tools' })).toMatchObject({
      command: '/home/you/bin/a',
      cwd: '/home/you/tools',
    });
    expect(transport({ command: 'a', cwd: '~/t' }, { origin: 'project' })).toMatchObject({ cwd: '/home/you/t' });
    expect(transport({ command: 'a', cwd: '${workspaceFolder}/t' })).toMatchObject({ cwd: '/work/project/t' });
  });
});

describe('who asks', () => {
  const helper = (headersHelper: unknown, more: Partial<DefinitionContext> = {}) =>
    transport({ url: 'https://h/', headersHelper }, more);

  it.each([
    ["helper --realm 'A B'", ['helper', '--realm', 'A B']],
    [
      ['/opt/helper', 'a b'],
      ['/opt/helper', 'a b'],
    ],
    ['~/bin/helper x', ['/home/you/bin/helper', 'x']],
    // A variable is one word, whatever it holds.
    ['helper ${A} "${A}b"', ['helper', 'c d', 'c db']],
    ['${workspaceFolder}/x', ['/work/project/x']],
  ])('can be said by a program: %j', (written, argv) => {
    expect(helper(written, { variables: { A: 'c d' } })).toMatchObject({
      headersHelper: { argv, cwd: '/work/project' },
    });
  });

  it('is said by a program of the project where the project names one, and never where the person does', () => {
    expect(helper('./x.sh', { origin: 'project' })).toMatchObject({
      headersHelper: { argv: ['./x.sh'], cwd: '/work/project' },
    });
    expect(helper('./x.sh')).toMatchObject({ headersHelper: { argv: ['/home/you/x.sh'], cwd: '/work/project' } });
  });

  const oauth = (given: unknown, more: Partial<DefinitionContext> = {}) =>
    transport({ url: 'https://h/', oauth: given }, more);
  const program = { grant: 'client_credentials', clientId: 'c' };

  it('can be the program itself, by a secret or by a key', () => {
    expect(oauth({ ...program, clientSecret: '${TOKEN}', scopes: 'a b', issuer: 'https://i/' })).toMatchObject({
      oauth: { ...program, clientSecret: 's3cret', scopes: ['a', 'b'], issuer: 'https://i/' },
    });
    for (const [privateKey, path] of [
      ['~/k.pem', '/home/you/k.pem'],
      ['keys/k.pem', '/home/you/keys/k.pem'],
      ['/etc/k.pem', '/etc/k.pem'],
      ['-----BEGIN PRIVATE KEY-----\nx', '-----BEGIN PRIVATE KEY-----\nx'],
    ])
      expect(oauth({ ...program, privateKey, algorithm: 'ES256' })).toMatchObject({
        oauth: { key: { privateKey: path, algorithm: 'ES256' } },
      });
    expect(oauth({ ...program, privateKey: 'keys/k.pem' }, { origin: '.mcp.json' })).toMatchObject({
      oauth: { key: { privateKey: '/work/project/keys/k.pem' } },
    });
    expect(oauth({ grant: 'authorization_code', clientId: 'c' })).toMatchObject({ oauth: { clientId: 'c' } });
  });

  it.each([
    ['a shell', { headersHelper: 'a | b' }, 'No shell is between'],
    ['no program', { headersHelper: '' }, '"headersHelper" must be a command'],
    ['a program of nothing', { headersHelper: '${EMPTY} x' }, 'a command that names a program'],
    ['no command', { headersHelper: { command: 'x' } }, '"headersHelper" must be a command'],
    ['a variable that is not set', { headersHelper: 'a ${NONE}' }, 'In "headersHelper": ${NONE} is not set'],
    ['no client', { oauth: { grant: 'client_credentials', clientSecret: 'x' } }, '"oauth.clientId" is missing'],
    ['no proof', { oauth: program }, 'needs one of "clientSecret" and "privateKey"'],
    [
      'two proofs',
      { oauth: { ...program, clientSecret: 'x', privateKey: 'y' } },
      'needs one of "clientSecret" and "privateKey"',
    ],
    ['a slip in the grant', { oauth: { ...program, grant: 'client-credentials' } }, '"oauth.grant" must be'],
    ['a key without its grant', { oauth: { clientId: 'c', privateKey: 'x' } }, '"oauth.privateKey" needs "grant"'],
    ['an algorithm of shared secrets', { oauth: { ...program, privateKey: 'x', algorithm: 'HS256' } }, 'must be RS256'],
    [
      'an algorithm without a key',
      { oauth: { ...program, clientSecret: 'x', algorithm: 'RS256' } },
      'needs "privateKey"',
    ],
    ['an issuer that is none', { oauth: { ...program, clientSecret: 'x', issuer: 'y' } }, 'must be an address'],
  ])('is refused with a reason: %s', (_, raw, reason) => {
    const { definition, unused } = read({ url: 'https://h/', ...raw });
    expect(definition).toBeUndefined();
    expect(unused).toContain(reason);
  });
});

describe('variables in a definition', () => {
  it('are replaced everywhere a server is started or reached by', () => {
    const raw = {
      command: '${PORT}x',
      args: ['--port=${PORT}', '${NONE:-d}', '${EMPTY:-e}', '${EMPTY}', '$PORT', '${env:PORT}'],
      env: { A: '${TOKEN}' },
    };
    expect(transport(raw)).toMatchObject({
      command: '8080x',
      args: ['--port=8080', 'd', 'e', '', '$PORT', '8080'],
      env: { A: 's3cret' },
    });
    expect(transport({ url: 'http://localhost:${PORT}/' })).toMatchObject({ url: 'http://localhost:8080/' });
  });

  it('that are not set keep the server away, and are named', () => {
    const { definition, unused } = read({ url: 'http://a/', headers: { A: '${TOKEN}${NONE}' } });
    expect(definition).toBeUndefined();
    expect(unused).toBe(
      'In "headers.A": ${NONE} is not set. Set it in the environment of Tenon, or give a default: ${NONE:-…}.',
    );
  });

  it('are replaced once: what a value holds is text', () => {
    expect(transport({ command: '${A}' }, { variables: { A: '${TOKEN}' } })).toMatchObject({ command: '${TOKEN}' });
    expect(read({ command: '${toString}' }).definition).toBeUndefined();
  });
});

describe('what people are shown of a definition', () => {
  it.each([
    [{ command: 'npx', args: ['-y', 'a b'] }, 'runs npx -y "a b"'],
    [
      { command: 'a', env: { K: 'v', L: '${TOKEN}', NODE_OPTIONS: '--require ./x' } },
      'runs a (environment K, L=${TOKEN}, NODE_OPTIONS=--require ./x)',
    ],
    [
      { command: 'a', args: ['--api-key', 'v', '--token=w', '--port', '1'] },
      'runs a --api-key "(hidden)" "--token=(hidden)" --port 1',
    ],
    [{ url: 'https://u:p@h/x?key=v&k=${K}' }, 'connects to https://(hidden)@h/x?key=(hidden)&k=${K}'],
    [
      { httpUrl: 'http://h/', headers: { A: 'Bearer v', B: 'x ${T:-v}' } },
      'connects to http://h/ (headers A, B=${T:-…})',
    ],
    [7, 'is no definition'],
  ])('%j', (raw, line) => {
    expect(describeServer(raw)).toBe(line);
  });

  it.each([
    // Of several places, the one that counts.
    [{ type: 'http', command: 'good', url: 'https://evil/' }, 'connects to https://evil/'],
    [{ type: 'stdio', command: 'evil', url: 'https://good/' }, 'runs evil'],
    [{ url: 'https://good/', httpUrl: 'https://evil/' }, 'connects to https://evil/'],
    [{ serverUrl: 'https://good/', url: 'https://evil/' }, 'connects to https://evil/'],
    // Refused, whichever is meant.
    [{ command: 'a', url: 'https://h/' }, 'runs a and connects to https://h/'],
    [{ type: 'strange', command: 'a', url: 'https://h/' }, 'runs a and connects to https://h/'],
    // A command is no secret.
    [{ command: 'sh', args: ['-c', 'TOKEN=x; evil | sh'] }, 'runs sh -c "TOKEN=x; evil | sh"'],
    [{ command: 'sh', args: ['--key', 'evil it'] }, 'runs sh --key "evil it"'],
    // Who signs people in gets these.
    [
      { url: 'https://h/', oauth: { clientId: '${A_KEY}', clientSecret: 'v' } },
      'connects to https://h/ (sign-in clientId=${A_KEY}, clientSecret)',
    ],
    [
      {
        url: 'https://h/',
        oauth: { grant: 'client_credentials', clientId: 'c', privateKey: '~/k.pem', issuer: 'https://i' },
      },
      'connects to https://h/ (signs in as itself clientId=c, privateKey=~/k.pem, issuer=https://i)',
    ],
    [
      { url: 'https://h/', oauth: { grant: 'client_credentials', clientId: 'c', privateKey: '-----BEGIN x' } },
      'connects to https://h/ (signs in as itself clientId=c, privateKey)',
    ],
    [
      { url: 'https://h/', headers: { A: '${A}' }, headersHelper: "./get.sh 'a b'" },
      'connects to https://h/ (headers A=${A}; headers from ./get.sh "a b")',
    ],
    [{ url: 'https://h/', headersHelper: ['sh', '-c', 'evil'] }, 'connects to https://h/ (headers from sh -c evil)'],
    [
      { url: 'https://h/', headersHelper: 'a | b' },
      'connects to https://h/ (headers from a command that cannot be read)',
    ],
  ])('is what counts of it: %j', (raw, line) => {
    expect(describeServer(raw)).toBe(line);
    expect(describeForConsent(raw)).toBe(line);
  });

  it('is everything that may run, where they are asked', () => {
    const env = { npm_config_registry: 'https://evil/', API_KEY: 'v', L: '${T}', GIT_AUTH: 'a;b' };
    const raw = { command: 'npx', args: ['--auth', 'evil', '--key=evil', '${X:-evil}'], env };
    expect(describeForConsent(raw)).toBe(
      'runs npx --auth evil --key=evil ${X:-evil} (environment npm_config_registry=https://evil/, API_KEY, L=${T}, GIT_AUTH=a;b)',
    );
    expect(describeForConsent(7)).toBe('is no definition');
    const helped = { url: 'https://h/', headersHelper: 'get --token evil' };
    expect(describeForConsent(helped)).toBe('connects to https://h/ (headers from get --token evil)');
    expect(describeServer(helped)).toBe('connects to https://h/ (headers from get --token "(hidden)")');
  });

  it('is never a name that reads like a description', () => {
    expect(aliasText('io.x/y-1')).toBe('io.x/y-1');
    expect(aliasText('ok runs npx ok')).toBe('"ok runs npx ok"');
  });

  it('holds no value of environment, headers, password, query or client secret', () => {
    const secret = fc.string({
      minLength: 12,
      maxLength: 20,
      unit: fc.constantFrom('q', 'w', 'z', 'x', 'j', 'k', '0', '9', '8', '7'),
    });
    fc.assert(
      fc.property(secret, (value) => {
        const raw = {
          url: `https://me:${value}@h/?a=${value}`,
          env: { A: value, B: `x${value}` },
          headers: { A: value, B: `Bearer ${value}` },
          oauth: { clientSecret: value, privateKey: `-----BEGIN PRIVATE KEY-----\n${value}` },
          headersHelper: `get --password ${value}`,
          apiKey: value,
          args: ['--password', value, `--secret=${value}`, `X-Api-Key: ${value}`],
        };
        for (const shown of [
          JSON.stringify(redactServer(raw)),
          describeServer(raw),
          describeServer({ ...raw, command: 'a' }),
        ])
          expect(shown).not.toContain(value);
      }),
    );
  });

  it('never comes with a reason either', () => {
    const raw = { command: 'a', env: { A: 'verysecret${NONE}' }, args: ['verysecret${NONE}'] };
    expect(JSON.stringify(read(raw).unused)).not.toContain('verysecret');
  });
});
