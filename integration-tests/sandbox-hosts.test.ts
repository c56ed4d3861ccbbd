import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTls } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bubblewrap } from '../packages/core/src/sandbox/bubblewrap.js';
import { openLink, type OpenLink } from '../packages/core/src/sandbox/network/open-link.js';
import { openSandbox } from '../packages/core/src/sandbox/open-sandbox.js';
import type { Sandbox } from '../packages/core/src/sandbox/sandbox-types.js';
import {
  makeFixture,
  openFixture,
  runInside,
  runPrepared,
  whyNotHere,
  type InsideResult,
  type SandboxFixture,
} from './sandbox-fixture.js';

const reason = await whyNotHere();
if (reason !== undefined) process.stdout.write(`The sandbox's allowed hosts are not tried: ${reason}\n`);

const BIG = 20_000_000;

describe.skipIf(reason !== undefined)('a command in a sandbox with allowed hosts', () => {
  let fixture: SandboxFixture;
  let sandbox: Sandbox;
  const servers: Server[] = [];
  /** Of an HTTP server that is allowed, of one that is not, of an echo that is allowed. */
  let [port, other, echo] = [0, 0, 0];
  let strangers = 0;
  const inside = async (script: string, env?: Record<string, string>): Promise<InsideResult> =>
    runInside(sandbox, fixture, script, { PORT: String(port), OTHER: String(other), ECHO: String(echo), ...env });

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  beforeAll(async () => {
    fixture = await makeFixture({ 'served/': '', 'root/a.txt': 'a\n' });
    const served = join(fixture.base, 'served');
    spawnSync('git', ['init', '-q', '-b', 'main', served]);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', served, '-c', 'user.name=n', '-c', 'user.email=e@e.e', ...args]);
    git('commit', '-q', '--allow-empty', '-m', 'served commit');
    git('update-server-info');
    port = await listen(
      createServer((request, response) => {
        const url = new URL(request.url ?? '/', 'http://x');
        if (url.pathname === '/big') response.end(Buffer.alloc(BIG, 'b'));
        else if (url.pathname.startsWith('/repo/')) {
          try {
            response.end(readFileSync(join(served, '.git', url.pathname.slice('/repo/'.length))));
          } catch {
            response.writeHead(404).end();
          }
        } else if (request.method === 'POST') {
          let bytes = 0;
          request.on('data', (chunk: Buffer) => (bytes += chunk.length));
          request.on('end', () => response.end(`got ${bytes}`));
        } else response.end(`hello ${request.url} ${request.headers.host}`);
      }),
    );
    other = await listen(
      createServer((_request, response) => response.end('not for you')).on('connection', () => (strangers += 1)),
    );
    echo = await listen(createTcp((socket) => void socket.on('error', () => undefined).pipe(socket)));
    const hosts = [`127.0.0.1:${port}`, `localhost:${echo}`];
    fixture = { ...fixture, places: { ...fixture.places, hosts } };
    sandbox = await openFixture(fixture);
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await fixture.remove();
  });

  it('is held by bubblewrap, and it is proven that only these are reached', () => {
    expect(sandbox.status).toMatchObject({
      mechanism: 'bubblewrap',
      network: 'off',
      text: expect.stringContaining('network off but for 2 allowed hosts, 9 of 9 proofs hold'),
    });
    expect(sandbox.status.probes.map(({ name, holds }) => holds && name)).toEqual(
      expect.arrayContaining(['connect', 'hosts', 'socket']),
    );
  });

  describe('reaches what is allowed:', () => {
    const proxied = '--noproxy "" http://127.0.0.1:$PORT';
    it.each([
      ['curl, through the proxy', `curl -sS ${proxied}/x | cut -c1-8`, 'hello /x\n'],
      ['bash, at the same address', 'exec 3<>/dev/tcp/localhost/$ECHO; echo hi >&3; head -1 <&3', 'hi\n'],
      ['a tunnel', `curl -sSp ${proxied}/t | cut -c1-8`, 'hello /t\n'],
      ['much of it', `curl -sS ${proxied}/big | wc -c`, `${BIG}\n`],
      ['much of it, at the same address', 'curl -sS http://127.0.0.1:$PORT/big | wc -c', `${BIG}\n`],
      [
        'much of it outwards',
        `head -c ${BIG} /dev/zero | curl -sS -H Expect: --data-binary @- ${proxied}/`,
        `got ${BIG}`,
      ],
      [
        'without knowing how much',
        `head -c 300000 /dev/zero | curl -sS -H Expect: -T - -X POST ${proxied}/`,
        'got 300000',
      ],
      [
        'git, through the proxy',
        'git -c http.noProxy= clone -q http://127.0.0.1:$PORT/repo c 2>&1; NO_PROXY= no_proxy= git clone -q http://127.0.0.1:$PORT/repo d; git -C d log --format=%s; rm -rf c d',
        'served commit\n',
      ],
      [
        'node',
        `node -e "require('node:http').get({ port: process.env.HTTP_PROXY.split(':')[2], path: 'http://127.0.0.1:$PORT/n' }, (r) => r.on('data', (d) => console.log(String(d).slice(0, 8))))"`,
        'hello /n\n',
      ],
      ['many at once', `for i in $(seq 60); do curl -sS ${proxied}/$i & done | grep -o hello | wc -l`, '60\n'],
      [
        'what it serves itself',
        `(node -e "require('http').createServer((q, r) => r.end('own')).listen(8123, '127.0.0.1', () => setTimeout(process.exit, 2000))" & sleep 0.5; curl -sS http://127.0.0.1:8123/)`,
        'own',
      ],
    ])('%s', async (_how, script, expected) => {
      expect((await inside(script)).output).toBe(expected);
    });
  });

  describe('reaches nobody else:', () => {
    it.each([
      ['a service that is not named', 'exec 3<>/dev/tcp/127.0.0.1/$OTHER'],
      ['the same through the proxy', 'curl -sSf --noproxy "" http://127.0.0.1:$OTHER/'],
      ['the same by a tunnel', 'curl -sSfp --noproxy "" http://127.0.0.1:$OTHER/'],
      [
        'the same by another name',
        'curl -sSf --noproxy "" http://localhost:$OTHER/ || curl -sSf --noproxy "" "http://[::ffff:127.0.0.1]:$OTHER/"',
      ],
      ['the same by the header', 'curl -sSf --noproxy "" -H "Host: 127.0.0.1:$PORT" http://127.0.0.1:$OTHER/'],
      [
        'the same by the way of the named ones',
        `perl -MIO::Socket -e '$s = IO::Socket::INET->new("127.0.0.1:$ENV{ECHO}"); print $s "GET http://127.0.0.1:$ENV{OTHER}/ HTTP/1.0\\r\\n\\r\\n"; shutdown($s, 1); $_ = join "", <$s>; exit !/not for you/'`,
      ],
      ['another machine', 'timeout 5 bash -c "exec 3<>/dev/tcp/1.1.1.1/443"'],
      ['a host by HTTPS', 'curl -sSf https://example.com/'],
      ['a name by the name service', 'getent hosts example.com'],
      ['a Unix socket', `perl -MSocket -e 'socket(S, 1, 1, 0) or exit 1'`],
    ])('not %s', async (_whom, script) => {
      expect((await inside(script)).code).not.toBe(0);
      expect(strangers).toBe(0);
    });

    it('and whom it was kept from is told', async () => {
      const { findings, output } = await inside('curl -sS https://example.com/; curl -s http://Example.org/; exit 1');
      expect(output).toContain('The setting "sandboxHosts" allows');
      expect(findings.refusedHosts?.map(({ host }) => host)).toEqual(['example.com', 'example.org']);
      const denial = sandbox.explainDenial({ exitCode: 1, output, cwd: fixture.root, ...findings });
      expect(denial).toMatchObject({ kind: 'network', host: 'example.com' });
    });
  });

  describe('cannot get more out of its way to them:', () => {
    it('it holds no descriptor of it', async () => {
      expect((await inside('ls /proc/self/fd | tr "\\n" " "')).output).toBe('0 1 2 3 ');
    });

    it('what it writes on it by force ends it, and nothing else', async () => {
      const force = `
        for p in /proc/[0-9]*; do grep -q sandbox-network $p/comm 2>/dev/null && for f in $p/fd/*; do
          case $(readlink $f) in *pipe*|*link-*|*deleted*) head -c 100000 /dev/urandom > $f;; esac; done; done 2>/dev/null
        sleep 0.2; curl -sS -m 2 --noproxy "" http://127.0.0.1:$PORT/after; exit 3`;
      expect((await inside(force)).code).toBe(3);
      expect((await inside('curl -sS http://127.0.0.1:$PORT/next')).output).toContain('hello /next');
      expect(strangers).toBe(0);
    });

    it('a flood of connections is bounded, and goes', async () => {
      const before = openDescriptors();
      const flood = `node -e "
        const net = require('node:net'); let open = 0, closed = 0;
        for (let i = 0; i < 600; i++) net.connect(process.env.HTTP_PROXY.split(':')[2], '127.0.0.1', () => open++).on('close', () => closed++).on('error', () => {}).resume();
        setTimeout(() => { console.log(open, closed > 300); process.exit(); }, 1500);"`;
      expect((await inside(flood)).output).toMatch(/^\d+ true\n$/);
      await sleep(50);
      expect(openDescriptors()).toBeLessThanOrEqual(before);
    });

    it('it survives that the command ends all of Node, and what is sent to its whole group', async () => {
      const { output } = await inside(
        'trap "" TERM; killall -q node; pkill -x node; kill -TERM 0; sleep 0.1; curl -sS http://127.0.0.1:$PORT/still',
      );
      expect(output).toContain('hello /still');
    });
  });

  it.skipIf(!existsSync('/usr/bin/openssl'))(
    'speaks TLS with the host that is allowed, and with no other at its address',
    async () => {
      const key = join(fixture.base, 'key.pem');
      const cert = join(fixture.base, 'cert.pem');
      const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost';
      execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
      const asked: string[] = [];
      const options = { key: readFileSync(key), cert: readFileSync(cert) };
      const server = createTls(options, (request, response) => {
        asked.push(String(Reflect.get(request.socket, 'servername') || 'nobody'));
        response.end('secure');
      });
      const tls = await listen(server);
      const box = await openFixture({ ...fixture, places: { ...fixture.places, hosts: [`localhost:${tls}`] } });
      const curl = `curl -sSk -m 5 --noproxy ''`;
      expect((await runInside(box, fixture, `${curl} https://localhost:${tls}/`)).output).toBe('secure');
      const elsewhere = `${curl} --connect-to evil.example:443:localhost:${tls} -x "$HTTPS_PROXY" https://evil.example/`;
      const { code, findings } = await runInside(box, fixture, elsewhere);
      expect(code).not.toBe(0);
      expect(findings.refusedHosts?.[0]?.message).toContain('asks for another server, evil.example.');
      expect(asked).toEqual(['localhost']);
    },
  );

  it('leaves nothing behind when it is killed: no process, no descriptor, no file', async () => {
    const before = openDescriptors();
    const command = await sandbox.enter({
      argv: ['/bin/bash', '-c', 'exec 5<>/dev/tcp/127.0.0.1/$ECHO; echo up; sleep 987.3'],
      cwd: fixture.root,
      env: { PATH: '/usr/bin:/bin', ECHO: String(echo) },
    });
    const [program, ...args] = command.argv;
    const child = spawn(program, args, {
      cwd: command.cwd,
      stdio: ['ignore', 'pipe', 'ignore', ...command.descriptors],
      detached: true,
    });
    await once(child.stdout ?? child, 'data');
    expect(processesNamed('sandbox-network')).toBe(1);
    child.kill('SIGKILL');
    await once(child, 'close');
    await command.finish();
    for (let round = 0; round < 50 && processesNamed('sandbox-network') > 0; round += 1) await sleep(20);
    expect(processesNamed('sandbox-network')).toBe(0);
    await sleep(50);
    expect(openDescriptors()).toBeLessThanOrEqual(before);
    expect(readdirSync(fixture.state)).toEqual(['tmp']);
  });

  it('works in a terminal, to which no descriptors can be passed', async () => {
    const argv = ['/bin/bash', '-c', 'tty > /dev/tty; curl -sS --noproxy "" http://127.0.0.1:$PORT/tty'] as const;
    const env = { PATH: '/usr/bin:/bin', PORT: String(port) };
    const command = await sandbox.enter({ argv, cwd: fixture.root, env, terminal: true });
    expect(command.descriptors).toEqual([]);
    const words = command.argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
    const { output } = await runPrepared({ ...command, argv: ['/usr/bin/script', '-qec', words, '/dev/null'] });
    expect(output).toContain('hello /tty');
    await command.finish();
    expect(readdirSync(fixture.state)).toEqual(['tmp']);
  });

  it('sees no proxy of the person’s own, and is not steered by the variables of Node', async () => {
    const { output } = await inside(
      'env | grep -i proxy | grep -c corp; curl -sS --noproxy "" http://127.0.0.1:$PORT/v | cut -c1-8',
      {
        HTTPS_PROXY: 'http://user:secret@proxy.corp:3128',
        npm_config_proxy: 'http://proxy.corp:3128',
        NODE_OPTIONS: '--require /nowhere/evil.js',
      },
    );
    expect(output).toBe('0\nhello /v\n');
  });

  it.each(['/tmp', 'home'])('works where Node lies below %s, which is hidden', async (where) => {
    const folder = mkdtempSync(where === '/tmp' ? '/tmp/tenon-node-' : join(fixture.home, 'node-'));
    const node = join(folder, 'node');
    copyFileSync(process.execPath, node);
    chmodSync(node, 0o755);
    const places = where === '/tmp' ? fixture.places : { ...fixture.places, masked: [folder] };
    const box = await openSandbox({ mode: 'auto', stateFolder: fixture.state, node, places: () => places });
    expect(box.status.text).toContain('9 of 9');
    expect((await runInside(box, fixture, `curl -sS http://127.0.0.1:${port}/hidden; ls ${folder}`)).output).toMatch(
      /hello \/hidden.*\n?ls: cannot/,
    );
    rmSync(folder, { recursive: true });
  });
});

describe.skipIf(reason !== undefined || process.getuid?.() !== 0)('for a user who is not root', () => {
  const nobody = 65_534;
  const asNobody = ['/usr/bin/setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--'];
  let fixture: SandboxFixture;
  let bubblewrap: Bubblewrap;

  beforeAll(async () => {
    fixture = await makeFixture({ 'state/tmp/': '' }, { processes: 60 });
    spawnSync('chown', ['-R', String(nobody), fixture.base]);
    bubblewrap = new Bubblewrap({
      program: '/usr/bin/bwrap',
      canDisableUserNamespaces: true,
      architecture: process.arch,
      userId: nobody,
      stateFolder: fixture.state,
      privateTemp: join(fixture.state, 'tmp'),
      node: process.execPath,
    });
  });
  afterAll(async () => fixture.remove());

  async function run(script: string, link?: OpenLink): Promise<{ code: number | null; output: string }> {
    const request = { argv: ['/bin/bash', '-c', script], cwd: fixture.root, env: { PATH: '/usr/bin:/bin' } } as const;
    const command = bubblewrap.enter(request, fixture.places, link);
    const result = await runPrepared(command, asNobody);
    await command.finish();
    return result;
  }

  it('the number of processes is bounded: a fork bomb comes to its end, and goes with its command', async () => {
    // The shell that counts forks once, before the bomb is there: a fork of its own might find no place any more.
    const { output, code } = await run(`
      bomb() { bomb | bomb & }; bomb 2>/dev/null &
      for i in 1 2 3 4 5 6 7 8; do set -- /proc/[0-9]*; echo $#; read -t 0.1 < /dev/zero; done
      exit 7`);
    const counts = output.split('\n').flatMap((line) => (/^\d+$/.test(line) ? [Number(line)] : []));
    expect(code).toBe(7);
    expect(counts.length).toBe(8);
    expect(Math.max(...counts)).toBeLessThanOrEqual(64);
    for (let round = 0; round < 50 && processesOf(nobody) > 0; round += 1) await sleep(20);
    expect(processesOf(nobody)).toBe(0);
  });

  it('allowed hosts are reached, and others are not', async () => {
    const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const link = await openLink({ hosts: [`127.0.0.1:${port}`], folder: fixture.state, areNamed: false });
    const script = `curl -sS --noproxy '' http://127.0.0.1:${port}/; curl -sSf https://example.com/ 2>&1; ulimit -u`;
    expect((await run(script, link)).output).toMatch(/^reachedcurl: \(\d+\) [^\n]*403\n60\n$/);
    expect(link.refused().map(({ host }) => host)).toEqual(['example.com']);
    server.close();
  });
});

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

function processesNamed(name: string): number {
  return pids().filter((pid) => textOf(`/proc/${pid}/comm`).trim() === name).length;
}

function processesOf(user: number): number {
  const isTheirs = new RegExp(String.raw`^State:\t[^Z][^]*^Uid:\s+${user}\s`, 'm');
  return pids().filter((pid) => isTheirs.test(textOf(`/proc/${pid}/status`))).length;
}

function pids(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
