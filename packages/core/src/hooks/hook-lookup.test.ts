import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openHooks, type OpenedHooks } from './open-hooks.js';
import type { HookRunEvent, HttpHook } from './hook-types.js';

let hooks: OpenedHooks | undefined;
const posted: string[] = [];
const server = createServer((request, response) => {
  posted.push(request.headers.host ?? '');
  response.end('{}');
});

afterEach(async () => {
  await hooks?.close();
  hooks = undefined;
  posted.length = 0;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function post(url: (port: number) => string, answers: readonly (readonly string[])[]): Promise<HookRunEvent> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const hook: HttpHook = {
    kind: 'http',
    event: 'UserPromptSubmit',
    name: 'h',
    origin: 'here',
    timeoutMs: 5000,
    failClosed: false,
    dialect: 'tenon',
    url: url(port),
    headers: {},
    allowedEnvVars: [],
  };
  const left = [...answers];
  hooks = openHooks({
    list: [hook],
    variables: {},
    connect: () => Promise.reject(new Error('no program')),
    environment: {},
    shell: { program: 'bash' },
    folder: '/',
    roots: ['/'],
    home: '/',
    session: () => ({ sessionId: 's', approvalMode: 'default' }),
    resolve: async () => left.shift() ?? [],
  });
  const [run] = (await hooks.session.submitted('hello', new AbortController().signal)).events;
  if (run === undefined) throw new Error('no run');
  return run;
}

it('posts to this machine by its name, which is looked up once', async () => {
  expect(await post((port) => `http://localhost:${port}/`, [['::1', '127.0.0.1'], ['169.254.169.254']])).toMatchObject({
    outcome: 'passed',
  });
  expect(posted).toHaveLength(1);
});

it.each([
  ['a name of this machine that leads elsewhere', 'http://hook.localhost', ['10.0.0.1', '93.184.215.14']],
  ['a name that leads to the secrets of a cloud', 'https://hooks.example', ['169.254.169.254']],
  [
    'such a name in other notations',
    'https://hooks.example',
    ['::ffff:169.254.169.254', 'fd00:ec2::254', '100.100.100.200'],
  ],
  ['a name without addresses', 'https://hooks.example', []],
  ['a name that leads to no place', 'https://hooks.example', ['0.0.0.0', '::']],
])('does not post to %s', async (_what, origin, addresses) => {
  const run = await post((port) => `${origin}:${port}/`, [addresses]);
  expect(run).toMatchObject({
    outcome: 'failed',
    problem: expect.stringContaining('where hooks are not sent') as string,
  });
  expect(posted).toEqual([]);
});
