import { createRequire } from 'node:module';
import { ApprovalMode, createToolSystem, findMentions, type McpServer, type ToolSystem } from '@tenon/core';
import { createTempWorkspace, type TempWorkspace } from '@tenon/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ResourceOffers } from './resource-offers.js';

const EVERYTHING = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const { signal } = new AbortController();

let folders: readonly TempWorkspace[];
let system: ToolSystem;
let offers: ResourceOffers;

beforeAll(async () => {
  const [work, home] = [await createTempWorkspace(), await createTempWorkspace()];
  folders = [work, home];
  system = await createToolSystem({
    roots: [work.root],
    tenonHome: home.path('tenon'),
    userHome: home.root,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: process.env,
    mcp: {
      servers: [
        {
          alias: 'every',
          origin: 'user',
          transport: { kind: 'stdio', command: process.execPath, args: [EVERYTHING], cwd: work.root, env: {} },
          timeoutMs: 20_000,
          startupMs: 20_000,
          trust: false,
          excludeTools: [],
          sampling: false,
          negotiation: 'legacy',
          disabled: false,
        },
      ],
    },
  });
  offers = new ResourceOffers(() => system.servers?.servers ?? []);
});

afterAll(async () => {
  await system.close();
  for (const folder of folders) await folder.remove();
});

function server(): McpServer {
  const found = system.servers?.server('every');
  if (found === undefined) throw new Error('the server is missing');
  return found;
}

it('offers nothing of a server that is not connected, and starts none', async () => {
  expect(await offers.find('every', signal)).toEqual([]);
  expect(server().status().state).toBe('idle');
});

it('offers the server, its resources, and what it says may stand in an address', async () => {
  await server().connect(signal);
  expect((await offers.find('ev', signal))[0]).toMatchObject({ insert: '@every:', goesOn: true });
  const all = await offers.find('every:', signal);
  const listed = all.filter(({ goesOn }) => goesOn !== true);
  expect(listed.length).toBeGreaterThan(0);
  for (const { insert, label } of listed) expect(findMentions(`see ${insert} now`)).toEqual([label]);
  const dynamic = all.find(({ label }) => label.includes('{'));
  expect(dynamic?.goesOn).toBe(true);
  const begun = (dynamic?.insert ?? '').slice(1);
  const made = await offers.find(`${begun}1`, signal);
  expect(made.map(({ label }) => label)).toContain(`${begun}1`);
});

it('finds resources by a part of their address', async () => {
  await server().connect(signal);
  const [first] = (await offers.find('every:', signal)).filter(({ goesOn }) => goesOn !== true);
  const part = (first?.label ?? '').slice(-8);
  expect((await offers.find(part, signal)).map(({ label }) => label)).toContain(first?.label);
});
