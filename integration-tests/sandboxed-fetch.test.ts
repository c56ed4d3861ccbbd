import { existsSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalMode, type ToolSystem, type ToolSystemOptions } from '@tenon/core';
import { whyNotHere } from './sandbox-fixture.js';
import { callShell, sandboxedSystems, type SandboxedSystems } from './sandboxed-systems.js';

const reason = await whyNotHere();
if (reason !== undefined) process.stdout.write(`Fetching from the sandbox is not tried: ${reason}\n`);

describe.skipIf(reason !== undefined)('the shell tool in a sandbox with allowed hosts', () => {
  let systems: SandboxedSystems;
  let root: string;
  let server: Server;
  let port = 0;

  beforeEach(async () => {
    systems = sandboxedSystems();
    ({ root } = systems);
    server = createServer((request, response) => response.end(`hello ${request.url}`)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    await systems.close();
    server.close();
  });

  const open = async (options: Partial<ToolSystemOptions> = {}): Promise<ToolSystem> =>
    systems.open({ sandbox: { mode: 'auto', hosts: [`127.0.0.1:${port}`, '*.allowed.example'] }, ...options });
  const call = async (system: ToolSystem, command: string): Promise<string> => callShell(system, { command });

  it('asks for nothing in auto_edit that goes to an allowed host, and reaches it', async () => {
    const system = await open();
    const text = await call(system, `curl -sS http://127.0.0.1:${port}/known`);
    expect(text).toContain('hello /known');
    // The forwarder is nothing that the command left behind.
    expect(text).not.toMatch(/left|still running|ended with it/i);
    writeFileSync(join(root, 'get.sh'), `curl -sS --noproxy '' http://127.0.0.1:${port}/unknown\n`);
    expect(await call(system, 'bash get.sh')).toContain('hello /unknown');
  });

  it('asks before another host, and in other modes', async () => {
    expect(await call(await open(), 'curl -sS https://evil.example/')).toContain('evil.example');
    const fetch = `curl -sS -o got http://127.0.0.1:${port}/`;
    await call(await open({ approvalMode: ApprovalMode.DEFAULT }), fetch);
    await call(await open({ sandbox: { mode: 'auto' } }), fetch);
    expect(existsSync(join(root, 'got'))).toBe(false);
    await call(await open(), fetch);
    expect(existsSync(join(root, 'got'))).toBe(true);
  });

  it('asks before every program where the whole network is reached', async () => {
    writeFileSync(join(root, 'build.sh'), 'touch made\n');
    await call(await open({ sandbox: { mode: 'auto', network: 'on' } }), 'bash build.sh');
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('tells which host it refused to a program of which nobody knew, and how to have it run outside (S66)', async () => {
    const system = await open();
    writeFileSync(join(root, 'get.sh'), 'curl -sSf https://evil.example/\n');
    const text = await call(system, 'bash get.sh');
    expect(text).toContain('evil.example:443 is not among the hosts that commands in the sandbox may reach');
    expect(text).toContain('sandboxHosts');
    expect(text).toContain('unsandboxed: true');
  });
});
